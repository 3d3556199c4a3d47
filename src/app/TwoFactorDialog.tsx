import './secondFactor.css'
import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.client.ts'
import { AskStep } from './AskStep.tsx'
import { KeyCard } from './KeyCard.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import type { DialogProps } from './useDialog.ts'
import { useSecondFactor } from './useSecondFactor.ts'

/** Turns the second step of signing in on, in three steps, or off. */
export const TwoFactorDialog = (dialog: DialogProps & { email: string }) => (
  <Dialog {...dialog} title="Two-Factor Authentication">
    <Steps {...dialog} />
  </Dialog>
)

function Steps({ onClose, email }: DialogProps & { email: string }) {
  const { status, begin, confirm, renew, end } = useSecondFactor()
  const [wish, setWish] = useState<'renew' | 'end'>()
  const sayOff = () => {
    onClose()
    toast({ title: 'Two-factor authentication is off', description: 'Your password alone signs you in.' })
  }
  const codes = renew.data?.recoveryCodes ?? confirm.data?.recoveryCodes

  if (codes) return <RecoveryCodes codes={codes} onDone={onClose} />
  if (begin.data)
    return (
      <AskStep
        asks="code"
        label="Turn on"
        key="code"
        step={confirm}
        onSend={confirm.mutate}
        otherwise="It could not be turned on. Please try again."
        onCancel={onClose}
      >
        <KeyCard enrolment={begin.data} />
      </AskStep>
    )
  if (wish)
    return (
      <AskStep
        asks="password"
        email={email}
        label={wish === 'end' ? 'Turn off' : 'New codes'}
        tone={wish === 'end' ? 'bad' : 'primary'}
        key={wish}
        step={wish === 'end' ? end : renew}
        onSend={(password) => (wish === 'end' ? end.mutate(password, { onSuccess: sayOff }) : renew.mutate(password))}
        otherwise="That did not work. Please try again."
        onCancel={() => setWish(undefined)}
      >
        <p>
          {wish === 'end'
            ? 'Signing in will ask for your password alone. The key and the recovery codes stop working.'
            : 'You get ten new recovery codes, and the ones you have stop working.'}
        </p>
      </AskStep>
    )
  if (status.data?.isOn)
    return (
      <>
        <DialogBody>
          <p>Signing in asks for your password and for a code of your authenticator app.</p>
          <p className="muted">{leftText(status.data.recoveryCodesLeft)}</p>
        </DialogBody>
        <DialogFoot>
          <Button tone="bad-line" onClick={() => setWish('end')}>
            Turn off
          </Button>
          <Button onClick={() => setWish('renew')}>New recovery codes</Button>
          <Button onClick={onClose}>Close</Button>
        </DialogFoot>
      </>
    )
  if (status.isPending)
    return (
      <DialogBody>
        <Skeleton className="h-40 w-full" />
      </DialogBody>
    )
  // what could not be read is found out by the first step
  return (
    <AskStep
      asks="password"
      email={email}
      label="Continue"
      key="password"
      step={begin}
      onSend={begin.mutate}
      otherwise="That did not work. Please try again."
      onCancel={onClose}
    >
      <p>
        With it, your password alone signs nobody in: the six digits that an app on your phone shows are needed as well.
        You need an authenticator app.
      </p>
    </AskStep>
  )
}

const leftText = (left: number) =>
  left === 0
    ? 'No recovery codes are left. Make new ones, or a lost phone locks you out.'
    : `${left} of 10 recovery codes ${left === 1 ? 'is' : 'are'} left, for when the app is out of reach.`
