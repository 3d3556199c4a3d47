import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { wrongBooks } from '../../../test/credit.ts'
import { dispute } from '../../../test/dispute.ts'
import { passPayoutWait } from '../../../test/earn.ts'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { mailedText } from '../../../test/mail.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { refundAtDashboard } from '../../../test/payment.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { listAudit } from '../../identity/audit/audit.contract.ts'
import type { Input } from '../../kit/contract.ts'
import { lockSellers } from '../../payments/balance.server.ts'
import { recordTransfer, sellerAccount } from '../../payments/ledger/transfers.store.server.ts'
import { getPayouts, requestPayout, savePayoutDetails } from '../../payments/payouts/payouts.contract.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { requestRefund } from '../refunds/request.contract.ts'
import { refundOrder } from '../refunds/refund.server.ts'
import { listReviews, saveReview } from '../../reviews/reviews.contract.ts'
import { MAX_REFUNDS } from './sellerRefund.rules.ts'
import { getSaleRefundOffer, refundSale, resendReceipt } from './sellerRefund.contract.ts'

// Sellers refund their own sales. The shop takes 10 % of a sale, and a refund returns it.

const open = openShopForTests({
  ...{ BONUS_PERCENT: '0', FEE_PERCENT: '10', FEE_CENTS: '0', REFUND_APPROVAL_ABOVE: '100', PAYOUT_MINIMUM: '1.00' },
})
const db = () => open.shop.database.db

async function list(seller: Person, options: Parameters<typeof addProduct>[1]): Promise<TestProduct> {
  const product = await addProduct(open.shop, options)
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}

async function sell(prices = ['20.00'], quantity = 1) {
  const [seller, buyer] = [await open.shop.join({ firstName: 'Sally' }), await open.shop.join()]
  const goods = await Promise.all(prices.map(async (price) => ({ product: await list(seller, { price }), quantity })))
  const order = await buyMany(open.shop, buyer, goods)
  return { seller, buyer, order, id: order.lines[0]!.id }
}

type Asked = Partial<Input<typeof refundSale>> & { key?: string }
const refund = (seller: Person, id: string, { key = crypto.randomUUID(), ...asked }: Asked = {}) =>
  seller.call(
    refundSale,
    { id, copies: 1, total: '20.00', reason: 'A page is missing', isOpened: false, ...asked },
    { headers: { 'idempotency-key': key } },
  )

const passHold = (seller: Person) =>
  sql`UPDATE earnings SET available_at = now() - interval '1 hour' WHERE seller_id = ${seller.id}::uuid`.execute(db())

/** Requests a payout, which reduces the seller's balance. */
async function payOut(seller: Person, amount?: string) {
  await passHold(seller)
  await seller.call(savePayoutDetails, { details: { method: 'paypal', email: seller.email } })
  await passPayoutWait(open.shop, seller.id)
  await seller.call(requestPayout, amount === undefined ? {} : { amount })
}

const available = async (seller: Person) => (await seller.call(getPayouts, {})).available
const countRefunds = async ({ id }: Order) =>
  Number(
    (
      await sql<{ n: number }>`SELECT count(*) AS n FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.order_id = ${id}::uuid`.execute(db())
    ).rows[0]!.n,
  )

test('a seller refunds one copy of a sale, and their balance pays it without the fee', async () => {
  const { seller, buyer, order, id } = await sell(['10.00'], 2)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({
    ...{ copies: 2, returned: 0, paid: '20.00', fee: '2.00', funds: '18.00' },
    ...{ approvalLeft: '100.00', refusal: null, isOpened: false, refunds: [] },
  })
  expect(await refund(seller, id, { total: '10.00' })).toMatchObject({ status: 'requested', total: '10.00' })
  await runRefunds(open.shop)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({
    ...{ returned: 1, returnedSum: '10.00', returnedFee: '1.00', funds: '9.00', approvalLeft: '90.00' },
    refunds: [{ status: 'completed', copies: 1, total: '10.00' }],
  })
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({
    ...{ status: 'completed', lines: [{ refunded: 1 }], refunds: [{ amount: '10.00' }] },
  })
  expect(await mailedText(open.shop, buyer.email)).toContain('The seller says: A page is missing')
  const staff = await open.shop.join({ isAdmin: true })
  expect(await staff.call(listAudit, { q: order.id })).toMatchObject([
    {
      act: 'order.sale_refunded',
      actor: seller.email,
      details: { amount: '$10.00', reason: 'A page is missing', copies: '1' },
    },
  ])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('nobody refunds a sale of another seller, nor with another total, nor without a fresh proof', async () => {
  const { seller, buyer, order, id } = await sell()
  const stranger = await open.shop.join()
  for (const person of [stranger, buyer, await open.shop.join({ isAdmin: true })]) {
    await expect(refund(person, id)).rejects.toMatchObject({ status: 404 })
    await expect(person.call(getSaleRefundOffer, { id })).rejects.toMatchObject({ status: 404 })
    await expect(person.call(resendReceipt, { id })).rejects.toMatchObject({ status: 404 })
  }
  await expect(refund(seller, id, { total: '19.99' })).rejects.toMatchObject({ code: 'refund_changed' })
  await expect(refund(seller, id, { copies: 2 })).rejects.toMatchObject({ code: 'line_refunded' })
  await sql`UPDATE sessions SET verified_at = now() - interval '11 minutes' WHERE user_id = ${seller.id}::uuid`.execute(
    db(),
  )
  await expect(refund(seller, id)).rejects.toMatchObject({ status: 403, code: 'step_up_required' })
  expect(await countRefunds(order)).toBe(0)
})

test('a refund above the balance is refused, and leaves nothing behind', async () => {
  const { seller, order, id } = await sell()
  await payOut(seller, '10.00')
  await expect(refund(seller, id)).rejects.toMatchObject({ status: 409, code: 'funds_missing' })
  expect(await countRefunds(order)).toBe(0)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ funds: '8.00' })
})

test('pays a refund of a paid-out sale from other sales, but not while these are on hold', async () => {
  const { seller, buyer, id } = await sell()
  await payOut(seller)
  await expect(refund(seller, id)).rejects.toMatchObject({ code: 'funds_missing' })
  const other = await buyMany(open.shop, buyer, [{ product: await list(seller, { price: '30.00' }) }])
  await expect(refund(seller, id)).rejects.toMatchObject({ code: 'funds_missing' })
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ funds: '0.00' })
  // a sale on hold pays its own refund
  expect(await seller.call(getSaleRefundOffer, { id: other.lines[0]!.id })).toMatchObject({ funds: '27.00' })
  await passHold(seller)
  await refund(seller, id)
  await runRefunds(open.shop)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ funds: '9.00' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('a payout does not take the money of a refund under way', async () => {
  const { seller, id } = await sell(['20.00', '30.00'])
  await passHold(seller)
  expect(await available(seller)).toBe('45.00')
  await refund(seller, id)
  expect(await available(seller)).toBe('27.00')
  await expect(payOut(seller, '27.01')).rejects.toMatchObject({ code: 'above_available' })
  await seller.call(requestPayout, { amount: '27.00' })
  await runRefunds(open.shop)
  expect(await available(seller)).toBe('0.00')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('a disputed sale is not refunded, and pays for no other sale', async () => {
  const { seller, buyer, order, id } = await sell()
  const other = await buyMany(open.shop, buyer, [{ product: await list(seller, { price: '20.00' }) }])
  await dispute(open.shop, order.id)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ refusal: 'disputed', funds: '0.00' })
  await expect(refund(seller, id)).rejects.toMatchObject({ status: 409, code: 'disputed' })
  await payOutOther(seller, other)
  await expect(refund(seller, other.lines[0]!.id)).rejects.toMatchObject({ code: 'funds_missing' })
  expect([await countRefunds(order), await countRefunds(other)]).toEqual([0, 0])
})

/** The money of this order leaves in a payout; a disputed sale stays. */
async function payOutOther(seller: Person, { id }: Order) {
  await sql`UPDATE earnings SET available_at = now() - interval '1 hour' WHERE order_id = ${id}::uuid`.execute(db())
  await seller.call(savePayoutDetails, { details: { method: 'paypal', email: seller.email } })
  await passPayoutWait(open.shop, seller.id)
  await seller.call(requestPayout, {})
}

test('one press is one refund, and two at once of the same copy are one', async () => {
  const { seller, order, id } = await sell()
  const key = crypto.randomUUID()
  const [first, again] = await Promise.all([refund(seller, id, { key }), refund(seller, id, { key })])
  expect(again.id).toBe(first.id)
  await expect(refund(seller, id, { key, reason: 'Another one' })).rejects.toMatchObject({ code: 'key_reused' })
  const second = await sell()
  const results = await Promise.allSettled([refund(second.seller, second.id), refund(second.seller, second.id)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await runRefunds(open.shop)
  expect([await countRefunds(order), await countRefunds(second.order)]).toEqual([1, 1])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds of two orders at once share one balance', async () => {
  const { seller, buyer, id } = await sell()
  const other = await buyMany(open.shop, buyer, [{ product: await list(seller, { price: '20.00' }) }])
  await passHold(seller)
  await payOut(seller, '18.00')
  const results = await Promise.allSettled([refund(seller, id), refund(seller, other.lines[0]!.id)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await runRefunds(open.shop)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ funds: '0.00' })
})

test('a refund waits for what takes from the balance at the same moment', async () => {
  const { seller, order, id } = await sell()
  const isWaiting = async () =>
    (await sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(db())).rows.length > 0
  const asked = await db()
    .transaction()
    .execute(async (tx) => {
      await lockSellers(tx, [seller.id])
      const outcome = refund(seller, id).catch((error: unknown) => error)
      await expect.poll(isWaiting, { timeout: 5000 }).toBe(true)
      await recordTransfer(tx, null, [
        { account: sellerAccount(seller.id), amountCents: 1800 },
        { account: 'promotion:goodwill', amountCents: -1800 },
      ])
      return { outcome }
    })
  expect(await asked.outcome).toMatchObject({ status: 409, code: 'funds_missing' })
  expect(await countRefunds(order)).toBe(0)
})

test('a refund of staff under way is no money for another refund', async () => {
  const { seller, order, id } = await sell(['20.00', '20.00'])
  await payOut(seller, '18.00')
  await refundOrder(open.shop.checkout, order.id, 'a part', 1000)
  await expect(refund(seller, id)).rejects.toMatchObject({ code: 'funds_missing' })
})

test('a suspended seller refunds nothing', async () => {
  const { seller, order, id } = await sell()
  const { id: staffId } = await open.shop.join({ isAdmin: true })
  await sql`INSERT INTO suspensions (seller_id, reason, made_by) VALUES (${seller.id}::uuid, 'fake goods', ${staffId}::uuid)`.execute(
    db(),
  )
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ refusal: 'suspended' })
  await expect(refund(seller, id)).rejects.toMatchObject({ status: 409, code: 'suspended' })
  expect(await countRefunds(order)).toBe(0)
})

test('a seller refunds an old sale only if the buyer asked for it', async () => {
  const { seller, buyer, order, id } = await sell()
  await sql`UPDATE earnings SET earned_at = now() - interval '61 days' WHERE order_line_id = ${id}::uuid`.execute(db())
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({ refusal: 'late' })
  await expect(refund(seller, id)).rejects.toMatchObject({ status: 409, code: 'late' })
  await buyer.call(requestRefund, { id: order.id, lineIds: [id], reason: 'other', note: '' })
  await refund(seller, id)
  expect(await countRefunds(order)).toBe(1)
})

test('a seller makes a limited number of refunds', async () => {
  const { seller, buyer, order, id } = await sell(['20.00', '1.00'], 25)
  const cheap = order.lines[1]!.id
  await sql`INSERT INTO refunds (payment_id, amount_cents, reason, asked_by, is_by_seller, status)
    SELECT p.id, 1, 'x', ${seller.id}::uuid, true, 'completed' FROM payments p, generate_series(1, ${MAX_REFUNDS}::int)
    WHERE p.order_id = ${order.id}::uuid`.execute(db())
  expect(await seller.call(getSaleRefundOffer, { id: cheap })).toMatchObject({ refusal: 'many' })
  await expect(refund(seller, cheap, { total: '1.00' })).rejects.toMatchObject({ status: 409, code: 'many' })
  expect((await buyer.call(getOrder, { id: order.id })).status).toBe('completed')
  expect(id).not.toBe(cheap)
})

test('a review stays when the seller refunds the purchase', async () => {
  const { seller, buyer, order, id } = await sell()
  const { productId } = order.lines[0]!
  await buyer.call(saveReview, { lineId: id, stars: 1, text: 'Empty pages.' })
  await refund(seller, id)
  await runRefunds(open.shop)
  expect((await buyer.call(getOrder, { id: order.id })).status).toBe('refunded')
  expect(await seller.call(listReviews, { id: productId })).toMatchObject([{ stars: 1, text: 'Empty pages.' }])
})

test('notifies the seller when the provider refuses the refund', async () => {
  const { seller, order, id } = await sell()
  const { rows } = await sql<{ capture: string }>`SELECT provider_capture_id AS capture FROM payments
    WHERE order_id = ${order.id}::uuid`.execute(db())
  await refundAtDashboard(open.shop, rows[0]!.capture, 1500)
  await refund(seller, id)
  await runRefunds(open.shop)
  expect(await seller.call(getSaleRefundOffer, { id })).toMatchObject({
    ...{ returned: 0, funds: '18.00', refunds: [{ status: 'failed', total: '20.00' }] },
  })
  expect(await mailedText(open.shop, seller.email)).toContain('The payment provider refused your refund of $20.00.')
})

test('a large refund is for the store', async () => {
  const { seller, order, id } = await sell(['150.00'])
  await expect(refund(seller, id, { total: '150.00' })).rejects.toMatchObject({ status: 409, code: 'approval_needed' })
  expect(await countRefunds(order)).toBe(0)
})

test('an opened sale is refunded only by who knows it', async () => {
  const [seller, buyer] = [await open.shop.join(), await open.shop.join()]
  const card = await list(seller, { price: '20.00', codes: [crypto.randomUUID()] })
  const order = await buyMany(open.shop, buyer, [{ product: card }])
  const id = order.lines[0]!.id
  await buyer.call(revealCodes, { id: order.id, lineId: id })
  await expect(refund(seller, id)).rejects.toMatchObject({ status: 409, code: 'goods_opened' })
  expect(await countRefunds(order)).toBe(0)
  await refund(seller, id, { isOpened: true })
  await runRefunds(open.shop)
  expect((await buyer.call(getOrder, { id: order.id })).status).toBe('refunded')
})

test('a seller mails the link again once a day, while the buyer can open it', async () => {
  const { seller, buyer, order, id } = await sell()
  const both = await Promise.all([seller.call(resendReceipt, { id }), seller.call(resendReceipt, { id })])
  expect(both.map(({ isSent }) => isSent).toSorted()).toEqual([false, true])
  const text = await mailedText(open.shop, buyer.email)
  expect(text).toContain('The seller of “A small book” sends you the link to it again.')
  expect(text).toContain(`/orders/${order.id}`)
  await buyer.call(grantDownload, { id: order.id, lineId: id })
  await refund(seller, id, { isOpened: true })
  await expect(seller.call(resendReceipt, { id })).rejects.toMatchObject({ status: 409, code: 'closed' })
})
