import { Failure } from '../../kit/failure.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { findOrder } from '../../orders/orders.store.server.ts'
import { methodLabel } from '../../payments/methods.ts'
import type { Provider } from '../../payments/provider.ts'
import type { Checkout } from '../context.server.ts'
import type { Placing } from '../place.server.ts'

export const CODE_OF_CART = new Failure(400, 'discount: Enter codes for the cart in the cart.', 'invalid')

export type Proven = Placing & { isProven: boolean }

export const limits: Limit[] = [
  { per: 'account', count: 10, seconds: 60, isShared: true },
  { per: 'address', count: 40, seconds: 60, isShared: true },
]

export function keyOf(key: string): string {
  if (key.length < 1 || key.length > 255) throw new Failure(400, 'Idempotency-Key: give 1 to 255 characters.')
  return key
}

export async function findOwn({ db }: Checkout, userId: string, orderId: string, totalCents: number) {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  if (order.totalCents !== totalCents) throw new Failure(409, 'The order total has changed.', 'price_changed')
  return order
}

/** Returns the method. Throws a 409 Failure if the due amount is below its minimum. */
export function demandEnough(method: Provider, dueCents: number): Provider {
  const { name, leastCents = 1 } = method
  if (dueCents < leastCents)
    throw new Failure(
      409,
      `${methodLabel(name)} takes no less than ${usd(leastCents)}. Choose another way to pay.`,
      'too_small',
    )
  return method
}
