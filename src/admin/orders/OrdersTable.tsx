import { toCents } from '../../kit/money.ts'
import { formatDay, formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { shortId } from '../../orders/number.rules.ts'
import { methodLabel } from '../../payments/methods.ts'
import { Link } from '../../ui/Link.tsx'
import type { FoundOrder } from './adminOrders.contract.ts'
import { OrderState } from './OrderState.tsx'
import { titlesOf } from './orderWords.rules.ts'

const COLUMNS = [
  ['Order', 'orders__order'],
  ['Date', 'orders__date'],
  ['Buyer'],
  ['Seller', 'orders__seller'],
  ['Goods'],
  ['Total', 'orders__total'],
  ['Method', 'orders__method'],
  ['Status', 'orders__status'],
]

type OrdersTableProps = { orders: FoundOrder[]; from: string }

/** Orders in columns, for wide screens. The link of a row covers the row. */
export const OrdersTable = ({ orders, from }: OrdersTableProps) => (
  <div className="orders">
    <table>
      <caption className="sr">Orders</caption>
      <thead>
        <tr>
          {COLUMNS.map(([name, className]) => (
            <th key={name} scope="col" className={className}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow key={order.id} order={order} from={from} />
        ))}
      </tbody>
    </table>
  </div>
)

function OrderRow({ order, from }: { order: FoundOrder; from: string }) {
  const { id, buyer, sellers, total, paymentMethod, createdAt } = order
  return (
    <tr>
      <th scope="row">
        <Link href={`/admin/orders/${id}`} state={{ from }}>
          <span className="sr">Order </span>#<span className="mono">{shortId(id)}</span>
        </Link>
      </th>
      <td className="num">
        <time dateTime={createdAt} title={formatDay(createdAt)}>
          {formatMoment(createdAt)}
        </time>
      </td>
      <td>
        <span className="clamp-2 wrap-anywhere">{buyer ?? 'Former member'}</span>
      </td>
      <td className="orders__seller">
        <span className="clamp-2 wrap-anywhere">{sellers.join(', ') || 'Former member'}</span>
      </td>
      <td>
        <span className="clamp-2 wrap-anywhere">{titlesOf(order)}</span>
      </td>
      <td className="orders__total">
        <strong className="money">{usd(toCents(total))}</strong>
      </td>
      <td className="orders__method">{paymentMethod ? methodLabel(paymentMethod) : 'N/A'}</td>
      <td>
        <span className="orders__states">
          <OrderState order={order} />
        </span>
      </td>
    </tr>
  )
}
