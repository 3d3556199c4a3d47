import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { wrongBooks } from '../../test/credit.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { fillCart } from '../../test/riskShop.ts'
import { openShopForTests } from '../../test/shop.ts'
import { handleRefund, refundAtDashboard, METHOD } from '../../test/payment.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { approveCase, refuseCase } from '../risk/riskReview.contract.ts'
import { expireHolds } from '../risk/holds.server.ts'
import { capturePayment, startPayment } from './checkout.contract.ts'
import { processWebhook } from '../aftersale/events.server.ts'
import { reconcile } from './reconcile.server.ts'
import { runRefund } from '../aftersale/refunds/refund.server.ts'

// The provider no longer knows an order. The shop must still settle its money or end its payment.

const open = openShopForTests({ BONUS_PERCENT: '0' })

async function approved(price: string) {
  const codes = [crypto.randomUUID()]
  const card = await addProduct(open.shop, { price, categoryId: 'gift-cards', codes })
  const buyer = await open.shop.join()
  await fillCart(buyer, card.id, 1)
  const terms = { amount: price, currency: 'USD', intent: 'capture' } as const
  const { id, orderId } = await buyer.call(startPayment, terms)
  await provider(open.shop).approve(id)
  const payment = () =>
    open.shop.database.db
      .selectFrom('payments')
      .select(['id', 'status', 'providerCaptureId'])
      .where('orderId', '=', orderId)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
  const order = () => buyer.call(getOrder, { id: orderId })
  const captures = async () => (await provider(open.shop).captures()).filter(({ orderId: of }) => of === id)
  return { card, buyer, id, orderId, payment, order, captures, terms }
}
type Bought = Awaited<ReturnType<typeof approved>>

/** Creates a held capture of $2,000 from a new account. */
async function held() {
  const bought = await approved('2000.00')
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('PENDING')
  expect((await bought.order()).hold).toMatchObject({ kind: 'hold' })
  return bought
}

const forgetAtProvider = (id: string) =>
  open.shop.database.pool.query(`DELETE FROM sandbox.records WHERE kind = 'order' AND id = $1`, [id])

const look = async () => {
  await sql`UPDATE payments SET lease_until = lease_until - interval '1 minute', updated_at = now() - interval '1 hour'`.execute(
    open.shop.database.db,
  )
  await reconcile(open.shop.checkout)
}
async function refundAll() {
  const { db } = open.shop.database
  const rows = await db.selectFrom('refunds').select('id').where('status', '=', 'requested').execute()
  for (const { id } of rows) await runRefund(open.shop.checkout, id)
}

test('retains held money when the provider no longer knows the order, and delivers on approval', async () => {
  const bought = await held()
  await forgetAtProvider(bought.id)
  for (let n = 0; n < 3; n++) await look()
  expect(await bought.order()).toMatchObject({ status: 'pending', hold: { kind: 'hold' } })
  expect(await bought.payment()).toMatchObject({ status: 'capturing' })
  const staff = await open.shop.join({ isAdmin: true })
  await staff.call(approveCase, { orderId: bought.orderId })
  await look()
  expect((await bought.order()).status).toBe('completed')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('retains held money when the provider shows the order without its capture', async () => {
  const bought = await held()
  const { pool } = open.shop.database
  await pool.query(
    `UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{status}', '"PAYER_ACTION_REQUIRED"') WHERE kind = 'order' AND id = $1`,
    [bought.id],
  )
  const move = (from: string, to: string) =>
    pool.query(`UPDATE sandbox.records SET order_id = $2 WHERE kind = 'capture' AND order_id = $1`, [from, to])
  await move(bought.id, 'ELSEWHERE')
  for (let n = 0; n < 3; n++) await look()
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('PENDING')
  expect(await bought.payment()).toMatchObject({ status: 'capturing' })
  const staff = await open.shop.join({ isAdmin: true })
  await staff.call(approveCase, { orderId: bought.orderId })
  await look()
  expect((await bought.order()).status).toBe('completed')
})

test.each<[string, (bought: Bought) => Promise<unknown>]>([
  ['staff refuse it', async ({ orderId }) => (await open.shop.join({ isAdmin: true })).call(refuseCase, { orderId })],
  [
    'nobody looks at it in time',
    async ({ orderId }) => {
      await open.shop.database.pool.query(
        `UPDATE risk_holds SET created_at = now() - interval '2 days', ends_at = now() - interval '1 hour' WHERE order_id = $1`,
        [orderId],
      )
      await expireHolds(open.shop.database.db)
    },
  ],
])('refunds held money when the provider no longer knows the order: %s', async (_, decide) => {
  const bought = await held()
  await forgetAtProvider(bought.id)
  await decide(bought)
  await look()
  await refundAll()
  expect(await bought.captures()).toMatchObject([{ status: 'REFUNDED' }])
  expect((await bought.order()).status).toBe('failed')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('settles held money when the provider knows neither order nor capture', async () => {
  const bought = await held()
  const { providerCaptureId } = await bought.payment()
  const move = (from: string, to: string) =>
    open.shop.database.pool.query(`UPDATE sandbox.records SET id = $2 WHERE kind = 'capture' AND id = $1`, [from, to])
  await forgetAtProvider(bought.id)
  await move(providerCaptureId!, 'HIDDEN')
  await look()
  const staff = await open.shop.join({ isAdmin: true })
  await staff.call(approveCase, { orderId: bought.orderId })
  await look()
  expect((await bought.order()).status).toBe('completed')
  await move('HIDDEN', providerCaptureId!)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('ends the hold of money that the dashboard refunded', async () => {
  const bought = await held()
  const { providerCaptureId } = await bought.payment()
  const made = await refundAtDashboard(open.shop, providerCaptureId!, 200_000)
  await expect(handleRefund(open.shop, providerCaptureId!, made)).rejects.toThrow('not settled')
  await forgetAtProvider(bought.id)
  await look()
  expect(await bought.order()).toMatchObject({ status: 'failed', hold: null })
  expect(await bought.payment()).toMatchObject({ status: 'expired' })
  expect(await handleRefund(open.shop, providerCaptureId!, made)).toBe('nothing of this payment was kept')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('finds an unanswered capture in the event log when the order is gone', async () => {
  const bought = await approved('10.00')
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost'] })
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await forgetAtProvider(bought.id)
  await look()
  expect((await bought.order()).status).toBe('completed')
  expect(await wrongBooks(open.shop)).toEqual([])
})

/** Creates a capture with a lost reply and no order, old enough to be in the event log. */
async function lost() {
  const bought = await approved('10.00')
  const { pool } = open.shop.database
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost', 'webhook_lost'] })
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await forgetAtProvider(bought.id)
  await pool.query(`UPDATE payments SET lease_until = now() - interval '16 minutes' WHERE order_id = $1`, [
    bought.orderId,
  ])
  const [capture] = await bought.captures()
  const hide = (from: string, to: string) =>
    pool.query(`UPDATE sandbox.records SET id = $2 WHERE kind = 'capture' AND id = $1`, [from, to])
  return { ...bought, pool, captureId: capture!.id, hide }
}

test('finds a capture on a later page of the event log', async () => {
  const { pool, captureId, order } = await lost()
  await pool.query(
    `INSERT INTO sandbox.events (id, event_type, resource_id, body, deliveries_left)
     SELECT 'LATER-' || n, event_type, resource_id, jsonb_set(body::jsonb, '{resource,custom_id}', to_jsonb('other-' || n)), 0
     FROM sandbox.events, generate_series(1, 300) n WHERE resource_id = $1 AND event_type = 'PAYMENT.CAPTURE.COMPLETED'`,
    [captureId],
  )
  await look()
  expect((await order()).status).toBe('completed')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('retries while a logged capture cannot be read', async () => {
  const { captureId, hide, payment, order } = await lost()
  await hide(captureId, 'UNREAD')
  for (let n = 0; n < 2; n++) await look()
  expect(await payment()).toMatchObject({ status: 'capturing' })
  await hide('UNREAD', captureId)
  await look()
  expect((await order()).status).toBe('completed')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('retries while the event has no capture id', async () => {
  const { pool, captureId, payment } = await lost()
  await pool.query(`UPDATE sandbox.events SET body = body::jsonb #- '{resource,id}' WHERE resource_id = $1`, [
    captureId,
  ])
  await look()
  expect(await payment()).toMatchObject({ status: 'capturing' })
})

test('settles an expired payment after an event with its capture', async () => {
  const { checkout, database } = open.shop
  const { captureId, payment, order, pool } = await lost()
  const { rows } = await pool.query<{ id: string; body: string }>(
    `DELETE FROM sandbox.events WHERE resource_id = $1 RETURNING id, body`,
    [captureId],
  )
  await look()
  expect(await payment()).toMatchObject({ status: 'expired' })
  const { id: eventId, body } = rows[0]!
  const event = { provider: METHOD, eventId, eventType: 'PAYMENT.CAPTURE.COMPLETED', body }
  await database.db.insertInto('webhookEvents').values(event).execute()
  await processWebhook(checkout, METHOD, eventId)
  expect((await order()).status).toBe('completed')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('expires a capture after fifteen minutes without an event', async () => {
  const bought = await approved('10.00')
  const { pool } = open.shop.database
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await forgetAtProvider(bought.id)
  await pool.query(`UPDATE orders SET expires_at = now() - interval '1 minute' WHERE id = $1`, [bought.orderId])
  await look()
  expect(await bought.payment()).toMatchObject({ status: 'capturing' })
  expect((await bought.order()).status).toBe('pending')
  await pool.query(`UPDATE payments SET lease_until = now() - interval '16 minutes' WHERE order_id = $1`, [
    bought.orderId,
  ])
  await look()
  expect(await bought.payment()).toMatchObject({ status: 'expired' })
  expect((await bought.order()).status).toBe('failed')
})

test('does not count an expired approval as a decline and lets the buyer pay again', async () => {
  const { buyer, id, orderId, terms, payment, order } = await approved('10.00')
  await forgetAtProvider(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('DECLINED')
  expect(await payment()).toMatchObject({ status: 'expired' })
  const declines = await open.shop.database.pool.query('SELECT FROM risk_declines WHERE user_id = $1', [buyer.id])
  expect(declines.rowCount).toBe(0)
  const again = await buyer.call(startPayment, { ...terms, orderId })
  expect(again.id).not.toBe(id)
  await provider(open.shop).approve(again.id)
  expect((await buyer.call(capturePayment, { id: again.id })).status).toBe('COMPLETED')
  expect((await order()).status).toBe('completed')
})
