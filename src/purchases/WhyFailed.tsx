import { useCart } from '../cart/useCart.ts'
import type { Order } from './orders.contract.ts'
import { whyFailed } from './whyFailed.rules.ts'

/** Why an order was not paid or was taken back. */
export function WhyFailed({ order }: { order: Order }) {
  const cart = useCart().items.map(({ productId }) => productId)
  return whyFailed(order, cart)
}
