import { methodLabel } from '../../payments/methods.ts'
import { toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { plural } from '../../localisation/plural.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Pair } from '../../ui/Pair.tsx'
import type { FiledPayment, OrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'
import { PAYMENT_WORDS } from './orderWords.rules.ts'

const mono = (id: string) => <span className="mono">{id}</span>

export const OrderPayments = ({ payments, bonus }: Pick<OrderFile, 'payments' | 'bonus'>) => (
  <OrderPart title="Payments">
    {payments.length === 0 && <p className="card muted">No payment was begun.</p>}
    {payments.filter(isShown).map((payment) => (
      <Payment key={payment.id} payment={payment} />
    ))}
    <Folded payments={payments.filter((payment) => !isShown(payment))} />
    {bonus && (
      <div className="card card--pairs">
        <dl className="pairs">
          <Pair name="First-purchase bonus" value={usd(toCents(bonus.earned))} />
          {toCents(bonus.takenBack) > 0 && <Pair name="Taken back" value={usd(toCents(bonus.takenBack))} />}
        </dl>
      </div>
    )}
  </OrderPart>
)

const isShown = ({ status, lastError }: FiledPayment) =>
  lastError !== null || (status !== 'canceled' && status !== 'expired')

const Folded = ({ payments }: { payments: FiledPayment[] }) =>
  payments.length > 0 && (
    <details className="panel card">
      <summary>{plural(payments.length, 'payment')} that the buyer did not finish</summary>
      <div className="panel__body stack">
        {payments.map((payment) => (
          <Payment key={payment.id} payment={payment} />
        ))}
      </div>
    </details>
  )

function Payment({ payment }: { payment: FiledPayment }) {
  const { provider, mode, status, amount, changedAt, captureId, providerOrderId, declines, lastError } = payment
  const [method, state] = [methodLabel(provider), PAYMENT_WORDS[status]]
  return (
    <article className="card card--pairs" aria-label={`${method}, ${state}`}>
      <dl className="pairs">
        <Pair name={mode === 'sandbox' ? `${method}, sandbox` : method} value={usd(toCents(amount))} />
        <Pair name="State" value={`${state}, ${formatMoment(changedAt)}`} />
        {captureId !== null && <Pair name="Capture" value={mono(captureId)} />}
        {providerOrderId !== null && <Pair name="Order at the provider" value={mono(providerOrderId)} />}
        {declines > 0 && <Pair name="Declines" value={declines} />}
        {lastError !== null && <Pair name="Last word" value={lastError} />}
      </dl>
    </article>
  )
}
