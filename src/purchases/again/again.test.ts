import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { addToCart, clearCart, getCart, MAX_CART_LINES } from '../../cart/cart.contract.ts'
import { refundOrder } from '../../aftersale/refunds/refund.server.ts'
import { buyAgain } from './again.contract.ts'
import { canBuyAgain, describeAgain } from './again.rules.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' })
const db = () => open.shop.database.db
const codesOf = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

test('adds products that are still for sale to the cart once and reports missing and owned ones', async () => {
  const buyer = await open.shop.join()
  const card = await addProduct(open.shop, { title: 'Card', codes: codesOf(4) })
  const gone = await addProduct(open.shop, { title: 'Gone', codes: codesOf(4) })
  const book = await addProduct(open.shop, { title: 'Book' })
  const order = await buyMany(open.shop, buyer, [{ product: card, quantity: 2 }, { product: gone }, { product: book }])
  await db().updateTable('products').set({ isActive: false }).where('id', '=', gone.id).execute()
  await db().updateTable('products').set({ priceCents: 1200 }).where('id', '=', card.id).execute()
  const again = () => buyer.call(buyAgain, { id: order.id })
  const done = { added: 1, gone: ['Gone'], owned: ['Book'] }
  expect(await Promise.all([again(), again()])).toEqual([done, done])
  expect(await buyer.call(getCart, {})).toMatchObject([
    { productId: card.id, quantity: 2, product: { price: '12.00' } },
  ])
  expect(canBuyAgain(order)).toBe(true)
  await expect((await open.shop.join()).call(buyAgain, { id: order.id })).rejects.toMatchObject({ status: 404 })

  // the buyer can buy a refunded book again
  await buyer.call(clearCart, {})
  await refundOrder(open.shop.checkout, order.id, 'asked for')
  await runRefunds(open.shop)
  expect(await again()).toEqual({ added: 2, gone: ['Gone'], owned: [] })

  await buyer.call(clearCart, {})
  const fill = await addProduct(open.shop, { title: 'Other' })
  await buyer.call(addToCart, { productId: fill.id, quantity: 1 })
  const { seller_id: sellerId } = (
    await open.shop.database.pool.query<{ seller_id: string }>(
      `INSERT INTO products (seller_id, category_id, title, description, price_cents, delivery)
       SELECT seller_id, category_id, 'Filler ' || n, '', 100, 'file' FROM products, generate_series(2, $2::int) n WHERE id = $1 RETURNING seller_id`,
      [fill.id, MAX_CART_LINES],
    )
  ).rows[0]!
  await open.shop.database.pool.query(
    `INSERT INTO cart_items (user_id, product_id, quantity, price_cents) SELECT $1, id, 1, 100 FROM products WHERE seller_id = $2 AND title LIKE 'Filler %'`,
    [buyer.id, sellerId],
  )
  await expect(again()).rejects.toMatchObject({ status: 409, code: 'cart_full' })
  expect(await buyer.call(getCart, {})).toHaveLength(MAX_CART_LINES)
})

test.each([
  [{ added: 2, gone: [], owned: [] }, '2 products are in your cart.'],
  [{ added: 1, gone: ['A', 'B'], owned: [] }, '1 product is in your cart. No longer for sale: “A”, “B”.'],
  [{ added: 0, gone: [], owned: ['C'] }, 'You have “C” already.'],
])('describes the result %j in sentences', (done, text) => expect(describeAgain(done)).toBe(text))
