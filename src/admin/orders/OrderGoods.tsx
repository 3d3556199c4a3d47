import { toCents } from '../../kit/money.ts'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Link } from '../../ui/Link.tsx'
import type { FiledLine, OrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'
import { describeDelivery } from './orderWords.rules.ts'

export const OrderGoods = ({ lines, total, credit }: Pick<OrderFile, 'lines' | 'total' | 'credit'>) => (
  <OrderPart title="Goods">
    <ul className="list">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
      <Sum name="Total" sum={total} />
      {toCents(credit) > 0 && <Sum name="Paid with store credit" sum={credit} />}
    </ul>
  </OrderPart>
)

const Sum = ({ name, sum }: { name: string; sum: string }) => (
  <li className="list__row row--between">
    <span className="muted">{name}</span>
    <strong className="money">{usd(toCents(sum))}</strong>
  </li>
)

function Line({ line }: { line: FiledLine }) {
  const { productId, title, quantity, price, seller } = line
  return (
    <li className="list__row row--top row--wrap">
      <span className="grow grow--column wrap-anywhere">
        <strong>
          <Link className="text-link" href={`/product/${productId}`}>
            {title}
          </Link>
          {quantity > 1 && ` × ${quantity}`}
        </strong>
        <small>Sold by {seller ?? 'a former member'}</small>
        <small>{describeDelivery(line, formatMoment).join(' · ')}</small>
      </span>
      <strong className="money">{usd(toCents(price) * quantity)}</strong>
    </li>
  )
}
