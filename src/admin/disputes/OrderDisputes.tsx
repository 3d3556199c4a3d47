import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { Link } from '../../ui/Link.tsx'
import type { OrderFile } from '../orders/adminOrders.contract.ts'
import { OrderPart } from '../orders/OrderPart.tsx'
import { DisputeState } from './DisputeState.tsx'

export const OrderDisputes = ({ disputes }: Pick<OrderFile, 'disputes'>) => (
  <OrderPart title="Disputes">
    <ul className="list">
      {disputes.map((dispute) => (
        <li key={dispute.id}>
          <Link className="list__row row--wrap" href={`/admin/disputes/${dispute.id}`}>
            <span className="grow grow--column">
              <strong className="money">{usd(toCents(dispute.amount))}</strong>
              <small>Opened {formatDay(dispute.openedAt)}</small>
            </span>
            <DisputeState dispute={{ ...dispute, sentAt: null, dueAt: null, missingSince: null }} />
          </Link>
        </li>
      ))}
    </ul>
  </OrderPart>
)
