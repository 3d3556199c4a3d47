import { expect, test } from 'vitest'
import { balanceOf, give, historyOf, wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { fillCart } from '../../../test/riskShop.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { handleRefund, refundAtDashboard } from '../../../test/payment.ts'
import { readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { findViolations, INVARIANTS } from '../../audit/faults.server.ts'
import { reconcileDay } from '../../audit/reports/reconcile.server.ts'
import { capturePayment, placeOrder, startPayment } from '../../checkout/checkout.contract.ts'
import { reclaimCredit } from './refund.contract.ts'
import { adoptRefund, refundOrder, runRefund } from './refund.server.ts'

const open = openShopForTests()

/** Buys a book of $10.00, partly with store credit. */
async function bought(credit: '0.00' | '4.00') {
  const { database } = open.shop
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  if (credit !== '0.00') await give(open.shop, buyer, 400)
  await fillCart(buyer, book.id, 1)
  const { id, orderId } = await buyer.call(startPayment, {
    amount: '10.00',
    currency: 'USD',
    intent: 'capture',
    credit,
  })
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  const payment = await database.db
    .selectFrom('payments')
    .select(['id', 'providerCaptureId'])
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  const captureId = payment.providerCaptureId!
  const refundInDashboard = (amountCents: number) => refundAtDashboard(open.shop, captureId, amountCents)
  const refunds = () =>
    database.db
      .selectFrom('refunds')
      .select(['amountCents', 'status'])
      .where('paymentId', '=', payment.id)
      .orderBy('createdAt')
      .execute()
  const booked = async () => {
    const { rows } = await database.pool.query(
      'SELECT account FROM ledger_entries WHERE payment_id = $1 GROUP BY account HAVING sum(amount_cents) <> 0',
      [payment.id],
    )
    return rows.map(({ account }) => account as string).filter((account) => !account.startsWith('credit:'))
  }
  return { buyer, orderId, captureId, refundInDashboard, refunds, booked }
}

test('returns credit once when the dashboard refunds before the shop', async () => {
  const { checkout } = open.shop
  const { buyer, orderId, captureId, refundInDashboard, refunds } = await bought('4.00')
  const ours = await refundOrder(checkout, orderId, 'asked for')
  expect(await handleRefund(open.shop, captureId, await refundInDashboard(600))).toBeNull()
  await runRefund(checkout, ours.id)
  await runRefund(checkout, ours.id)
  expect((await historyOf(buyer)).filter((entry) => entry.startsWith('refunded'))).toEqual(['refunded 4.00'])
  expect(await refunds()).toEqual([
    { amountCents: 600, status: 'failed' },
    { amountCents: 600, status: 'completed' },
  ])
  expect((await buyer.call(getOrder, { id: orderId })).refunds).toHaveLength(2)
  expect(await balanceOf(buyer)).toBe('4.00')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test.each(['the dashboard is heard of first', 'our own is worked off first'])(
  'never books more refunds than the buyer paid: %s',
  async (first) => {
    const { checkout } = open.shop
    const { buyer, orderId, captureId, refundInDashboard, refunds, booked } = await bought('0.00')
    const ours = await refundOrder(checkout, orderId, 'a part', 300)
    const inDashboard = await refundInDashboard(1000)
    const work = [() => handleRefund(open.shop, captureId, inDashboard), () => runRefund(checkout, ours.id)]
    for (const step of first.startsWith('the dashboard') ? work : work.toReversed()) await step()
    await handleRefund(open.shop, captureId, inDashboard)
    const done = (await refunds()).filter(({ status }) => status === 'completed')
    expect(done.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(1000)
    expect(await booked()).toEqual([])
    expect((await buyer.call(getOrder, { id: orderId })).status).toBe('refunded')
    expect(await wrongBooks(open.shop)).toEqual([])
  },
)

/** Mismatched payment: one cent too little was captured, so all of it must be refunded. */
async function mismatched() {
  const { database } = open.shop
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await fillCart(buyer, book.id, 1)
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['amount'] })
  await buyer.call(capturePayment, { id })
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const { payment, refund, captureId } = await database.db
    .selectFrom('payments')
    .innerJoin('refunds', 'refunds.paymentId', 'payments.id')
    .select(['payments.id as payment', 'refunds.id as refund', 'providerCaptureId as captureId'])
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  const refundInDashboard = (amountCents: number | null) => refundAtDashboard(open.shop, captureId!, amountCents)
  const adopt = (made: string) => handleRefund(open.shop, captureId!, made)
  const ours = () => runRefund(open.shop.checkout, refund)
  const mails = () =>
    database.db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', buyer.email)
      .where('key', 'like', 'refund:%')
      .execute()
  const backCents = async () => {
    const text = `SELECT sum(amount_cents)::int AS cents FROM refunds WHERE payment_id = $1 AND status = 'completed'`
    return ((await database.pool.query(text, [payment])).rows[0] as { cents: number }).cents
  }
  return { buyer, orderId, captureId: captureId!, refundInDashboard, adopt, ours, mails, backCents }
}

test.each(['dashboard first', 'ours first', 'both at once', 'heard of twice'])(
  'mails once about mismatched money that the dashboard refunds: %s',
  async (order) => {
    const { orderId, refundInDashboard, adopt, ours, mails, backCents } = await mismatched()
    const made = await refundInDashboard(null)
    if (order === 'both at once') await Promise.all([adopt(made), ours()])
    else if (order === 'ours first') for (const step of [ours, () => adopt(made)]) await step()
    else for (const step of [() => adopt(made), ours, () => adopt(made)]) await step()
    if (order === 'heard of twice') await Promise.all([adopt(made), adopt(made)])
    expect(await mails()).toEqual([{ subject: `A refund for your order ${orderId.slice(-8)}` }])
    expect(await backCents()).toBe(999)
    expect(await wrongBooks(open.shop)).toEqual([])
  },
)

test('mails about mismatched money when all of it is refunded', async () => {
  const { orderId, refundInDashboard, adopt, ours, mails, backCents } = await mismatched()
  await adopt(await refundInDashboard(400))
  expect([await mails(), await backCents()]).toEqual([[], 400])
  await ours()
  await ours()
  expect([(await mails()).length, await backCents()]).toEqual([1, 999])
  // the staff page of the order shows the mail too
  const file = await (await open.shop.join({ isAdmin: true })).call(readOrderFile, { id: orderId })
  expect(file.mails.map(({ subject }) => subject)).toEqual([`A refund for your order ${orderId.slice(-8)}`])
})

/** Reports later that the refund did not reach the buyer. */
const handleFailed = (captureRef: string) => (refundRef: string) => {
  const { checkout } = open.shop
  const outcome = { kind: 'refused' as const, reason: 'expired_or_canceled_card' }
  const closed = { ...checkout.providers.main, findRefund: async () => ({ paymentId: null, outcome }) }
  return adoptRefund(checkout, closed, { refundRef, captureRef })
}
const bouncedCents = async (orderId: string) => {
  const { rows } = await open.shop.database.pool.query<{ cents: number }>(
    `SELECT coalesce(sum(l.amount_cents), 0)::int AS cents FROM ledger_entries l JOIN payments p ON p.id = l.payment_id
     WHERE l.account = 'bounced' AND p.order_id = $1`,
    [orderId],
  )
  return rows[0]!.cents
}

test('reclaims the unspent credit of a returned refund that staff paid by hand, once', async () => {
  const staff = await open.shop.join({ role: 'finance' })
  const { buyer, orderId, captureId, refundInDashboard } = await bought('4.00')
  const refundRef = await refundInDashboard(600)
  await handleRefund(open.shop, captureId, refundRef)
  const file = async () => (await staff.call(readOrderFile, { id: orderId })).refunds[0]!
  const { id, canReclaim } = await file()
  expect(canReclaim).toBe(false)
  const reclaim = (by: Person = staff) => by.call(reclaimCredit, { id, reason: 'bank transfer 4711' })
  await expect(reclaim()).rejects.toMatchObject({ status: 409, code: 'not_credited' })
  await handleFailed(captureId)(refundRef)
  expect((await file()).canReclaim).toBe(true)
  await expect(reclaim(buyer)).rejects.toMatchObject({ status: 403 })
  // the buyer spends $5.50 of $10.00
  const goods = await addProduct(open.shop, { price: '5.50' })
  await buyer.call(placeOrder, {
    ...{ items: [{ productId: goods.id, quantity: 1, price: '5.50' }], total: '5.50', credit: '5.50' },
    ...{ paymentMethod: 'paypal', paymentId: crypto.randomUUID(), source: 'product' },
  })
  // a later gift of credit does not replace the spent credit
  await give(open.shop, buyer, 1000)
  const answers = await Promise.allSettled([reclaim(), reclaim()])
  expect(answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value.amount] : []))).toEqual(['4.50'])
  await expect(reclaim()).rejects.toMatchObject({ status: 409, code: 'reclaimed' })
  expect(await balanceOf(buyer)).toBe('10.00')
  expect(await file()).toMatchObject({ reclaimed: '4.50', canReclaim: false, status: 'completed' })
  expect((await historyOf(buyer)).filter((entry) => entry.startsWith('reclaimed'))).toEqual(['reclaimed -4.50'])
  const { database } = open.shop
  const mails = database.db.selectFrom('mails').select('key').where('recipient', '=', buyer.email)
  expect((await mails.execute()).map(({ key }) => key)).toContain(`reclaimed:${id}`)
  expect(await findViolations(database.pool, INVARIANTS)).toEqual([])
  await expect(staff.call(reclaimCredit, { id: crypto.randomUUID(), reason: 'x' })).rejects.toMatchObject({
    status: 404,
  })
})

test('books a refund that the bank returned after days as store credit', async () => {
  const { database } = open.shop
  const staff = await open.shop.join({ role: 'finance' })
  const { buyer, orderId, captureId, refundInDashboard, refunds } = await bought('4.00')
  const refundRef = await refundInDashboard(600)
  await handleRefund(open.shop, captureId, refundRef)
  const fail = handleFailed(captureId)
  for (const answer of [...(await Promise.all([fail(refundRef), fail(refundRef)])), await fail(refundRef)])
    expect(answer).toContain('booked back')
  expect(await fail('another')).toBe('not a finished refund')
  expect((await historyOf(buyer)).filter((entry) => entry.startsWith('bounced'))).toEqual(['bounced 6.00'])
  expect([await balanceOf(buyer), await bouncedCents(orderId)]).toEqual(['10.00', 0])
  expect(await refunds()).toEqual([{ amountCents: 600, status: 'completed' }])
  expect(await findViolations(database.pool, INVARIANTS)).toEqual([])
  const subjects = async (email: string) => {
    const rows = await database.db.selectFrom('mails').select('subject').where('recipient', '=', email).execute()
    return rows.map(({ subject }) => subject).filter((subject) => subject.includes('bank'))
  }
  expect(await subjects(buyer.email)).toEqual([`Your bank returned a refund: order ${orderId.slice(-8)}`])
  expect(await subjects(staff.email)).toEqual([`A bank returned a refund of $6.00: order ${orderId.slice(-8)}`])
  const file = await (await open.shop.join({ isAdmin: true })).call(readOrderFile, { id: orderId })
  expect(file.refunds).toMatchObject([{ status: 'completed', bouncedAt: expect.any(String) as string }])
  // the report of the day contains no payment and no second refund
  const day = new Date().toISOString().slice(0, 10)
  const compared = JSON.stringify(await reconcileDay(database.pool, open.shop.checkout.providers.main, day))
  const { differences } = JSON.parse(compared) as { differences: object[] }
  expect(differences.filter((one) => [captureId, refundRef].some((ref) => JSON.stringify(one).includes(ref)))).toEqual(
    [],
  )
})

test('retries the event of a failed refund that is not booked yet', async () => {
  const { checkout } = open.shop
  const { orderId, captureId } = await bought('0.00')
  const { id } = await refundOrder(checkout, orderId, 'asked for')
  const fail = handleFailed(captureId)
  await expect(fail('its-own')).rejects.toThrow('under way')
  await runRefund(checkout, id)
  const { rows } = await open.shop.database.pool.query<{ ref: string }>(
    'SELECT provider_refund_id AS ref FROM refunds WHERE id = $1',
    [id],
  )
  expect(await fail(rows[0]!.ref)).toContain('booked back')
})

test('leaves returned money to staff when it cannot become credit', async () => {
  const { buyer, orderId, captureId, refundInDashboard } = await bought('0.00')
  const refundRef = await refundInDashboard(1000)
  await handleRefund(open.shop, captureId, refundRef)
  await open.shop.asOwner(`UPDATE users SET erased_at = now() WHERE id = '${buyer.id}'`)
  await handleFailed(captureId)(refundRef)
  await open.shop.asOwner(`UPDATE users SET erased_at = NULL WHERE id = '${buyer.id}'`)
  expect([await bouncedCents(orderId), await balanceOf(buyer)]).toEqual([-1000, '0.00'])
  const other = await mismatched()
  const made = await other.refundInDashboard(null)
  await other.adopt(made)
  await handleFailed(other.captureId)(made)
  expect([await bouncedCents(other.orderId), await balanceOf(other.buyer)]).toEqual([-999, '0.00'])
  expect(await findViolations(open.shop.database.pool, INVARIANTS)).toEqual([])
})
