import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { runRefund } from '../src/aftersale/refunds/refund.server.ts'
import type { Order } from '../src/purchases/orders.contract.ts'
import { addToCart } from '../src/cart/cart.contract.ts'
import { provider } from './provider.ts'
import type { Person, TestShop } from './shop.ts'

/** Buys several products in one order, with `credit` and then money. Returns the order with lines as in `goods`. */
export async function buyMany(
  shop: TestShop,
  buyer: Person,
  goods: { product: { id: string; price: string }; quantity?: number }[],
  credit?: string,
): Promise<Order> {
  for (const { product, quantity = 1 } of goods) await buyer.call(addToCart, { productId: product.id, quantity })
  const cents = goods.reduce(
    (sum, { product, quantity = 1 }) => sum + Math.round(Number(product.price) * 100) * quantity,
    0,
  )
  const terms = { amount: (cents / 100).toFixed(2), currency: 'USD', intent: 'capture' } as const
  const { id } = await buyer.call(startPayment, { ...terms, ...(credit && { credit }) })
  await provider(shop).approve(id)
  const { order } = await buyer.call(capturePayment, { id })
  return { ...order, lines: goods.map(({ product }) => order.lines.find(({ productId }) => productId === product.id)!) }
}

/** Does the work of the jobs of all requested refunds. A refund that must wait stays requested. */
export async function runRefunds({ checkout, database: { db } }: TestShop) {
  const rows = await db.selectFrom('refunds').select('id').where('status', '=', 'requested').execute()
  for (const { id } of rows) await runRefund(checkout, id).catch(() => undefined)
}
