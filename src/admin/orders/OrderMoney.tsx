import { Check, Clock, X } from 'lucide-react'
import { describeRefusal } from '../../checkout/refunds/refund.rules.ts'
import { methodLabel } from '../../payments/methods.ts'
import { toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { FiledPayment, FiledRefund, OrderFile } from './adminOrders.contract.ts'
import { OrderPart, Pairs } from './OrderPart.tsx'
import { PAYMENT_WORDS } from './orderWords.rules.ts'

const mono = (id: string) => <span className="mono">{id}</span>

/** The payments with the provider's ids, and the bonus of a first purchase. */
export const OrderPayments = ({ payments, bonus }: Pick<OrderFile, 'payments' | 'bonus'>) => (
  <OrderPart title="Payments">
    {payments.length === 0 && <p className="card muted">No payment was begun.</p>}
    {payments.map((payment) => (
      <Payment key={payment.id} payment={payment} />
    ))}
    {bonus && (
      <div className="card card--pairs">
        <Pairs
          pairs={[
            ['First-purchase bonus', usd(toCents(bonus.earned))],
            toCents(bonus.takenBack) > 0 && ['Taken back', usd(toCents(bonus.takenBack))],
          ]}
        />
      </div>
    )}
  </OrderPart>
)

const Payment = ({ payment }: { payment: FiledPayment }) => (
  <article
    className="card card--pairs"
    aria-label={`${methodLabel(payment.provider)}, ${PAYMENT_WORDS[payment.status]}`}
  >
    <Pairs
      pairs={[
        [
          `${methodLabel(payment.provider)}${payment.mode === 'sandbox' ? ', sandbox' : ''}`,
          usd(toCents(payment.amount)),
        ],
        ['State', `${PAYMENT_WORDS[payment.status]}, ${formatMoment(payment.changedAt)}`],
        payment.captureId !== null && ['Capture', mono(payment.captureId)],
        payment.providerOrderId !== null && ['Order at the provider', mono(payment.providerOrderId)],
        payment.declines > 0 && ['Declines', payment.declines],
        payment.lastError !== null && ['Last word', payment.lastError],
      ]}
    />
  </article>
)

const LOOKS = { requested: 'pending', completed: 'completed', failed: 'failed' } as const
const WORDS = { requested: 'Being made', completed: 'Made', failed: 'Refused' } as const
const ICONS = { requested: Clock, completed: Check, failed: X } as const

/** The refunds: status, author and reason. */
export const OrderRefunds = ({ refunds }: Pick<OrderFile, 'refunds'>) => (
  <OrderPart title="Refunds">
    {refunds.length === 0 ? (
      <p className="card muted">Nothing was given back.</p>
    ) : (
      <ul className="list" aria-live="polite">
        {refunds.map((refund) => (
          <Refund key={refund.id} refund={refund} />
        ))}
      </ul>
    )}
  </OrderPart>
)

function Refund({
  refund: { status, amount, reason, askedBy, refusal, providerRefundId, changedAt },
}: {
  refund: FiledRefund
}) {
  const Icon = ICONS[status]
  return (
    <li className="list__row row--top row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong className="money">{usd(toCents(amount))}</strong>
        <small>{reason}</small>
        <small>
          {askedBy && `By ${askedBy} · `}
          <time dateTime={changedAt}>{formatMoment(changedAt)}</time>
          {providerRefundId && <> · {mono(providerRefundId)}</>}
        </small>
        {status === 'failed' && <small>{describeRefusal(refusal)}</small>}
      </span>
      <Badge look={LOOKS[status]} icon={<Icon className="icon" aria-hidden />}>
        {WORDS[status]}
      </Badge>
    </li>
  )
}
