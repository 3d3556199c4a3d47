import { capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import type { Order } from '../src/purchases/orders.contract.ts'
import { provider } from './provider.ts'
import type { Person, TestShop } from './shop.ts'

/** Buys one copy of a product through the payment sandbox. Returns the completed order. */
export async function buy(shop: TestShop, buyer: Person, product: { id: string; price: string }): Promise<Order> {
  const items = [{ productId: product.id, quantity: 1 }]
  const { id } = await buyer.call(startPayment, { amount: product.price, currency: 'USD', intent: 'capture', items })
  await provider(shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}
