import { Check, Clock, X } from 'lucide-react'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import { describeRefusal } from '../../aftersale/refunds/refusal.rules.ts'
import { toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import type { FiledRefund, OrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'
import { describeRefunder } from './orderWords.rules.ts'

const nameOfLine = ({ title, copies }: FiledRefund['lines'][number]) => isolateRtl(`${copies} × ${title}`)

const LOOKS = { requested: 'pending', completed: 'completed', failed: 'failed' } as const
const WORDS = { requested: 'Being made', completed: 'Made', failed: 'Refused' } as const
const ICONS = { requested: Clock, completed: Check, failed: X } as const

const ReclaimCredit = lazyPart(() => import('./ReclaimCredit.tsx'), 'ReclaimCredit')
const SettleRefund = lazyPart(() => import('./SettleRefund.tsx'), 'SettleRefund')

type OrderRefundsProps = Pick<OrderFile, 'refunds'> & { refresh: () => Promise<unknown> }

export const OrderRefunds = ({ refunds, refresh }: OrderRefundsProps) => (
  <OrderPart title="Refunds">
    {refunds.length === 0 ? (
      <p className="card muted">No refunds yet.</p>
    ) : (
      <ul className="list" aria-live="polite">
        {refunds.map((refund) => (
          <Refund key={refund.id} refund={refund} refresh={refresh} />
        ))}
      </ul>
    )}
  </OrderPart>
)

function Refund({ refund, refresh }: { refund: FiledRefund; refresh: () => Promise<unknown> }) {
  const { status, amount, credit, reason, lines, refusal, providerRefundId, changedAt } = refund
  const by = describeRefunder(refund)
  const Icon = ICONS[status]
  return (
    <li className="list__row row--top row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong className="money">{usd(toCents(amount) + (lines.length > 0 ? toCents(credit) : 0))}</strong>
        <small>{reason}</small>
        {lines.length > 0 && <small>{lines.map(nameOfLine).join(', ')}</small>}
        <small>
          {by && `${by} · `}
          <time dateTime={changedAt}>{formatMoment(changedAt)}</time>
          {providerRefundId && (
            <>
              {' '}
              · <span className="mono">{providerRefundId}</span>
            </>
          )}
        </small>
        {status === 'failed' && <small>{describeRefusal(refusal)}</small>}
        {refund.bouncedAt && (
          <small>The buyer’s bank returned it {formatMoment(refund.bouncedAt)}. The mail says what became of it.</small>
        )}
        {toCents(refund.reclaimed) > 0 && (
          <small>{usd(toCents(refund.reclaimed))} of the credit was taken back, because it was paid by hand.</small>
        )}
        {refund.canReclaim && <ReclaimCredit refund={refund} refresh={refresh} />}
        {refund.canSettle && <SettleRefund refund={refund} refresh={refresh} />}
      </span>
      <Badge look={LOOKS[status]} icon={<Icon className="icon" aria-hidden />}>
        {WORDS[status]}
      </Badge>
    </li>
  )
}
