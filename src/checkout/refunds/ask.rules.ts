import type { OrderLine } from '../../orders/orders.contract.ts'

/** The buyer may ask for the money of this line. */
export const canReturn = ({ refundRequest, refunded, quantity, isFree }: OrderLine): boolean =>
  !isFree && (!refundRequest || refundRequest.state === 'granted') && refunded < quantity
