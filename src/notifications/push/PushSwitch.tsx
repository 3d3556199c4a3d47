import { useEffect, useState } from 'react'
import { Switch } from '../../ui/form/Switch.tsx'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { NOT_ON, type PushState, readPush, turnPushOff, turnPushOn } from './push.client.ts'

const HINTS: Record<PushState, string> = {
  checking: 'When an order is ready',
  on: 'When an order is ready',
  wished: 'When an order is ready. We’ll ask after your next purchase',
  off: 'When an order is ready. Your browser will ask first',
  blocked: 'Blocked for this site. Allow notifications in your browser settings, then come back.',
  impossible: 'Not supported in this browser',
}

/** Shows push as on if this browser is subscribed or `wished`. Turning it on requests a missing permission. */
export function PushSwitch() {
  const [state, setState] = useState<PushState>('checking')
  useEffect(() => {
    let isHere = true
    readPush()
      .catch((): PushState => 'off')
      .then((found) => isHere && setState(found))
    return () => {
      isHere = false
    }
  }, [])

  async function turn(isOn: boolean) {
    const before = state
    setState(isOn ? 'on' : 'off')
    try {
      setState(await (isOn ? turnPushOn() : turnPushOff()))
    } catch (error) {
      setState(before)
      toastFailure(error, isOn ? NOT_ON : 'Push notifications could not be turned off. Please try again.')
    }
  }
  return (
    <Switch
      label="Push Notifications"
      hint={HINTS[state]}
      isOn={state === 'on' || state === 'wished'}
      isDisabled={state === 'checking' || state === 'blocked' || state === 'impossible'}
      onChange={(isOn) => void turn(isOn)}
    />
  )
}
