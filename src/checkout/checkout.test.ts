import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { type Person, openShopForTests } from '../../test/shop.ts'
import { addToCart, getCart, setCartQuantity } from '../cart/cart.contract.ts'
import { getOrder, listOrders } from '../purchases/orders.contract.ts'
import { saveSandboxWallet } from '../../sandbox/paypal/wallets.server.ts'
import { saveWallet } from '../payments/wallets.store.server.ts'
import { listWallets } from '../payments/wallets.contract.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { getPaymentSetup } from '../payments/payments.contract.ts'
import { reconcile } from './reconcile.server.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { METHOD } from '../../test/payment.ts'

const open = openShopForTests()
const usd = { currency: 'USD', intent: 'capture' } as const

async function withCart(price = '10.00', quantity = 1, codes?: string[]) {
  const product = await addProduct(open.shop, { price, ...(codes && { codes }) })
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity })
  return { product, buyer }
}

async function stranger(productId: string) {
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId, quantity: 1 })
  return buyer
}

const start = (buyer: Person, amount: string, key?: string) =>
  buyer.call(startPayment, { amount, ...usd }, key ? { headers: { 'idempotency-key': key } } : {})

const quickBuy = (buyer: Person, productId: string, change: Record<string, unknown> = {}) =>
  buyer.call(placeOrder, {
    items: [{ productId, quantity: 1, price: '10.00' }],
    total: '10.00',
    paymentMethod: METHOD,
    paymentId: `${METHOD}_${crypto.randomUUID()}`,
    ...change,
  })

async function giveWallet(buyer: Person) {
  const wallet = await saveSandboxWallet(open.shop.database.db, { email: buyer.email })
  await saveWallet(open.shop.database.db, { userId: buyer.id, provider: METHOD, mode: 'sandbox', ...wallet })
}

const capturesOf = async (orderId: string) => {
  const { rows } = await sql<{ id: string }>`SELECT id FROM payments WHERE order_id = ${orderId}::uuid`.execute(
    open.shop.database.db,
  )
  const ids = new Set(rows.map(({ id }) => id))
  return (await provider(open.shop).captures()).filter(({ customId }) => ids.has(customId))
}

async function letLeasesRunOut() {
  await sql`UPDATE payments SET lease_until = now() - interval '1 second', updated_at = now() - interval '5 minutes'`.execute(
    open.shop.database.db,
  )
}
const reconcileNow = async () => {
  await letLeasesRunOut()
  await reconcile(open.shop.checkout)
}

test('completes the order, empties the cart and delivers after an approved payment', async () => {
  const { buyer } = await withCart('22.50', 2)
  const { id, orderId } = await start(buyer, '45.00')
  expect(await buyer.call(getCart, {})).toEqual([])
  await provider(open.shop).approve(id)
  const { status, order } = await buyer.call(capturePayment, { id })
  expect(status).toBe('COMPLETED')
  expect(order).toMatchObject({ id: orderId, status: 'completed', total: '45.00' })
  expect(order.lines[0]!.delivery).toMatchObject({ kind: 'file', fileName: 'book.txt' })
  expect(order.events.map((event) => event.status)).toEqual(['pending', 'completed'])
  expect(order.paymentId).toBe((await capturesOf(orderId))[0]!.id)
})

test('returns a client token to members only', async () => {
  const setup = await (await open.shop.join()).call(getPaymentSetup, {})
  expect(setup.clientToken.length).toBeGreaterThan(20)
  await expect(open.shop.call(getPaymentSetup, {})).rejects.toThrow('401: {"message":"Unauthorized"}')
})

test('charges only the wallet that Quick Buy showed', async () => {
  const { product, buyer } = await withCart()
  const seen = await quickBuy(await stranger(product.id), product.id, { walletId: null })
  expect(seen.status).toBe('pending')
  await giveWallet(buyer)
  const [wallet] = await buyer.call(listWallets, {})
  for (const walletId of [null, crypto.randomUUID()]) {
    const paid = quickBuy(buyer, product.id, { walletId })
    await expect(paid).rejects.toMatchObject({ status: 409, code: 'wallet_changed' })
  }
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  expect(await buyer.call(listOrders, {})).toEqual([])
  expect((await quickBuy(buyer, product.id, { walletId: wallet!.id })).status).toBe('completed')
})

test('rejects a repeated Quick Buy whose refusal got lost', async () => {
  const { product, buyer } = await withCart('10.00', 1, ['ONLY'])
  await giveWallet(buyer)
  const other = await stranger(product.id)
  await giveWallet(other)
  await quickBuy(other, product.id)
  const paymentId = `${METHOD}_${crypto.randomUUID()}`
  await expect(quickBuy(buyer, product.id, { paymentId })).rejects.toMatchObject({ code: 'out_of_stock' })
  await expect(quickBuy(buyer, product.id, { paymentId })).rejects.toMatchObject({ status: 409, code: 'order_failed' })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('compares the client’s price and total and never uses them', async () => {
  const { buyer, product } = await withCart('500.00')
  await expect(start(buyer, '0.01')).rejects.toMatchObject({
    status: 409,
    code: 'price_changed',
    details: { total: '500.00' },
  })
  const cheap = { items: [{ productId: product.id, quantity: 1, price: '0.01' }], total: '0.01' }
  await expect(quickBuy(buyer, product.id, cheap)).rejects.toMatchObject({ status: 409, code: 'price_changed' })
  await expect(quickBuy(buyer, product.id, { ...cheap, total: '500.00' })).rejects.toMatchObject({ status: 409 })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('rejects a stale price before money moves and keeps the cart', async () => {
  const { buyer, product } = await withCart('10.00')
  await sql`UPDATE products SET price_cents = 1100 WHERE id = ${product.id}::uuid`.execute(open.shop.database.db)
  await expect(start(buyer, '10.00')).rejects.toMatchObject({
    status: 409,
    code: 'price_changed',
    details: { total: '11.00' },
  })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('charges the order’s price after the product’s price changes', async () => {
  const { buyer, product } = await withCart('10.00')
  const { id } = await start(buyer, '10.00')
  await sql`UPDATE products SET price_cents = 99900 WHERE id = ${product.id}::uuid`.execute(open.shop.database.db)
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).order).toMatchObject({ status: 'completed', total: '10.00' })
})

test('excludes products added to the cart after the payment started', async () => {
  const { buyer, product } = await withCart('10.00')
  const { id } = await start(buyer, '10.00')
  const [line] = await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  await buyer.call(setCartQuantity, { id: line!.id, quantity: 99 })
  await provider(open.shop).approve(id)
  const { order } = await buyer.call(capturePayment, { id })
  expect(order).toMatchObject({ total: '10.00', lines: [{ quantity: 1 }] })
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 99 }])
})

test('rejects a forged paymentId', async () => {
  const { buyer: honest, product } = await withCart('10.00')
  const { id } = await start(honest, '10.00')
  await provider(open.shop).approve(id)
  const { order: paid } = await honest.call(capturePayment, { id })
  const thief = await open.shop.join()
  await thief.call(addToCart, { productId: product.id, quantity: 1 })
  const order = await quickBuy(thief, product.id, { paymentId: paid.paymentId! })
  expect(order.status).toBe('pending')
  expect(order.lines[0]!.delivery).toBeNull()
  expect(await capturesOf(order.id)).toEqual([])
  // the forged id is never shown as the reference of the payment, even if an older order contains it
  expect(order).toMatchObject({ paymentMethod: METHOD, paymentId: null })
  await open.shop.database.db
    .updateTable('orders')
    .set({ paymentId: paid.paymentId })
    .where('id', '=', order.id)
    .execute()
  expect(await thief.call(getOrder, { id: order.id })).toMatchObject({ paymentMethod: METHOD, paymentId: null })
})

test('hides an order from other members in every call', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).approve(id)
  const other = await open.shop.join()
  await expect(other.call(capturePayment, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(cancelPayment, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(getOrder, { id: orderId })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(startPayment, { amount: '10.00', ...usd, orderId })).rejects.toMatchObject({ status: 404 })
  expect(await other.call(listOrders, {})).toEqual([])
  expect(await capturesOf(orderId)).toEqual([])
})

test('captures the money once for twenty concurrent requests', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).approve(id)
  const answers = await Promise.all(Array.from({ length: 20 }, () => buyer.call(capturePayment, { id })))
  expect(answers.some(({ status }) => status === 'COMPLETED')).toBe(true)
  expect(answers.every(({ status }) => status === 'COMPLETED' || status === 'PENDING')).toBe(true)
  expect(await capturesOf(orderId)).toHaveLength(1)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
})

test('sells the last code once', async () => {
  const product = await addProduct(open.shop, { codes: ['ONLY-ONE'] })
  const buyers = await Promise.all(Array.from({ length: 8 }, () => open.shop.join()))
  const orders = await Promise.all(
    buyers.map(async (buyer) => {
      await buyer.call(addToCart, { productId: product.id, quantity: 1 })
      const started = await start(buyer, '10.00')
      await provider(open.shop).approve(started.id)
      return { buyer, ...started }
    }),
  )
  const outcomes = await Promise.allSettled(orders.map(({ buyer, id }) => buyer.call(capturePayment, { id })))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'out_of_stock' })
  const captures = await Promise.all(orders.map(({ orderId }) => capturesOf(orderId)))
  expect(captures.flat()).toHaveLength(1)
  const loser = orders[outcomes.findIndex(({ status }) => status === 'rejected')]!
  expect(await loser.buyer.call(getCart, {})).toHaveLength(1)
})

test('places one order for a repeated key', async () => {
  const { buyer } = await withCart('10.00')
  const answers = await Promise.all(Array.from({ length: 20 }, () => start(buyer, '10.00', 'one-key')))
  expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1)
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(await buyer.call(listOrders, {})).toHaveLength(1)
})

test('rejects a key with another request and separates the keys of two buyers', async () => {
  const { buyer, product } = await withCart('10.00')
  const first = await start(buyer, '10.00', 'shared-key')
  await buyer.call(addToCart, { productId: product.id, quantity: 2 })
  await expect(start(buyer, '20.00', 'shared-key')).rejects.toMatchObject({ status: 422, code: 'key_reused' })
  const { buyer: other } = await withCart('10.00')
  expect((await start(other, '10.00', 'shared-key')).orderId).not.toBe(first.orderId)
  await expect(start(other, '10.00', 'k'.repeat(256))).rejects.toMatchObject({ status: 400 })
})

test('buys the cart once on a double click with different keys', async () => {
  const { buyer } = await withCart('10.00')
  const outcomes = await Promise.all(Array.from({ length: 10 }, (_, i) => start(buyer, '10.00', `click-${i}`)))
  expect(new Set(outcomes.map(({ orderId }) => orderId)).size).toBe(1)
  expect(await buyer.call(listOrders, {})).toHaveLength(1)
})

test('refunds a captured amount that differs from the total and delivers nothing', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).approve(id)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['amount'] })
  await buyer.call(capturePayment, { id })
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const order = await buyer.call(getOrder, { id: orderId })
  expect(order.status).toBe('failed')
  expect(order.lines[0]!.delivery).toBeNull()
  const refund = await open.shop.database.db
    .selectFrom('refunds')
    .selectAll()
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  await runRefund(open.shop.checkout, refund.id)
  const [capture] = await capturesOf(orderId)
  expect(capture!.refunded).toBe(capture!.amount)
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('leaves the order open after a declined payment', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).decline(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('DECLINED')
  const again = await buyer.call(startPayment, { amount: '10.00', ...usd, orderId })
  expect(again.id).toBe(id)
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
})

test('does not capture an unapproved payment', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await expect(buyer.call(capturePayment, { id })).rejects.toMatchObject({ status: 409, code: 'not_approved' })
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).orderId).toBe(orderId)
})

test('restores the cart when the payment window is closed', async () => {
  const { buyer, product } = await withCart('10.00', 3)
  const { id } = await start(buyer, '30.00')
  await buyer.call(addToCart, { productId: product.id, quantity: 2 })
  expect((await buyer.call(cancelPayment, { id })).status).toBe('failed')
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 5 }])
  expect((await buyer.call(cancelPayment, { id })).status).toBe('failed')
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 5 }])
  await provider(open.shop).approve(id)
  await expect(buyer.call(capturePayment, { id })).rejects.toMatchObject({ status: 409, code: 'order_closed' })
})

test('fails an expired unpaid order and restores the cart', async () => {
  const { buyer } = await withCart('10.00')
  const { orderId } = await start(buyer, '10.00')
  await sql`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${orderId}::uuid`.execute(
    open.shop.database.db,
  )
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'failed', expiresAt: null })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('settles a capture with a lost reply in the reconciler', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).approve(id)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  expect((await buyer.call(capturePayment, { id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
  expect(await capturesOf(orderId)).toHaveLength(1)
})

test('captures an approved payment although the buyer never returned', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).approve(id)
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
})

test('leaves the cart unchanged while the provider is down', async () => {
  const { buyer } = await withCart('10.00')
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  await expect(start(buyer, '10.00')).rejects.toMatchObject({ status: 503 })
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  await start(buyer, '10.00')
})

test('completes Quick Buy with the saved wallet; without one the order waits for payment', async () => {
  const { buyer, product } = await withCart('10.00')
  await giveWallet(buyer)
  const paid = await quickBuy(buyer, product.id)
  expect(paid).toMatchObject({ status: 'completed', paymentMethod: METHOD })
  expect(await capturesOf(paid.id)).toHaveLength(1)
  const { buyer: poor, product: other } = await withCart('10.00')
  const waiting = await quickBuy(poor, other.id)
  expect(waiting.status).toBe('pending')
  expect(waiting.expiresAt).not.toBeNull()
  const { id } = await poor.call(startPayment, { amount: '10.00', ...usd, orderId: waiting.id })
  await provider(open.shop).approve(id)
  expect((await poor.call(capturePayment, { id })).status).toBe('COMPLETED')
})

test('finds a lost Quick Buy charge in the reconciler and does not charge twice', async () => {
  const { buyer, product } = await withCart('10.00')
  await giveWallet(buyer)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  const order = await quickBuy(buyer, product.id)
  expect(order.status).toBe('pending')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({ status: 'completed' })
  expect(await capturesOf(order.id)).toHaveLength(1)
})

test('never repeats a declined charge', async () => {
  const { buyer, product } = await withCart('10.00')
  await giveWallet(buyer)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['decline'] })
  const order = await quickBuy(buyer, product.id)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  for (let n = 0; n < 2; n++) await reconcileNow()
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({ status: 'pending' })
  expect(await capturesOf(order.id)).toEqual([])
})

test('does not settle a payment that the provider reports as captured without a capture', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', ...usd })
  await provider(open.shop).approve(id)
  const { db } = open.shop.database
  const setStatus = (status: string) =>
    sql`UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{status}', to_jsonb(${status}::text))::json
        WHERE kind = 'order' AND id = ${id}`.execute(db)
  await setStatus('COMPLETED')
  expect((await buyer.call(capturePayment, { id })).status).toBe('PENDING')
  const payment = db.selectFrom('payments').select('status').where('orderId', '=', orderId)
  expect(await payment.executeTakeFirstOrThrow()).toEqual({ status: 'capturing' })
  await setStatus('APPROVED')
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
})

test('settles an unanswered charge by an event with the payment’s id', async () => {
  const { buyer, product } = await withCart('10.00')
  await giveWallet(buyer)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  const order = await quickBuy(buyer, product.id)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const { db } = open.shop.database
  const { id } = await db.selectFrom('payments').select('id').where('orderId', '=', order.id).executeTakeFirstOrThrow()
  // the saved method no longer exists at the provider, so the repeated charge would be refused
  await sql`UPDATE wallets SET vault_id = 'gone-' || id WHERE user_id = ${buyer.id}::uuid`.execute(db)
  await sql`UPDATE sandbox.replays SET request_id = 'forgotten' || request_id WHERE request_id LIKE ${`%${id}%`}`.execute(
    db,
  )
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({ status: 'completed' })
  expect(await capturesOf(order.id)).toHaveLength(1)
})

test('looks up a charge after the provider’s deduplication period and never resends it', async () => {
  const { buyer, product } = await withCart('10.00')
  await giveWallet(buyer)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  const order = await quickBuy(buyer, product.id)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await sql`UPDATE payments SET created_at = now() - interval '7 hours' WHERE order_id = ${order.id}::uuid`.execute(
    open.shop.database.db,
  )
  await reconcileNow()
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({ status: 'completed' })
  expect(await capturesOf(order.id)).toHaveLength(1)
})

test('expires a charge that never reached the provider and lets the buyer pay again', async () => {
  const { buyer, product } = await withCart('10.00')
  await giveWallet(buyer)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  const order = await quickBuy(buyer, product.id)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await sql`UPDATE payments SET created_at = now() - interval '7 hours' WHERE order_id = ${order.id}::uuid`.execute(
    open.shop.database.db,
  )
  await reconcileNow()
  expect(await capturesOf(order.id)).toEqual([])
  const { id } = await buyer.call(startPayment, { amount: '10.00', ...usd, orderId: order.id })
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
})

test('buys the product with Buy Now and leaves the cart unchanged', async () => {
  const { buyer } = await withCart('10.00')
  const other = await addProduct(open.shop, { price: '7.00' })
  const { id } = await buyer.call(startPayment, {
    amount: '14.00',
    ...usd,
    items: [{ productId: other.id, quantity: 2 }],
  })
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).order.lines).toMatchObject([{ productId: other.id, quantity: 2 }])
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('rejects a cart with an unlisted product', async () => {
  const { buyer, product } = await withCart('10.00')
  await sql`UPDATE products SET is_active = false WHERE id = ${product.id}::uuid`.execute(open.shop.database.db)
  await expect(start(buyer, '10.00')).rejects.toMatchObject({
    status: 409,
    code: 'unavailable',
    details: {
      productIds: [product.id],
      message: 'A product in your cart is no longer for sale. Remove it to go on.',
    },
  })
  // Buy Now does not use the cart
  const items = [{ productId: product.id, quantity: 1 }]
  await expect(buyer.call(startPayment, { amount: '10.00', ...usd, items })).rejects.toMatchObject({
    status: 409,
    details: { message: 'This product is no longer for sale. Nothing was charged.' },
  })
})

test.each([
  ['another currency', { amount: '10.00', currency: 'JPY', intent: 'capture' }],
  ['another intent', { amount: '10.00', currency: 'USD', intent: 'authorize' }],
  ['a discount', { amount: '10.00', currency: 'USD', intent: 'capture', discount: '15%' }],
  ['a status', { amount: '10.00', currency: 'USD', intent: 'capture', status: 'completed' }],
  ['an amount with three decimals', { amount: '10.001', currency: 'USD', intent: 'capture' }],
])('rejects %s in the payment request', async (_, body) => {
  const { buyer } = await withCart('10.00')
  await expect(buyer.call(startPayment, body as Parameters<typeof start>[0] & never)).rejects.toMatchObject({
    status: 400,
  })
})

test('rejects a cart above the maximum payment', async () => {
  const { buyer } = await withCart('999999.99', 9999)
  await expect(start(buyer, '9998999900.01')).rejects.toMatchObject({ status: 409, code: 'too_large' })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('revokes access after a refund and balances the ledger', async () => {
  const { buyer } = await withCart('10.00')
  const { id, orderId } = await start(buyer, '10.00')
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  const refund = await refundOrder(open.shop.checkout, orderId, 'the buyer asked')
  await expect(refundOrder(open.shop.checkout, orderId, 'twice', 1)).rejects.toMatchObject({
    status: 409,
    code: 'refund_too_large',
  })
  await runRefund(open.shop.checkout, refund.id)
  await runRefund(open.shop.checkout, refund.id)
  const order = await buyer.call(getOrder, { id: orderId })
  expect(order.status).toBe('refunded')
  expect(order.lines[0]!.delivery).toBeNull()
  expect((await capturesOf(orderId))[0]!.refunded).toBe('10.00')
  const { rows } = await sql<{
    sum: number
  }>`SELECT coalesce(sum(amount_cents), 0)::int AS sum FROM ledger_entries`.execute(open.shop.database.db)
  expect(rows[0]!.sum).toBe(0)
})

async function buyPaid(price = '10.00') {
  const { buyer } = await withCart(price)
  const { id, orderId } = await start(buyer, price)
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  return { buyer, orderId }
}

test('revokes access when the whole refund completes, not when it is requested', async () => {
  const { buyer, orderId } = await buyPaid()
  const first = await refundOrder(open.shop.checkout, orderId, 'half', 500)
  const second = await refundOrder(open.shop.checkout, orderId, 'the other half', 500)
  await runRefund(open.shop.checkout, first.id)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
  await runRefund(open.shop.checkout, second.id)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'refunded' })
})

test('shows each refund to the buyer and mails it once', async () => {
  const { buyer, orderId } = await buyPaid()
  const part = await refundOrder(open.shop.checkout, orderId, 'two pages are missing', 250)
  expect((await buyer.call(getOrder, { id: orderId })).refunds).toEqual([])
  for (let i = 0; i < 2; i++) await runRefund(open.shop.checkout, part.id)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({
    status: 'completed',
    total: '10.00',
    refunds: [{ amount: '2.50', at: expect.stringMatching(/Z$/) }],
  })
  const rest = await refundOrder(open.shop.checkout, orderId, 'all are missing')
  await runRefund(open.shop.checkout, rest.id)
  const { status, refunds } = await buyer.call(getOrder, { id: orderId })
  expect([status, refunds.map(({ amount }) => amount)]).toEqual(['refunded', ['2.50', '7.50']])
  const mails = await open.shop.database.db
    .selectFrom('mails')
    .select(['key', 'subject', 'bodyText'])
    .where('recipient', '=', buyer.email)
    .where('key', 'like', 'refund:%')
    .orderBy('createdAt')
    .execute()
  const short = orderId.slice(-8)
  expect(mails.map(({ key, subject }) => [key, subject])).toEqual([
    [`refund:${part.id}`, `Refund of $2.50 for your order ${short}`],
    [`refund:${rest.id}`, `Refund of $7.50 for your order ${short}`],
  ])
  expect(mails[0]!.bodyText).toContain('We have refunded $2.50 of the $10.00 you paid. $7.50 remains.')
  expect(mails[1]!.bodyText).toContain('all of the $10.00 you paid is given back')
  expect(mails[1]!.bodyText).toContain(`/orders/${orderId}`)
})

test('enqueues a refund again after its job was lost', async () => {
  const { buyer, orderId } = await buyPaid()
  const { db } = open.shop.database
  const refund = await refundOrder(open.shop.checkout, orderId, 'asked for')
  await sql`SELECT graphile_worker.remove_job(${`refund:${refund.id}`})`.execute(db)
  await sql`UPDATE refunds SET updated_at = now() - interval '1 hour' WHERE id = ${refund.id}::uuid`.execute(db)
  await reconcile(open.shop.checkout)
  const { rows } = await sql<{
    key: string
  }>`SELECT key FROM graphile_worker.jobs WHERE key = ${`refund:${refund.id}`}`.execute(db)
  expect(rows).toHaveLength(1)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
})
