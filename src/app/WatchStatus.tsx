import { useSyncExternalStore } from 'react'
import { readCounts, watchCounts } from '../monitoring/monitor.client.ts'
import { isWatchOn, setWatch, type Watch, watchSwitches } from '../monitoring/switches.client.ts'
import { Switch } from '../ui/Switch.tsx'

/** How many errors this page met, and how many of them a fix is known to have mended. */
export function useErrorCounts(): string {
  const { total, autoFixed } = useSyncExternalStore(watchCounts, readCounts)
  return `${total} ${total === 1 ? 'error' : 'errors'}, ${autoFixed} auto-fixed`
}

const WATCHES: { watch: Watch; label: string; hint: string }[] = [
  {
    watch: 'security',
    label: 'Security monitoring',
    hint: 'Looks whether a person sits here, and where, and tells the shop.',
  },
  { watch: 'errors', label: 'Error monitoring', hint: 'Reports problems to the store, without personal data.' },
]

/** Each kind of monitoring can be turned off on this device. */
export const WatchSwitches = () => (
  <div className="panel__body">
    {WATCHES.map((one) => (
      <WatchSwitch key={one.watch} {...one} />
    ))}
  </div>
)

function WatchSwitch({ watch, label, hint }: (typeof WATCHES)[number]) {
  const isOn = useSyncExternalStore(watchSwitches, () => isWatchOn(watch))
  return <Switch label={label} hint={hint} isOn={isOn} onChange={(next) => setWatch(watch, next)} />
}
