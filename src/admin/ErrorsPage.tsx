import { useState } from 'react'
import type { GroupStatus } from '../monitoring/errors/errors.contract.ts'
import { useErrorGroups } from '../monitoring/errors/useErrorGroups.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { PageHead } from '../ui/PageHead.tsx'
import { Segment } from '../ui/form/Segment.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { AdminNav } from './AdminNav.tsx'
import { StaffGate } from '../identity/StaffGate.tsx'
import { ErrorGroupPanel } from './ErrorGroupPanel.tsx'

const NAMES: Record<GroupStatus, string> = { open: 'Open', muted: 'Muted', fixed: 'Fixed' }

const NOTHING: Record<GroupStatus, [title: string, text: string]> = {
  open: ['No open errors', 'What goes wrong in a browser stands here within a minute.'],
  muted: ['Nothing is muted', 'Errors that you know and can live with go here; they are counted on.'],
  fixed: ['Nothing is marked as fixed', 'A fixed error opens by itself when a later release has it.'],
}

/** Errors of shoppers' browsers, grouped by cause. */
export function ErrorsPage() {
  const [status, setStatus] = useState<GroupStatus>('open')
  const { data, isPending, isError, isFetching, refetch } = useErrorGroups(status)
  const [title, text] = NOTHING[status]
  const options = Object.entries(NAMES).map(([value, name]) => ({
    value: value as GroupStatus,
    label: data ? `${name} (${data.counts[value as GroupStatus]})` : name,
  }))
  return (
    <StaffGate nav={<AdminNav />}>
      <div className="section gap-4">
        <AdminNav />
        <PageHead
          title="Errors"
          about="What goes wrong in browsers, most recent first"
          action={<Segment label="Show" options={options} value={status} onChange={setStatus} />}
        />
        {isError && !data ? (
          <ErrorState title="Couldn’t load the errors" onRetry={() => void refetch()} isRetrying={isFetching} />
        ) : isPending ? (
          <Loading />
        ) : data.groups.length === 0 ? (
          <EmptyState scene="receipt" title={title}>
            {text}
          </EmptyState>
        ) : (
          <ul className="stack">
            {data.groups.map((group) => (
              <li key={group.id}>
                <ErrorGroupPanel group={group} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </StaffGate>
  )
}

const Loading = () => (
  <div className="stack" role="status" aria-label="Loading the errors">
    {[0, 1, 2].map((i) => (
      <div key={i} className="card stack">
        <Skeleton height="1rem" width="60%" />
        <Skeleton height="1rem" width="40%" />
        <Skeleton height="1rem" width="4rem" />
      </div>
    ))}
  </div>
)
