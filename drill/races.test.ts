import { expect, test } from 'vitest'
import { addProduct } from '../test/goods.ts'
import { provider } from '../test/provider.ts'
import { openShopForTests } from '../test/shop.ts'
import { captureElsewhere, METHOD } from '../test/payment.ts'
import { addToCart } from '../src/cart/cart.contract.ts'
import { cancelPayment, capturePayment, startPayment } from '../src/checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../src/checkout/refunds/refund.server.ts'
import { settle } from '../src/checkout/settle.server.ts'
import { linesOf } from '../src/orders/orders.server.ts'
import { getOrder } from '../src/orders/orders.contract.ts'
import { changePayment, insertPayment } from '../src/payments/payments.store.server.ts'
import { openStage } from './stage.ts'

// Races that load alone rarely produces. Each test forces one with held locks.

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
  // Both hold a lease before either has an answer.
  await provider(open.shop).setFaults({ rate: 1, kinds: ['hang'], latencyMs: 400 })
  const answers = await Promise.all([id, secondId].map((one) => buyer.call(capturePayment, { id: one })))
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  expect(answers.map(({ status }) => status).sort()).toEqual(['COMPLETED', 'PENDING'])
  const captures = (await provider(open.shop).captures()).filter(({ orderId: one }) => one === id || one === secondId)
  expect(captures).toHaveLength(1)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'completed' })
})

test('does not block a buyer behind another who takes a code', async () => {
  const { shop } = open
  const product = await addProduct(shop, { codes: ['FIRST', 'SECOND'] })
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(shop).approve(id)
  const stage = await openStage(shop.databaseUrl)
  await stage.hold(`SELECT FROM codes WHERE product_id = '${product.id}' ORDER BY id LIMIT 1 FOR UPDATE`)
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
  // entries of provider, seller and bonus
  expect(rows.map(({ cents }) => cents as number)).toEqual([0, 0, 0, 0])
})
