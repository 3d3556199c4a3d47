import { plural } from '../localisation/plural.rules.ts'
import { ChevronDown, CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { ErrorExplanation } from '../assistant/explanation/ErrorExplanation.tsx'
import { formatMoment } from '../localisation/dates.rules.ts'
import { type ErrorGroup, type ErrorOccurrence, FIX_LABELS } from '../monitoring/errors/errors.contract.ts'
import type { ErrorSeverity } from '../monitoring/errors/errors.rules.ts'
import { ErrorTrend } from '../monitoring/errors/ErrorTrend.tsx'
import { useErrorStatus, useOccurrences } from '../monitoring/errors/useErrorGroups.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Pair } from '../ui/Pair.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'

const LOOKS = { critical: 'failed', high: 'failed', medium: 'pending', low: 'neutral' } as const
const SEVERITIES: Record<ErrorSeverity, string> = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' }

export function ErrorGroupPanel({ group }: { group: ErrorGroup }) {
  const [isOpen, setOpen] = useState(false)
  const { severity, message, place, times, people, lastSeenAt, isReopened, days } = group
  return (
    <details className="panel card error-group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="grow stack gap-1">
          <span className={isOpen ? 'wrap-anywhere' : 'clamp-2 wrap-anywhere'}>{message}</span>
          {place && <span className="mono small muted wrap-anywhere">{place}</span>}
          <span className="row gap-2">
            <Badge look={LOOKS[severity]} icon={<CircleAlert className="icon" aria-hidden />}>
              {SEVERITIES[severity]}
            </Badge>
            {isReopened && <Badge look="pending">Came back</Badge>}
            <span className="error-group__count small muted num">
              {plural(times, 'time')} · {plural(people, 'person', 'people')} · {formatMoment(lastSeenAt)}
            </span>
            <ErrorTrend days={days} />
          </span>
        </span>
        <ChevronDown className="icon" aria-hidden />
      </summary>
      {isOpen && <Opened group={group} />}
    </details>
  )
}

function Opened({ group }: { group: ErrorGroup }) {
  const { status, fixedIn, firstSeenAt, firstRelease, lastSeenAt, lastRelease } = group
  const change = useErrorStatus(group)
  return (
    <div className="panel__body stack">
      <dl className="pairs">
        <Pair name="First seen" value={`${formatMoment(firstSeenAt)} in ${firstRelease}`} />
        <Pair name="Last seen" value={`${formatMoment(lastSeenAt)} in ${lastRelease}`} />
        {fixedIn && <Pair name="Fixed in" value={fixedIn} />}
      </dl>
      <div className="row">
        {status !== 'fixed' && (
          <Button tone="primary" isBusy={change.isPending} onClick={() => change.mutate('fixed')}>
            Mark as fixed
          </Button>
        )}
        {status !== 'muted' && (
          <Button isBusy={change.isPending} onClick={() => change.mutate('muted')}>
            Mute
          </Button>
        )}
        {status !== 'open' && (
          <Button isBusy={change.isPending} onClick={() => change.mutate('open')}>
            Open again
          </Button>
        )}
      </div>
      <ErrorExplanation groupId={group.id} />
      <ErrorOccurrences group={group} />
    </div>
  )
}

const FEW = 5

function ErrorOccurrences({ group: { id, type } }: { group: ErrorGroup }) {
  const { data, isPending, refetch } = useOccurrences(id)
  const [hasAll, setAll] = useState(false)
  if (isPending) return <Skeleton height="4rem" />
  if (!data) return <ErrorState title="Couldn’t load the occurrences" onRetry={refetch} />
  if (data.length === 0) return <p className="small muted">Its occurrences are old and have been deleted.</p>
  const shown = hasAll ? data : data.slice(0, FEW)
  return (
    <>
      <h2>Last occurrences</h2>
      <Stack {...data[0]!} />
      <ol>
        {shown.map((one) => (
          <li key={one.id} className="list__row row--top">
            <span className="grow wrap-anywhere">
              <strong>{one.route}</strong>
              <small>
                {formatMoment(one.seenAt)} · release {one.release}
              </small>
              <small>{one.userAgent}</small>
            </span>
            {one.autoFixed && <Badge look="completed">Auto-fixed: {FIX_LABELS[type]}</Badge>}
          </li>
        ))}
      </ol>
      {shown.length < data.length && <Button onClick={() => setAll(true)}>Show all {data.length}</Button>}
    </>
  )
}

const Stack = ({ stack, componentStack }: ErrorOccurrence) => {
  const text = [stack, componentStack].filter(Boolean).join('\n\n')
  return text ? <p className="mono small wrap-anywhere pre-line">{text}</p> : null
}
