import { Check, Clock, Undo2 } from 'lucide-react'
import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { OwnPayouts, Payout } from '../../payments/payouts/payouts.contract.ts'
import { Badge } from '../../ui/Badge.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'

export const PayoutList = ({ payouts: { payouts } }: { payouts: OwnPayouts }) => (
  <section className="section" aria-labelledby="payouts">
    <h2 id="payouts">Payouts</h2>
    {payouts.length === 0 ? (
      <div className="card">
        <EmptyState scene="receipt" title="No payouts yet">
          Your first one shows up here.
        </EmptyState>
      </div>
    ) : (
      <ul className="list">
        {payouts.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} />
        ))}
      </ul>
    )}
  </section>
)

const BADGES = {
  requested: ['pending', Clock, 'Waiting'],
  approved: ['pending', Clock, 'Approved'],
  processing: ['pending', Clock, 'On its way'],
  sent: ['active', Check, 'Paid'],
  failed: ['failed', Undo2, 'Failed'],
  returned: ['failed', Undo2, 'Came back'],
} as const

function PayoutRow({ payout: { amount, state, to, why, createdAt, endedAt } }: { payout: Payout }) {
  const [look, Icon, name] = BADGES[state]
  return (
    <li className="list__row row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong>{formatDay(createdAt)}</strong>
        <small>{why ?? (endedAt && state === 'sent' ? `Sent on ${formatDay(endedAt)}` : 'Asked for')}</small>
        {to && <small>To your {to}</small>}
      </span>
      <span className="money">{usd(toCents(amount))}</span>
      <Badge look={look} icon={<Icon className="icon" aria-hidden />}>
        {name}
      </Badge>
    </li>
  )
}
