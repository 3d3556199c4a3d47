import type { OrderLine } from '../../purchases/orders.contract.ts'

/** The buyer may ask for the money of this line. A granted request is repeated only for copies that the refund left. */
export const canReturn = ({ refundRequest, refunded, quantity, isFree }: OrderLine): boolean =>
  !isFree && (!refundRequest || (refundRequest.state === 'granted' && refunded > 0)) && refunded < quantity
