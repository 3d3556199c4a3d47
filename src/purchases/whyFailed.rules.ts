import { toCents } from '../kit/money.ts'
import { WHY_FAILED } from '../orders/reasons.rules.ts'
import { whyTakenBack } from './giftOrder.rules.ts'
import type { Order } from './orders.contract.ts'

type Ended = Pick<Order, 'status' | 'source' | 'credit' | 'events' | 'lines' | 'giver' | 'takenBack'>

/** Why an order was not paid or was taken back. Null for other orders. */
export function whyFailed(order: Ended, cart: string[]): string | null {
  const { status, source, credit, events, lines, giver, takenBack } = order
  if (takenBack) return whyTakenBack(giver ?? 'Someone', takenBack.isDisputed)
  if (status !== 'failed') return null
  const last = events.findLast((event) => event.status === 'failed')
  const why = WHY_FAILED[last?.code ?? 'other'] ?? 'The payment didn’t go through.'
  return [
    why,
    ...(source === 'cart' && lines.every(({ productId }) => cart.includes(productId))
      ? ['Your items are back in your cart.']
      : []),
    ...(toCents(credit) > 0 ? ['Your store credit is back.'] : []),
  ].join(' ')
}
