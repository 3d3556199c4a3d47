import { toCents } from '../../kit/money.ts'
import { formatDay } from '../../localisation/dates.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { Order } from '../../purchases/orders.contract.ts'

const DISPUTES = {
  open: 'You disputed the payment of this order at your payment provider, which decides. Until then we can’t open or refund it here.',
  won: 'Your payment provider decided the dispute of this order for us. Your goods open as before.',
  lost: 'Your payment provider decided the dispute of this order for you and returns',
} as const

export const DisputeNotice = ({ dispute: { state, amount, at } }: { dispute: NonNullable<Order['dispute']> }) => (
  <div className="ticket__part">
    <p className="small muted" role="status">
      {DISPUTES[state]}
      {state === 'lost' && ` ${usd(toCents(amount))}, since ${formatDay(at)}.`}
    </p>
  </div>
)
