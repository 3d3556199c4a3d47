import { useState } from 'react'
import { formatMoment } from '../localisation/dates.rules.ts'
import type { ErrorOccurrence } from '../monitoring/errors/errors.contract.ts'
import { useOccurrences } from '../monitoring/errors/useErrorGroups.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'

const FEW = 5

/** The last occurrences of a cause, newest first. */
export function ErrorOccurrences({ groupId }: { groupId: string }) {
  const { data, isPending, isFetching, refetch } = useOccurrences(groupId)
  const [hasAll, setAll] = useState(false)
  if (isPending) return <Skeleton height="4rem" />
  if (!data)
    return <ErrorState title="Couldn’t load the occurrences" onRetry={() => void refetch()} isRetrying={isFetching} />
  if (data.length === 0) return <p className="small muted">Occurrences older than 30 days have been deleted.</p>
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
            {one.autoFixed && <Badge look="completed">Auto-fixed</Badge>}
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
