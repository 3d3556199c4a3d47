import { minutesLeft } from './order.rules.ts'
import type { Order } from './orders.contract.ts'

/** The orders that still wait for their payment; one that was paid and is looked at once more does not, nor one that is late. */
export const unpaidOf = (orders: Order[], now: number): Order[] =>
  orders.filter(
    ({ status, hold, expiresAt }) => status === 'pending' && hold?.kind !== 'hold' && minutesLeft(expiresAt, now) !== 0,
  )
