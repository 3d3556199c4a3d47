import { useState } from 'react'
import type { GroupStatus } from '../monitoring/errors/errors.contract.ts'
import { useErrorGroups } from '../monitoring/errors/useErrorGroups.ts'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Segment } from '../ui/form/Segment.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { ErrorGroupPanel } from './ErrorGroupPanel.tsx'
import { RowsSkeleton, StaffPage } from './StaffPage.tsx'

const NAMES: Record<GroupStatus, string> = { open: 'Open', muted: 'Muted', fixed: 'Fixed' }

const NOTHING: Record<GroupStatus, [title: string, text: string]> = {
  open: ['No open errors', 'What goes wrong in a browser stands here within a minute.'],
  muted: ['Nothing is muted', 'Errors that you know and can live with go here; they are counted on.'],
  fixed: ['Nothing is marked as fixed', 'A fixed error opens by itself when a later release has it.'],
}

export function ErrorsPage() {
  const [status, setStatus] = useState<GroupStatus>('open')
  const { data, isPending, isError, refetch } = useErrorGroups(status)
  const [title, text] = NOTHING[status]
  const options = Object.entries(NAMES).map(([value, name]) => ({
    value: value as GroupStatus,
    label: data ? `${name} (${data.counts[value as GroupStatus]})` : name,
  }))
  return (
    <StaffPage
      title="Errors"
      about="What goes wrong in browsers, most recent first"
      action={<Segment label="Show" options={options} value={status} onChange={setStatus} />}
    >
      {isError && !data ? (
        <ErrorState title="Couldn’t load the errors" onRetry={refetch} />
      ) : isPending ? (
        <RowsSkeleton label="Loading the errors" list="stack" row="card stack">
          <Skeleton height="1rem" width="60%" />
          <Skeleton height="1rem" width="40%" />
          <Skeleton height="1rem" width="4rem" />
        </RowsSkeleton>
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
    </StaffPage>
  )
}
