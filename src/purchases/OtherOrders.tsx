import { toCents } from '../kit/money.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { priceText } from '../localisation/usd.rules.ts'
import { shortId } from '../orders/number.rules.ts'
import { Link } from '../ui/Link.tsx'
import { shownStatus } from './order.rules.ts'
import type { Order } from './orders.contract.ts'
import { StatusIcon } from './StatusBadge.tsx'

const SHOWN = 2

/** The newest other orders, beside an order. */
export function OtherOrders({ orders }: { orders: Order[] }) {
  return (
    <section className="section order__others" aria-labelledby="other-orders">
      <div className="section__head">
        <h2 id="other-orders" className="text-18">
          Other orders
        </h2>
        <Link className="link" href="/orders">
          See all
        </Link>
      </div>
      <ul className="list">
        {orders.slice(0, SHOWN).map((order) => (
          <li key={order.id}>
            <Link className="list__row" href={`/orders/${order.id}`}>
              <StatusIcon status={shownStatus(order)} />
              <span className="grow">
                <strong className="text-14">
                  #<span className="mono">{shortId(order.id)}</span>
                </strong>
                <small>
                  {formatDay(order.createdAt)} · {shownStatus(order)}
                </small>
              </span>
              <span className="money">{priceText(toCents(order.total))}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
