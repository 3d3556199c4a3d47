import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { type ExceptionQueue, listExceptions } from '../../providers/usdc/transfers.contract.ts'
import { Segment } from '../../ui/form/Segment.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { RowsSkeleton, StaffPage } from '../StaffPage.tsx'
import { ExceptionRow } from './ExceptionRow.tsx'

const queues: { value: ExceptionQueue; label: string }[] = [
  { value: 'open', label: 'To decide' },
  { value: 'done', label: 'Decided' },
]

const LOOK_EVERY_MS = 10_000

export function AdminTransfersPage() {
  const [queue, setQueue] = useState<ExceptionQueue>('open')
  const about =
    queue === 'open'
      ? 'The shop cannot spend USDC. Send money back from your own wallet, then paste the transaction: the chain confirms it.'
      : 'The newest first.'
  return (
    <StaffPage title="USDC" about={about}>
      <Segment label="Show" options={queues} value={queue} onChange={setQueue} />
      <Queue key={queue} queue={queue} />
    </StaffPage>
  )
}

function Queue({ queue }: { queue: ExceptionQueue }) {
  const { data, isError, refetch } = useQuery({
    ...query(listExceptions, { queue }),
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY_MS,
  })
  if (isError && !data) return <ErrorState title="Couldn’t load the transfers" onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton label="Loading the transfers" />
  const { exceptions, trouble } = data
  return (
    <>
      {trouble && (
        <p className="card" role="alert">
          <strong>The scan stands still, so no USDC payment is credited.</strong> {trouble.why}, since{' '}
          {formatMoment(trouble.since)}. It goes on by itself once the nodes agree. Check CRYPTO_RPC_URLS.
        </p>
      )}
      {exceptions.length === 0 ? (
        <EmptyState scene="receipt" title={queue === 'open' ? 'Nothing to decide' : 'Nothing decided yet'} />
      ) : (
        <ul className="list">
          {exceptions.map((exception) => (
            <ExceptionRow key={exception.id} exception={exception} onDone={() => void refetch()} />
          ))}
        </ul>
      )}
    </>
  )
}
