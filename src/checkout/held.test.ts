import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { balanceOf, give, historyOf, wrongBooks } from '../../test/credit.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { fillCart, settleHeld } from '../../test/riskShop.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { captureElsewhere, refundAtDashboard } from '../../test/payment.ts'
import { getCart } from '../cart/cart.contract.ts'
import { inTransaction } from '../kit/database.server.ts'
import { isUnpaid } from '../purchases/order.rules.ts'
import { whyFailed } from '../purchases/whyFailed.rules.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { findPayment, type Payment } from '../payments/payments.store.server.ts'
import { returnUnused } from '../payments/refunds/unusedMoney.store.server.ts'
import type { Captured } from '../payments/outcome.ts'
import { approveCase } from '../risk/riskReview.contract.ts'
import { cancelPayment, startPayment } from './checkout.contract.ts'
import { reconcile, reconcilePayment } from './reconcile.server.ts'
import { runRefund } from '../aftersale/refunds/refund.server.ts'
import { settle } from './settle.server.ts'

// Money that arrives without the shop's capture, for goods that risk would hold.

const open = openShopForTests({ BONUS_PERCENT: '0', TRUST_PROXY: '1', GEO_HEADER: 'X-Country' })

const orderOf = (buyer: Person, id: string) => buyer.call(getOrder, { id })
const paymentOf = (orderId: string): Promise<Pick<Payment, 'id' | 'status'>> =>
  open.shop.database.db
    .selectFrom('payments')
    .select(['id', 'status'])
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
const capturesOf = async (paymentId: string) =>
  (await provider(open.shop).captures()).filter(({ customId }) => customId === paymentId)

async function refundAll() {
  const { db } = open.shop.database
  const rows = await db.selectFrom('refunds').select('id').where('status', '=', 'requested').execute()
  for (const { id } of rows) await runRefund(open.shop.checkout, id)
}

/** Creates a new account that approves the payment of a $2,000 card. */
async function approved(credit?: string) {
  const codes = [crypto.randomUUID(), crypto.randomUUID()]
  const card = await addProduct(open.shop, { price: '2000.00', categoryId: 'gift-cards', codes })
  const buyer = await open.shop.join()
  if (credit) await give(open.shop, buyer, Number(credit) * 100)
  await fillCart(buyer, card.id, 1)
  const terms = { amount: '2000.00', currency: 'USD', intent: 'capture' } as const
  const { id, orderId } = await buyer.call(startPayment, { ...terms, ...(credit && { credit }) })
  await provider(open.shop).approve(id)
  const { id: paymentId } = await paymentOf(orderId)
  const taken = async () => (await captureElsewhere(open.shop, id, paymentId)) as Captured
  return { buyer, card, id, orderId, paymentId, taken }
}

const freeCodes = async (productId: string) => {
  const text = `SELECT FROM codes WHERE product_id = $1 AND state = 'free'`
  return (await open.shop.database.pool.query(text, [productId])).rowCount
}

test('refunds money after the order ended instead of holding it', async () => {
  const { checkout } = open.shop
  const { buyer, card, orderId, paymentId, taken } = await approved('4.00')
  await sql`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${orderId}::uuid`.execute(checkout.db)
  await reconcile(checkout)
  const told = await taken()
  expect(isUnpaid(await orderOf(buyer, orderId))).toBe(true)
  expect(await settle(checkout, paymentId, orderId, told)).toBe('refunding')
  expect(await settle(checkout, paymentId, orderId, told)).toBe('refunding')
  expect(isUnpaid(await orderOf(buyer, orderId))).toBe(false)
  await refundAll()
  expect(await capturesOf(paymentId)).toMatchObject([{ amount: '1996.00', refunded: '1996.00' }])
  expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'failed', hold: null })
  const staff = await open.shop.join({ isAdmin: true })
  await expect(staff.call(approveCase, { orderId })).rejects.toMatchObject({ status: 404 })
  expect(await freeCodes(card.id)).toBe(2)
  expect(await balanceOf(buyer)).toBe('4.00')
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00', 'returned 4.00'])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('rejects the cancellation of held money and delivers after approval', async () => {
  const { checkout } = open.shop
  const { buyer, id, orderId, paymentId, taken } = await approved()
  expect(await settle(checkout, paymentId, orderId, await taken())).toBe('held')
  await expect(buyer.call(cancelPayment, { id })).rejects.toMatchObject({ status: 409, code: 'payment_under_way' })
  expect((await paymentOf(orderId)).status).toBe('capturing')
  expect(await wrongBooks(open.shop)).toEqual([])
  const staff = await open.shop.join({ isAdmin: true })
  const own = open.shop.database.pool
  await own.query(`UPDATE risk_holds SET user_id = $1 WHERE order_id = $2`, [staff.id, orderId])
  await expect(staff.call(approveCase, { orderId })).rejects.toMatchObject({ status: 403, code: 'own_purchase' })
  await own.query(`UPDATE risk_holds SET user_id = $1 WHERE order_id = $2`, [buyer.id, orderId])
  await staff.call(approveCase, { orderId })
  await settleHeld(open.shop, orderId)
  expect((await orderOf(buyer, orderId)).status).toBe('completed')
})

test('fails the order without a decline when the dashboard refunds its held money', async () => {
  const { checkout, database } = open.shop
  const { buyer, card, orderId, paymentId, taken } = await approved('4.00')
  const told = await taken()
  expect(await settle(checkout, paymentId, orderId, told)).toBe('held')
  await refundAtDashboard(open.shop, told.captureRef, 199_600)
  for (let n = 0; n < 3; n++) await reconcilePayment(checkout, paymentId)
  const order = await orderOf(buyer, orderId)
  expect(order).toMatchObject({ status: 'failed', hold: null })
  expect(order.events.at(-1)!.code).toBe('refunded_at_provider')
  expect(whyFailed(order, [])).toContain('The payment provider refunded your payment.')
  expect((await paymentOf(orderId)).status).toBe('expired')
  expect((await database.pool.query('SELECT FROM risk_declines WHERE user_id = $1', [buyer.id])).rowCount).toBe(0)
  const hold = await database.db.selectFrom('riskHolds').select('state').where('orderId', '=', orderId).execute()
  expect(hold).toEqual([{ state: 'refused' }])
  expect([await freeCodes(card.id), await balanceOf(buyer)]).toEqual([2, '4.00'])
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds a second payment of an order with held money', async () => {
  const { checkout, database } = open.shop
  const { buyer, orderId, paymentId, taken } = await approved()
  const told = await taken()
  expect(await settle(checkout, paymentId, orderId, told)).toBe('held')
  const second = crypto.randomUUID()
  await database.pool.query(
    `INSERT INTO payments (id, order_id, provider, mode, status, amount_cents)
     SELECT $1, order_id, provider, mode, 'created', amount_cents FROM payments WHERE id = $2`,
    [second, paymentId],
  )
  const again = { ...told, ref: `ORDER${second}`, captureRef: `SECOND${second}`, paymentId: second }
  expect(await settle(checkout, second, orderId, again)).toBe('refunding')
  expect(await orderOf(buyer, orderId)).toMatchObject({ status: 'pending', hold: { kind: 'hold' } })
  const refunds = await database.db.selectFrom('refunds').select('reason').where('paymentId', '=', second).execute()
  expect(refunds).toEqual([{ reason: 'the order was paid twice' }])
  // the provider never had this capture, so no job can refund it
  await inTransaction(checkout.db, async (tx) => {
    await tx.updateTable('refunds').set({ status: 'completed' }).where('paymentId', '=', second).execute()
    await returnUnused(tx, (await findPayment(tx, second))!, 200_000)
  })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('ends order and hold when the provider declines held money', async () => {
  const { checkout, database } = open.shop
  const { buyer, card, orderId, paymentId, taken } = await approved('4.00')
  const told = await taken()
  expect(await settle(checkout, paymentId, orderId, told)).toBe('held')
  const { captureRef, payer } = told
  const declined = { kind: 'declined', ref: told.ref, captureRef, reason: 'DENIED', canRetry: true, payer } as const
  expect(await settle(checkout, paymentId, orderId, declined)).toBe('declined')
  const payments = database.db.selectFrom('payments').select(['status', 'providerCaptureId'])
  expect(await payments.where('id', '=', paymentId).execute()).toEqual([{ status: 'failed', providerCaptureId: null }])
  const order = await orderOf(buyer, orderId)
  expect(order).toMatchObject({ status: 'failed', hold: null })
  expect(whyFailed(order, [])).toBe('The payment provider declined the payment. Your store credit is back.')
  const hold = await database.db.selectFrom('riskHolds').select('state').where('orderId', '=', orderId).execute()
  expect(hold).toEqual([{ state: 'refused' }])
  expect([await freeCodes(card.id), await balanceOf(buyer)]).toEqual([2, '4.00'])
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  const staff = await open.shop.join({ isAdmin: true })
  await expect(staff.call(approveCase, { orderId })).rejects.toMatchObject({ status: 409, code: 'decided' })
  expect(await wrongBooks(open.shop)).toEqual([])
})
