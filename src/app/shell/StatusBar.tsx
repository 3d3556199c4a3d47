import { useNow } from '../../kit/useNow.ts'
import { formatClock } from '../../localisation/dates.rules.ts'

export function StatusBar() {
  const now = useNow(60_000)
  return <StatusBarAt time={formatClock(now)} />
}

/** Shows the given time. The build has none for the static landing page, so a script fills it in. */
export const StatusBarAt = ({ time }: { time: string }) => (
  <div className="statusbar" aria-hidden="true">
    <span data-clock>{time}</span>
    <span className="statusbar__icons">
      <svg viewBox="0 0 18 12">
        <rect x="0" y="8" width="3" height="4" rx="1" />
        <rect x="5" y="5.5" width="3" height="6.5" rx="1" />
        <rect x="10" y="3" width="3" height="9" rx="1" />
        <rect x="15" y="0" width="3" height="12" rx="1" />
      </svg>
      <svg viewBox="0 0 16 12">
        <path d="M8 9.2a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8zM8 5c1.9 0 3.6.8 4.9 2l-1.3 1.4A5.2 5.2 0 0 0 8 7a5.2 5.2 0 0 0-3.6 1.4L3.1 7A7 7 0 0 1 8 5zM8 .8c3.1 0 5.9 1.2 8 3.2l-1.3 1.4A9.7 9.7 0 0 0 8 2.7c-2.6 0-5 1-6.7 2.7L0 4A11.5 11.5 0 0 1 8 .8z" />
      </svg>
      <svg viewBox="0 0 26 12">
        <rect x=".5" y=".5" width="22" height="11" rx="3" fill="none" stroke="currentColor" opacity=".5" />
        <rect x="2" y="2" width="16" height="8" rx="1.8" />
        <rect x="24" y="4" width="2" height="4" rx="1" />
      </svg>
    </span>
  </div>
)
