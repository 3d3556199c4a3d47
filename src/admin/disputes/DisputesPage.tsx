import { useState } from 'react'
import { describeReason } from '../../aftersale/disputes/dispute.rules.ts'
import { type DisputeQueue, listDisputes, type ListedDispute } from '../../aftersale/disputes/dispute.contract.ts'
import { toCents } from '../../kit/money.ts'
import { pagesOf } from '../../kit/query/list.client.ts'
import { useList } from '../../kit/query/useList.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { methodLabel } from '../../payments/methods.ts'
import { Segment } from '../../ui/form/Segment.tsx'
import { Link } from '../../ui/Link.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { StaffPage } from '../StaffPage.tsx'
import { Found } from '../StaffSearch.tsx'
import { DisputeState } from './DisputeState.tsx'
import { TimeLeft } from './TimeLeft.tsx'

const queues: { value: DisputeQueue; label: string }[] = [
  { value: 'open', label: 'Open' },
  { value: 'ended', label: 'Ended' },
]
const abouts: Record<DisputeQueue, string> = {
  open: 'Buyers asked their payment provider for the money. The next to answer comes first.',
  ended: 'Won and lost, newest first.',
}

export function DisputesPage() {
  const [queue, setQueue] = useState<DisputeQueue>('open')
  return (
    <StaffPage title="Disputes" about={abouts[queue]}>
      <Segment label="Show" options={queues} value={queue} onChange={setQueue} />
      <Disputes key={queue} queue={queue} />
    </StaffPage>
  )
}

function Disputes({ queue }: { queue: DisputeQueue }) {
  const list = useList({ ...pagesOf(listDisputes, { queue }), refetchOnMount: 'always' })
  return (
    <Found
      list={list}
      name="the disputes"
      more="Show more"
      empty={
        <EmptyState scene="receipt" title={queue === 'open' ? 'No open disputes' : 'No disputes yet'}>
          Disputes show up here as soon as the payment provider reports them.
        </EmptyState>
      }
    >
      <ul className="list" aria-label="Disputes">
        {list.items.map((dispute) => (
          <Row key={dispute.id} dispute={dispute} />
        ))}
      </ul>
    </Found>
  )
}

const Row = ({ dispute }: { dispute: ListedDispute }) => (
  <li>
    <Link className="list__row row--top row--wrap" href={`/admin/disputes/${dispute.id}`}>
      <span className="grow grow--column wrap-anywhere">
        <strong>{describeReason(dispute.reason)}</strong>
        <small>
          {dispute.buyer ?? 'Former member'} · Order #<span className="mono">{shortId(dispute.orderId)}</span> ·{' '}
          {methodLabel(dispute.provider)}
        </small>
        <small>
          {dispute.missingSince
            ? `${methodLabel(dispute.provider)} doesn’t show how it ended. Enter the result.`
            : dispute.endedAt
              ? `Ended ${formatDay(dispute.endedAt)}`
              : dispute.sentAt
                ? `Answered ${formatDay(dispute.sentAt)}`
                : dispute.dueAt
                  ? `Answer by ${formatDay(dispute.dueAt)}`
                  : `Opened ${formatDay(dispute.openedAt)}`}
          <TimeLeft dispute={dispute} />
        </small>
      </span>
      <span className="stack stack--end gap-1">
        <strong className="money">{usd(toCents(dispute.amount))}</strong>
        <DisputeState dispute={dispute} />
      </span>
    </Link>
  </li>
)
