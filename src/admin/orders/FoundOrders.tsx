import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/order.rules.ts'
import { PartRefundBadge, StatusBadge } from '../../orders/StatusBadge.tsx'
import { Link } from '../../ui/Link.tsx'
import type { FoundOrder } from './adminOrders.contract.ts'
import { titlesOf } from './orderWords.rules.ts'

/** Search results; `from` is the URL that an opened order leads back to. */
export const FoundOrders = ({ orders, from }: { orders: FoundOrder[]; from: string }) => (
  <ul className="list" aria-label="Orders">
    {orders.map(({ id, buyer, total, refunded, status, createdAt, ...bought }) => (
      <li key={id}>
        <Link className="list__row row--top row--wrap" href={`/admin/orders/${id}`} state={{ from }}>
          <span className="grow grow--column wrap-anywhere">
            <strong>{titlesOf(bought)}</strong>
            <small>{buyer ?? 'Former member'}</small>
            <small>
              Order #<span className="mono">{shortId(id)}</span> ·{' '}
              <time dateTime={createdAt} title={formatDay(createdAt)}>
                {formatMoment(createdAt)}
              </time>
            </small>
          </span>
          <span className="stack stack--end gap-1">
            <strong className="money">{usd(toCents(total))}</strong>
            <StatusBadge status={status} />
            <PartRefundBadge status={status} cents={toCents(refunded)} />
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
