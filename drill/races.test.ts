import { expect, onTestFinished, test } from 'vitest'
import { addProduct } from '../test/goods.ts'
import { provider } from '../test/provider.ts'
import { age } from '../test/riskShop.ts'
import { openShopForTests } from '../test/shop.ts'
import { captureElsewhere, METHOD } from '../test/payment.ts'
import { addToCart } from '../src/cart/cart.contract.ts'
import { cancelPayment, capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { capturePayment as captureAs, evaluateOrEnd } from '../src/checkout/pay.server.ts'
import { refundOrder, runRefund } from '../src/aftersale/refunds/refund.server.ts'
import { settle } from '../src/checkout/settle.server.ts'
import { linesOf } from '../src/orders/orders.store.server.ts'
import { getOrder } from '../src/purchases/orders.contract.ts'
import { changePayment, insertPayment, leaseAtOnce } from '../src/payments/payments.store.server.ts'
import { lockTable, openStage } from './stage.ts'

// Forces races that load alone rarely produces, by holding locks.

const open = openShopForTests()

async function startBuying() {
  const product = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  const { id: paymentId } = await open.shop.database.db
    .selectFrom('payments')
    .select('id')
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  return { buyer, id, orderId, paymentId }
}

test('completes a canceled order when its capture arrives during the cancellation', async () => {
  const { checkout, shopUrl } = open.shop
  const { buyer, id, orderId, paymentId } = await startBuying()
  const capture = await captureElsewhere(open.shop, id, paymentId)
  const stage = await openStage(shopUrl)
  const release = await stage.hold(`SELECT FROM payments WHERE id = '${paymentId}' FOR UPDATE`)
  const canceling = buyer.call(cancelPayment, { id })
  await stage.standing(1, 'from "payments"')
  const settling = settle(checkout, paymentId, orderId, capture)
  await stage.standing(2, 'from "')
  await release()
  await canceling
  expect(await settling).toBe('completed')
  await stage.clear()
  const { events } = await buyer.call(getOrder, { id: orderId })
  expect(events.map(({ status }) => status)).toEqual(['pending', 'failed', 'completed'])
  const { rows } = await open.shop.database.pool.query(
    'SELECT from_status FROM order_events WHERE order_id = $1 ORDER BY id',
    [orderId],
  )
  expect(rows).toEqual([{ from_status: null }, { from_status: 'pending' }, { from_status: 'failed' }])
})

test('captures only one of two concurrent payments of an order', async () => {
  const { checkout, database } = open.shop
  const { buyer, id, orderId } = await startBuying()
  const second = await database.db.transaction().execute(async (tx) => {
    const payment = await insertPayment(tx, { orderId, provider: METHOD, mode: 'sandbox', amountCents: 1000 })
    await changePayment(tx, payment.id, { status: 'created' })
    return payment
  })
  const lines = await linesOf(database.db, orderId)
  const { ref: secondId } = await checkout.providers.main.start({ ...second, lines, isKeepable: false })
  await database.db.transaction().execute((tx) => changePayment(tx, second.id, { providerOrderId: secondId }))
  await provider(open.shop).approve(secondId)
  // both payments get a lease before the provider answers either capture
  await provider(open.shop).setFaults({ rate: 1, kinds: ['hang'], latencyMs: 400 })
  const answers = await Promise.all([id, secondId].map((one) => buyer.call(capturePayment, { id: one })))
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  expect(answers.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'PENDING'])
  const captures = (await provider(open.shop).captures()).filter(({ orderId: one }) => one === id || one === secondId)
  expect(captures).toHaveLength(1)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
})

test('leases one payment of an order at a time and answers PENDING for the second capture', async () => {
  const { checkout, database } = open.shop
  const { buyer, id, orderId } = await startBuying()
  await database.db.transaction().execute(async (tx) => {
    const payment = await insertPayment(tx, { orderId, provider: METHOD, mode: 'sandbox', amountCents: 1000 })
    await changePayment(tx, payment.id, { status: 'created', providerOrderId: `second of ${id}` })
  })
  expect(await leaseAtOnce(database.db, buyer.id, id)).toMatchObject({ status: 'created' })
  const { captured } = await captureAs(checkout, buyer.id, `second of ${id}`)
  expect(captured).toBe('PENDING')
})

const CARD = { amount: '800.00', currency: 'USD', intent: 'capture' } as const

/** Approves a payment of $800 for a gift card. The buyer's next start of a payment requires a confirmation. */
async function startDoubtful() {
  const { shop } = open
  const card = await addProduct(shop, { price: CARD.amount, categoryId: 'gift-cards' })
  const buyer = await shop.join()
  await age(shop, buyer, 400)
  const { id, orderId } = await buyer.call(startPayment, { ...CARD, items: [{ productId: card.id, quantity: 1 }] })
  await provider(shop).approve(id)
  await age(shop, buyer, 0)
  const captures = async () => (await provider(shop).captures()).filter(({ orderId: one }) => one === id).length
  return { buyer, id, orderId, captures }
}

test.each(['a start in another tab', 'a purchase by saved method'])(
  'captures nothing while %s requires a confirmation',
  async (name) => {
    const { checkout, shopUrl, databaseUrl } = open.shop
    const { buyer, id, orderId, captures } = await startDoubtful()
    const [stage, owner] = [await openStage(shopUrl), await openStage(databaseUrl)]
    onTestFinished(async () => {
      await owner.clear()
      await stage.clear()
    })
    const visitor = { userId: buyer.id, ip: '127.0.0.1', country: null }
    const ask = () =>
      name.startsWith('a start')
        ? buyer.call(startPayment, { ...CARD, orderId })
        : evaluateOrEnd(checkout, visitor, orderId)
    const release = await owner.hold(lockTable('risk_holds', 'EXCLUSIVE'))
    const asking = ask().catch((error: unknown) => error)
    await stage.standing(1, 'insert into "risk_holds"')
    const capturing = buyer.call(capturePayment, { id }).catch((error: unknown) => error)
    // the lease waits for the risk decision
    await stage.standing(1, 'lease_capture')
    await release()
    for (const answer of [await asking, await capturing])
      expect(answer).toMatchObject({ status: 409, code: 'confirm_needed' })
    expect(await captures()).toBe(0)
  },
)

test('captures after a deadlock with another transaction', async () => {
  const { buyer, id, orderId, paymentId } = await startBuying()
  const stage = await openStage(open.shop.shopUrl)
  const client = await open.shop.database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM payments WHERE id = $1 FOR UPDATE', [paymentId])
  const capturing = buyer.call(capturePayment, { id })
  await stage.standing(1, 'lease_capture')
  // PostgreSQL aborts the lease, or this statement if it begins over a second after the lease
  await client.query('SELECT FROM orders WHERE id = $1 FOR UPDATE', [orderId]).catch((error: unknown) => {
    expect(error).toMatchObject({ code: '40P01' })
  })
  await client.query('ROLLBACK')
  client.release()
  expect((await capturing).status).toBe('COMPLETED')
  await stage.clear()
})

test.each([
  ['price', 'price_cents = 1200', 'price_changed'],
  ['deletion', 'deleted_at = now()', 'unavailable'],
])('the checkout of a cart waits for an uncommitted %s of a product', async (_, change, code) => {
  const { shop } = open
  const product = await addProduct(shop)
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const stage = await openStage(shop.shopUrl)
  const client = await shop.database.pool.connect()
  await client.query('BEGIN')
  await client.query(`UPDATE products SET ${change} WHERE id = $1`, [product.id])
  const starting = buyer
    .call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
    .catch((error: unknown) => error)
  await stage.standing(1, 'cart_items').finally(() => client.query('COMMIT').finally(() => client.release()))
  expect(await starting).toMatchObject({ status: 409, code })
  await stage.clear()
})

test('does not block a buyer behind another who takes a code', async () => {
  const { shop } = open
  const product = await addProduct(shop, { codes: ['FIRST', 'SECOND'] })
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(shop).approve(id)
  const stage = await openStage(shop.databaseUrl)
  await stage.hold(`SELECT FROM codes WHERE product_id = '${product.id}' ORDER BY position LIMIT 1 FOR UPDATE`)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
  await stage.clear()
})

test('books a refund once when its job runs twice concurrently', async () => {
  const { checkout, database } = open.shop
  const { buyer, id, orderId, paymentId } = await startBuying()
  await buyer.call(capturePayment, { id })
  const refund = await refundOrder(checkout, orderId, 'asked for')
  await Promise.all([runRefund(checkout, refund.id), runRefund(checkout, refund.id)])
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'refunded' })
  const { rows } = await database.pool.query(
    'SELECT account, sum(amount_cents)::int AS cents FROM ledger_entries WHERE payment_id = $1 GROUP BY account',
    [paymentId],
  )
  // entries of provider, seller, fee and bonus
  expect(rows.map(({ cents }) => cents as number)).toEqual([0, 0, 0, 0, 0])
})
