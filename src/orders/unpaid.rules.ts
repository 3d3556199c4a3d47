import { minutesLeft } from './order.rules.ts'
import type { Order } from './orders.contract.ts'

/** Pending orders that their buyer can still pay, without those under review. */
export const unpaidOf = (orders: Order[], now: number): Order[] =>
  orders.filter(
    ({ status, hold, expiresAt }) => status === 'pending' && hold?.kind !== 'hold' && minutesLeft(expiresAt, now) !== 0,
  )
