import { Copy, Printer } from 'lucide-react'
import { toCents } from '../kit/money.ts'
import { formatClock, formatDay, formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { shortId } from '../orders/number.rules.ts'
import { copyText } from '../ui/copy.client.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Pair } from '../ui/Pair.tsx'
import { isPaid } from './order.rules.ts'
import type { Order } from './orders.contract.ts'
import { receiptRows } from './receipt.rules.ts'
import { type Step, timelineOf } from './timeline.rules.ts'

const PrintedReceipt = lazyPart(() => import('./PrintedReceipt.tsx'), 'PrintedReceipt')
const BuyAgain = lazyPart(() => import('./again/BuyAgain.tsx'), 'BuyAgain')
const Invoices = lazyPart(() => import('./invoices/Invoices.tsx'), 'Invoices')

/** What a receipt holds: the number, the steps and the sums. */
export function ReceiptBody({ order }: { order: Order }) {
  const hasReceipt = isPaid(order)
  return (
    <>
      <div className="row row--nowrap row--top row--between">
        <p className="muted small">
          Order #<span className="mono">{shortId(order.id)}</span>
        </p>
        <span className="receipt__tools">
          <IconButton
            label="Copy order number"
            icon={<Copy className="icon" aria-hidden />}
            onClick={() => void copyText(order.id, 'The order number')}
          />
          {hasReceipt && (
            <IconButton
              label="Print receipt"
              icon={<Printer className="icon" aria-hidden />}
              onClick={() => window.print()}
            />
          )}
        </span>
      </div>
      {hasReceipt && (
        <div className="receipt__paper">
          <PrintedReceipt order={order} />
        </div>
      )}
      <OrderTimeline order={order} />
      <dl className="receipt">
        {receiptRows(order).map(({ name, text, isTotal }, i) => (
          <Pair key={i} name={name} value={text} {...(isTotal && name === 'Total' && { className: 'total' })} />
        ))}
      </dl>
      <div className="receipt__next row gap-2">
        {hasReceipt && toCents(order.total) > 0 && <Invoices orderId={order.id} />}
        <BuyAgain order={order} />
      </div>
    </>
  )
}

const OrderTimeline = ({ order }: { order: Order }) => (
  <ol className="timeline">
    {timelineOf(order).map(({ name, at, isDone, isNow, cents }, i, steps) => (
      <li key={name + at} className={isDone ? '' : 'is-next'}>
        {name}
        {cents !== undefined && ` ${usd(cents)}`}
        {at ? (
          <small>
            <time dateTime={at}>{formatAfter(at, steps[i - 1])}</time>
          </small>
        ) : (
          <small>{isNow ? 'now' : isDone ? '' : 'to come'}</small>
        )}
      </li>
    ))}
  </ol>
)

/** Omits the date if the previous step was on the same day. */
function formatAfter(at: string, before: Step | undefined): string {
  const isSameDay = before?.at && formatDay(before.at) === formatDay(at)
  return isSameDay ? formatClock(Date.parse(at)) : formatMoment(at)
}
