import { addToCart } from '../src/cart/cart.contract.ts'
import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { reconcilePayment } from '../src/checkout/reconcile.server.ts'
import type { Failure } from '../src/kit/failure.ts'
import { provider, type TestPayer } from './provider.ts'
import type { Person, TestShop } from './shop.ts'

export type Ending = 'delivered' | 'held' | 'confirm_needed' | 'refused' | 'declined'

type Try = {
  quantity?: number
  ip?: string
  country?: string
  payer?: TestPayer
  isDeclined?: boolean
}

/** Every person has a separate network by default. */
const homeOf = ({ id }: Person) => `93.${parseInt(id.slice(0, 2), 16)}.${parseInt(id.slice(2, 4), 16)}.10`

/** Buys as one member at one address, from cart to capture. Returns the outcome and the order, if there is one. */
export async function tryToBuy(
  shop: TestShop,
  buyer: Person,
  product: { id: string; price: string },
  { quantity = 1, ip = homeOf(buyer), country, payer, isDeclined }: Try = {},
): Promise<{ ending: Ending; orderId?: string; code?: string | undefined }> {
  const headers = { 'x-forwarded-for': ip, ...(country && { 'x-country': country }) }
  const amount = (Number(product.price) * quantity).toFixed(2)
  const items = [{ productId: product.id, quantity }]
  const terms = { amount, currency: 'USD', intent: 'capture', items } as const
  try {
    const { id, orderId } = await buyer.call(startPayment, terms, { headers })
    await provider(shop)[isDeclined ? 'decline' : 'approve'](id, payer)
    const { status, order } = await buyer.call(capturePayment, { id }, { headers })
    if (status === 'DECLINED') return { ending: order.status === 'pending' ? 'declined' : 'refused', orderId }
    return { ending: status === 'COMPLETED' ? 'delivered' : 'held', orderId }
  } catch (error) {
    const { status, code, details } = error as Failure
    if (status !== 409) throw error
    if (code === 'confirm_needed') return { ending: 'confirm_needed', orderId: String(details!.orderId), code }
    return { ending: 'refused', code }
  }
}

/** Does the work of the job of a decided hold: queries the provider again and settles. */
export async function settleHeld({ checkout, database: { db } }: TestShop, orderId: string) {
  const payment = await db.selectFrom('payments').select('id').where('orderId', '=', orderId).executeTakeFirstOrThrow()
  await reconcilePayment(checkout, payment.id)
  return payment.id
}

export const fillCart = (buyer: Person, productId: string, quantity: number) =>
  buyer.call(addToCart, { productId, quantity })

/** Makes an account `days` old. */
export async function age({ database: { pool } }: TestShop, { id }: Pick<Person, 'id'>, days: number) {
  await pool.query(`UPDATE users SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [id, days])
}
