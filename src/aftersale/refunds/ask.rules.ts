import { isFrozen } from '../../purchases/order.rules.ts'
import type { Order, OrderLine } from '../../purchases/orders.contract.ts'

/** Returns true if the buyer can request a refund of the line, again for copies that a granted request left. */
export const canReturn = ({ refundRequest, refunded, quantity, isFree }: OrderLine): boolean =>
  !isFree && (!refundRequest || (refundRequest.state === 'granted' && refunded > 0)) && refunded < quantity

export const canAskRefund = (order: Pick<Order, 'status' | 'dispute' | 'lines'>): boolean =>
  order.status === 'completed' && !isFrozen(order) && order.lines.some(canReturn)
