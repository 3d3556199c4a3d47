import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { balanceOf, give, wrongBooks } from '../../test/credit.ts'
import { addFile, addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { fillCart } from '../../test/riskShop.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { captureElsewhere, METHOD } from '../../test/payment.ts'
import { eraseDueAccounts } from '../account/data/erase.server.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { whyFailed } from '../purchases/whyFailed.rules.ts'
import { getOrder, listOrders } from '../purchases/orders.contract.ts'
import { findOrder } from '../orders/orders.store.server.ts'
import { cancelOrder, cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { reconcile, reconcilePayment } from './reconcile.server.ts'
import { settle } from './settle.server.ts'
import { findPaymentByProviderOrder } from '../payments/payments.store.server.ts'

// Pending orders that their buyer cancels or continues.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const usd = { currency: 'USD', intent: 'capture' } as const

type Content = { quantity?: number; codes?: string[] }
/** Opens a payment window for a cart or a single product. */
async function started(source: 'cart' | 'product', { quantity = 1, codes }: Content = {}) {
  const product = await addProduct(open.shop, codes && { codes })
  const buyer = await open.shop.join()
  if (source === 'cart') await fillCart(buyer, product.id, quantity)
  const items = source === 'product' ? { items: [{ productId: product.id, quantity }] } : {}
  const terms = { amount: `${quantity * 10}.00`, ...usd, ...items }
  const press = () => buyer.call(startPayment, terms)
  return { product, buyer, press, terms, ...(await press()) }
}
const statusOf = async (buyer: Person, id: string) => (await buyer.call(getOrder, { id })).status
const capturesOf = async (providerOrderId: string) =>
  (await provider(open.shop).captures()).filter(({ orderId }) => orderId === providerOrderId)
const codeOf = (error: unknown) => (error as { code?: string }).code

test('cancels a pending order once and restores its cart and credit', async () => {
  const product = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 400)
  await fillCart(buyer, product.id, 2)
  const { id, orderId } = await buyer.call(startPayment, { amount: '20.00', credit: '4.00', ...usd })
  await provider(open.shop).approve(id)
  const order = await buyer.call(cancelOrder, { id: orderId })
  expect(order).toMatchObject({ status: 'failed', events: [{}, { code: 'canceled_by_buyer' }] })
  expect(
    whyFailed(
      order,
      order.lines.map(({ productId }) => productId),
    ),
  ).toBe('You canceled the order. Your items are back in your cart. Your store credit is back.')
  const answers = await Promise.all([1, 2, 3].map(() => buyer.call(cancelOrder, { id: orderId })))
  expect(answers.map(({ events }) => events.length)).toEqual([2, 2, 2])
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 2 }])
  expect(await balanceOf(buyer)).toBe('4.00')
  await expect(buyer.call(capturePayment, { id })).rejects.toMatchObject({ status: 409, code: 'order_closed' })
  await reconcile(open.shop.checkout, { idleSeconds: 0 })
  expect(await capturesOf(id)).toEqual([])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('restores the lines of a canceled order in their cart order', async () => {
  const products = await Promise.all(Array.from({ length: 5 }, () => addProduct(open.shop)))
  const buyer = await open.shop.join()
  for (const { id } of products) await fillCart(buyer, id, 1)
  const idsIn = async () => (await buyer.call(getCart, {})).map(({ productId }) => productId)
  const before = await idsIn()
  for (let round = 0; round < 2; round++) {
    const { orderId } = await buyer.call(startPayment, { amount: '50.00', ...usd })
    const { lines } = await buyer.call(cancelOrder, { id: orderId })
    expect(lines.map(({ productId }) => productId)).toEqual(before)
    expect(await idsIn()).toEqual(before)
  }
})

test('records the same reason for a closed payment window as for a cancellation', async () => {
  const { buyer, id } = await started('cart')
  const order = await buyer.call(cancelPayment, { id })
  expect(order).toMatchObject({ status: 'failed', events: [{}, { code: 'canceled_by_buyer' }] })
  expect(
    whyFailed(
      order,
      order.lines.map(({ productId }) => productId),
    ),
  ).toBe('You canceled the order. Your items are back in your cart.')
})

test('rejects the cancellation of another buyer’s, a paid or an unknown order', async () => {
  const { buyer, id, orderId } = await started('product')
  const other = await open.shop.join()
  await expect(other.call(cancelOrder, { id: orderId })).rejects.toMatchObject({ status: 404 })
  await expect(buyer.call(cancelOrder, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
  await expect(open.shop.call(cancelOrder, { id: orderId })).rejects.toMatchObject({ status: 401 })
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  await expect(buyer.call(cancelOrder, { id: orderId })).rejects.toMatchObject({ status: 409, code: 'order_closed' })
  expect(await statusOf(buyer, orderId)).toBe('completed')
})

test('rejects a cancellation during a capture, which then completes the order', async () => {
  const { buyer, id, orderId } = await started('cart')
  await provider(open.shop).approve(id)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  expect((await buyer.call(capturePayment, { id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const refusal = { status: 409, code: 'payment_under_way' }
  await expect(buyer.call(cancelOrder, { id: orderId })).rejects.toMatchObject(refusal)
  // also after the lease expired
  await sql`UPDATE payments SET lease_until = now() - interval '1 hour' WHERE order_id = ${orderId}::uuid`.execute(
    open.shop.database.db,
  )
  await expect(buyer.call(cancelOrder, { id: orderId })).rejects.toMatchObject(refusal)
  const { checkout } = open.shop
  const payment = (await findPaymentByProviderOrder(checkout.db, 'paypal', id))!
  const [, ended] = await Promise.allSettled([
    reconcilePayment(checkout, payment.id),
    buyer.call(cancelOrder, { id: orderId }),
  ])
  expect(ended.status).toBe('rejected')
  expect(await statusOf(buyer, orderId)).toBe('completed')
})

test('either cancels or captures when both requests arrive at once', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const { buyer, id, orderId } = await started(n % 2 ? 'cart' : 'product', { codes: [crypto.randomUUID()] })
      await provider(open.shop).approve(id)
      const capture = () => buyer.call(capturePayment, { id })
      const cancel = () => buyer.call(cancelOrder, { id: orderId })
      const [first, second] = n % 3 ? [capture, cancel] : [cancel, capture]
      const settled = await Promise.allSettled<unknown>([first(), second()])
      for (const one of settled)
        if (one.status === 'rejected') expect(['order_closed', 'payment_under_way']).toContain(codeOf(one.reason))
      const status = await statusOf(buyer, orderId)
      expect(await capturesOf(id)).toHaveLength(status === 'completed' ? 1 : 0)
      const cart = await buyer.call(getCart, {})
      expect(cart).toHaveLength(status === 'failed' && n % 2 ? 1 : 0)
      return status
    }),
  )
  expect(new Set(outcomes).difference(new Set(['completed', 'failed']))).toEqual(new Set())
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('completes a canceled order after a late capture, or refunds it if the codes are sold out', async () => {
  const { checkout, database } = open.shop
  for (const isLeft of [true, false]) {
    const { product, buyer, id, orderId } = await started('product', { codes: ['A-CODE'] })
    await provider(open.shop).approve(id)
    await buyer.call(cancelOrder, { id: orderId })
    if (!isLeft) await sql`UPDATE codes SET state = 'void' WHERE product_id = ${product.id}::uuid`.execute(database.db)
    const payment = (await findPaymentByProviderOrder(checkout.db, 'paypal', id))!
    await settle(checkout, payment.id, orderId, await captureElsewhere(open.shop, id, payment.id))
    expect(await statusOf(buyer, orderId)).toBe(isLeft ? 'completed' : 'failed')
    const asked = await database.db
      .selectFrom('refunds')
      .select('amountCents')
      .where('paymentId', '=', payment.id)
      .execute()
    expect(asked).toEqual(isLeft ? [] : [{ amountCents: 1000 }])
  }
})

test('removes only the delivered lines from the cart after a late capture', async () => {
  const { buyer, id, orderId } = await started('cart')
  await provider(open.shop).approve(id)
  await buyer.call(cancelOrder, { id: orderId })
  const [returned] = await buyer.call(getCart, {})
  const other = await addProduct(open.shop)
  for (const productId of [returned!.productId, other.id]) await buyer.call(addToCart, { productId, quantity: 1 })
  const { checkout } = open.shop
  const payment = (await findPaymentByProviderOrder(checkout.db, 'paypal', id))!
  await settle(checkout, payment.id, orderId, await captureElsewhere(open.shop, id, payment.id))
  expect(await statusOf(buyer, orderId)).toBe('completed')
  const cart = await buyer.call(getCart, {})
  expect(cart.map(({ productId, quantity }) => [productId, quantity]).toSorted()).toEqual(
    [
      [returned!.productId, 1],
      [other.id, 1],
    ].toSorted(),
  )
})

test('mails no receipt to a buyer who is erased before a late capture', async () => {
  const { checkout, database } = open.shop
  const { buyer, id, orderId } = await started('product')
  await provider(open.shop).approve(id)
  await buyer.call(cancelOrder, { id: orderId })
  await database.pool.query(`UPDATE users SET erase_at = now() - interval '1 hour' WHERE id = $1`, [buyer.id])
  await eraseDueAccounts(database.db)
  const payment = (await findPaymentByProviderOrder(checkout.db, 'paypal', id))!
  await settle(checkout, payment.id, orderId, await captureElsewhere(open.shop, id, payment.id))
  const { status } = (await findOrder(database.db, orderId))!
  const mails = await database.db.selectFrom('mails').select('key').where('key', 'like', `%${orderId}`).execute()
  expect({ status, mails }).toEqual({ status: 'completed', mails: [] })
})

test('reuses the pending order and payment on a second Buy Now', async () => {
  const { buyer, press, id, orderId } = await started('product', { quantity: 2 })
  const reused = { id, orderId, next: { kind: 'window' } }
  expect(await press()).toEqual(reused)
  expect(await Promise.all([press(), press(), press()])).toEqual(Array(3).fill(reused))
  expect(await buyer.call(listOrders, {})).toHaveLength(1)
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
  // the paid order is complete; the next press places another
  expect((await press()).orderId).not.toBe(orderId)
})

test('places one order for two concurrent Buy Now presses', async () => {
  const product = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const items = [{ productId: product.id, quantity: 1 }]
  const pressed = await Promise.all([1, 2, 3].map(() => buyer.call(startPayment, { amount: '10.00', ...usd, items })))
  expect(new Set(pressed.map(({ orderId }) => orderId)).size).toBe(1)
})

test('reuses the order with Buy Now after a decline', async () => {
  const { buyer, press, id, orderId } = await started('product')
  await provider(open.shop).decline(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('DECLINED')
  expect(await press()).toEqual({ id, orderId, next: { kind: 'window' } })
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
})

/** Replaces the broken file of a product. */
async function replaceFile(productId: string) {
  const { storage, database, join } = open.shop
  const bytes = Buffer.from('the mended edition')
  const sha256 = hash('sha256', bytes)
  await addFile({ db: database.db, storage }, { productId, userId: (await join()).id, bytes, sha256 })
}

test.each<[string, (bought: Awaited<ReturnType<typeof started>>) => Promise<unknown>, object?]>([
  ['another quantity', async () => undefined, { quantity: 3, amount: '30.00' }],
  [
    'another price',
    ({ product }) =>
      sql`UPDATE products SET price_cents = 1200 WHERE id = ${product.id}::uuid`.execute(open.shop.database.db),
    { amount: '12.00' },
  ],
  ['a file that was replaced meanwhile', ({ product }) => replaceFile(product.id)],
  [
    'another title',
    ({ product }) =>
      sql`UPDATE products SET title = 'Another book' WHERE id = ${product.id}::uuid`.execute(open.shop.database.db),
  ],
  [
    'what is delivered in another way',
    ({ product }) =>
      sql`UPDATE products SET delivery = 'code', file_id = NULL WHERE id = ${product.id}::uuid`.execute(
        open.shop.database.db,
      ),
  ],
  ['a part of store credit', ({ buyer }) => give(open.shop, buyer, 400), { credit: '4.00' }],
  ['an order that was canceled', ({ buyer, id }) => buyer.call(cancelPayment, { id })],
  [
    'an order that is nearly out of time',
    ({ orderId }) =>
      sql`UPDATE orders SET expires_at = now() + interval '4 minutes' WHERE id = ${orderId}::uuid`.execute(
        open.shop.database.db,
      ),
  ],
  [
    'an order whose payment is under way',
    ({ orderId }) =>
      sql`UPDATE payments SET status = 'capturing' WHERE order_id = ${orderId}::uuid`.execute(open.shop.database.db),
  ],
])('places another order with Buy Now after %s', async (_, change, given = {}) => {
  const bought = await started('product')
  await change(bought)
  const { quantity = 1, ...terms } = given as { quantity?: number }
  const items = [{ productId: bought.product.id, quantity }]
  const next = await bought.buyer.call(startPayment, { ...bought.terms, ...terms, items })
  expect(next.orderId).not.toBe(bought.orderId)
})

test('never reuses an order of a cart or of another buyer', async () => {
  const { product, buyer, orderId } = await started('cart')
  const items = [{ productId: product.id, quantity: 1 }]
  const mine = await buyer.call(startPayment, { amount: '10.00', ...usd, items })
  const other = await open.shop.join()
  const theirs = await other.call(startPayment, { amount: '10.00', ...usd, items })
  expect(new Set([orderId, mine.orderId, theirs.orderId]).size).toBe(3)
  // Quick Buy places a separate order, because it may charge a wallet
  const quick = await buyer.call(placeOrder, {
    items: [{ ...items[0]!, price: '10.00' }],
    total: '10.00',
    paymentMethod: METHOD,
    paymentId: crypto.randomUUID(),
    source: 'product',
  })
  expect(quick.id).not.toBe(mine.orderId)
})
