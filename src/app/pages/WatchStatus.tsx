import { useStore } from '../../kit/store.client.ts'
import { errorCounts } from '../../monitoring/errors/monitor.client.ts'
import { setWatch, useIsWatchOn, type Watch } from '../../monitoring/errors/switches.client.ts'
import { Switch } from '../../ui/form/Switch.tsx'

/** Errors of this page, and how many of them a verified fix has mended. */
export function useErrorCounts(): string {
  const { total, autoFixed } = useStore(errorCounts)
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

export const WatchSwitches = () => (
  <div className="panel__body">
    {WATCHES.map((one) => (
      <WatchSwitch key={one.watch} {...one} />
    ))}
  </div>
)

function WatchSwitch({ watch, label, hint }: (typeof WATCHES)[number]) {
  const isOn = useIsWatchOn(watch)
  return <Switch label={label} hint={hint} isOn={isOn} onChange={(next) => setWatch(watch, next)} />
}
