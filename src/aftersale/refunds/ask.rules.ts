import { isFrozen } from '../../purchases/order.rules.ts'
import type { Order, OrderLine } from '../../purchases/orders.contract.ts'

/** The buyer may ask for the money of this line. A granted request is repeated only for copies that the refund left. */
export const canReturn = ({ refundRequest, refunded, quantity, isFree }: OrderLine): boolean =>
  !isFree && (!refundRequest || (refundRequest.state === 'granted' && refunded > 0)) && refunded < quantity

export const canAskRefund = (order: Pick<Order, 'status' | 'dispute' | 'lines'>): boolean =>
  order.status === 'completed' && !isFrozen(order) && order.lines.some(canReturn)
