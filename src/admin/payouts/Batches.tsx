import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { toastFailure } from '../../identity/toastFailure.client.ts'
import { isRefusal, reasonOf } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { downloadProven } from '../../kit/download/downloadProven.client.ts'
import { query } from '../../kit/query/query.client.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { type Batch, listPayoutBatches } from '../../payments/payouts/payouts.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { RowsSkeleton } from '../StaffPage.tsx'

const LOOK_EVERY_MS = 15_000

export function Batches() {
  const { data, isError, refetch } = useQuery({
    ...query(listPayoutBatches, {}),
    refetchOnMount: 'always',
    refetchInterval: LOOK_EVERY_MS,
  })
  if (isError && !data) return <ErrorState title="Couldn’t load the batches" onRetry={() => void refetch()} />
  if (!data) return <RowsSkeleton label="Loading the batches" />
  if (data.length === 0) return <EmptyState scene="receipt" title="No batches yet" />
  return (
    <ul className="list">
      {data.map((batch) => (
        <BatchRow key={batch.id} batch={batch} />
      ))}
    </ul>
  )
}

const STATES = {
  approved: ['pending', 'Approved'],
  sent: ['pending', 'Sent'],
  refused: ['failed', 'Refused'],
  over: ['active', 'Done'],
} as const

function BatchRow({ batch: { id, method, state, payouts, amount, approvedBy, createdAt, problem } }: { batch: Batch }) {
  const [look, name] = STATES[state]
  return (
    <li className="list__row row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong>
          {payouts.toLocaleString('en')} {payouts === 1 ? 'payout' : 'payouts'}, {usd(toCents(amount))}
        </strong>
        <small>
          {method === 'bank' ? 'Bank' : 'PayPal'}, {formatMoment(createdAt)}, by {approvedBy}
        </small>
        <small className="mono">#{id.slice(-8)}</small>
        {problem && <small>{problem}</small>}
      </span>
      <Badge look={look}>{name}</Badge>
      {method === 'bank' && (
        <span className="row gap-2">
          {(['xml', 'csv'] as const).map((kind) => (
            <BankFile key={kind} id={id} kind={kind} />
          ))}
        </span>
      )}
    </li>
  )
}

function BankFile({ id, kind }: { id: string; kind: 'xml' | 'csv' }) {
  const file = useMutation({
    mutationFn: () =>
      downloadProven(`/api/admin/payouts/batches/${id}/file.${kind}`, `payouts-${id.slice(0, 8)}.${kind}`),
    onError: (error) =>
      toastFailure(error, reasonOf(error, isRefusal) ?? 'We couldn’t download the file. Please try again.'),
  })
  return (
    <Button
      isBusy={file.isPending}
      icon={<Download className="icon" aria-hidden />}
      aria-label={`${kind === 'xml' ? 'pain.001 file' : 'CSV file'} of batch ${id.slice(-8)}`}
      onClick={() => file.mutate()}
    >
      {kind === 'xml' ? 'pain.001' : 'CSV'}
    </Button>
  )
}
