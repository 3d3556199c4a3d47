import { Clock } from 'lucide-react'
import { toCents } from '../kit/money.ts'
import { useNow } from '../kit/useNow.ts'
import { usd } from '../localisation/usd.rules.ts'
import { minutesLeft, unpaidOf } from './order.rules.ts'
import { shortId } from '../orders/number.rules.ts'
import type { Order } from './orders.contract.ts'
import { useWaitingOrders } from './useOrders.ts'
import { LinkButton } from '../ui/Link.tsx'

export function WaitingOrder() {
  const { items: orders } = useWaitingOrders()
  const now = useNow(15_000)
  const waiting = unpaidOf(orders, now)
  const [order] = waiting
  if (!order) return null
  const isOne = waiting.length === 1
  return (
    <section className="card row" aria-label="Waiting for payment">
      <span className="order__icon order__icon--pending" aria-hidden>
        <Clock className="icon" />
      </span>
      <div className="grow grow--column wrap-anywhere">
        <strong role="status">
          {isOne ? 'You have an order waiting for payment' : `You have ${waiting.length} orders waiting for payment`}
        </strong>
        {isOne && <p className="muted small num">{describe(order, now)}</p>}
      </div>
      <LinkButton tone="soft" href={isOne ? `/orders/${order.id}` : '/orders'}>
        {isOne ? (order.hold ? 'View order' : 'Finish payment') : 'View orders'}
      </LinkButton>
    </section>
  )
}

const describe = ({ id, total, credit, expiresAt }: Order, now: number) =>
  [
    `Order #${shortId(id)}`,
    usd(toCents(total) - toCents(credit)),
    ...(expiresAt ? [`Pay within ${minutesLeft(expiresAt, now)} min.`] : []),
  ].join(' · ')
