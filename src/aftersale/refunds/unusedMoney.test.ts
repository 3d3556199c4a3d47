import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { captureElsewhere, paymentRef, METHOD } from '../../../test/payment.ts'
import { readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { linesOf } from '../../orders/orders.store.server.ts'
import { askRefund } from './refund.contract.ts'
import { refundOrder, runRefund } from './refund.server.ts'
import { settle } from '../../checkout/settle.server.ts'

// A second payment that paid for no goods, next to a good payment of the same order. Its refund failed.

const open = openShopForTests({ BONUS_PERCENT: '0' })

/** Pays a completed order of $10.00 twice. The automatic refund of the second payment is rejected. */
async function payAgain(orderId: string): Promise<string> {
  const { checkout, database } = open.shop
  const id = crypto.randomUUID()
  const lines = await linesOf(database.db, orderId)
  const started = await checkout.providers.main.start({ ...paymentRef({ id }), lines, isKeepable: false })
  const providerOrderId = started.ref
  await database.pool.query(
    `INSERT INTO payments (id, order_id, provider, mode, status, amount_cents, provider_order_id)
     VALUES ($1, $2, '${METHOD}', 'sandbox', 'created', 1000, $3)`,
    [id, orderId, providerOrderId],
  )
  await provider(open.shop).approve(providerOrderId)
  const told = await captureElsewhere(open.shop, providerOrderId, id)
  expect(await settle(checkout, id, orderId, told)).toBe('refunding')
  await database.pool.query(
    `UPDATE refunds SET status = 'failed', refusal = 'REFUND_FAILED_INSUFFICIENT_FUNDS' WHERE payment_id = $1`,
    [id],
  )
  return id
}

async function paidTwice() {
  const buyer = await open.shop.join()
  const staff = await open.shop.join({ isAdmin: true })
  const order = await buy(open.shop, buyer, await addProduct(open.shop, { codes: [crypto.randomUUID()] }))
  return { buyer, staff, order, second: await payAgain(order.id) }
}
const offerOf = async (staff: Person, id: string) => (await staff.call(readOrderFile, { id })).offer
const ask = (staff: Person, id: string, isUnused: boolean) =>
  staff.call(
    askRefund,
    { id, amount: '10.00', left: '10.00', reason: 'paid too often', isCodeSeen: false, isUnused },
    { headers: { 'idempotency-key': crypto.randomUUID() } },
  )
const refundedOf = async (paymentId: string) =>
  (await provider(open.shop).captures()).find(({ customId }) => customId === paymentId)!.refunded

test('refunds the second payment first and keeps the order and its codes', async () => {
  const { buyer, staff, order, second } = await paidTwice()
  const line = { id: order.id, lineId: order.lines[0]!.id }
  // seen codes matter only to the payment that bought them
  await buyer.call(revealCodes, line)
  expect(await offerOf(staff, order.id)).toMatchObject({ isUnused: true, left: '10.00', codesSeenAt: null })
  const { id } = await ask(staff, order.id, true)
  await buyer.call(revealCodes, line)
  await runRefund(open.shop.checkout, id)
  expect(await refundedOf(second)).toBe('10.00')
  expect((await buyer.call(getOrder, { id: order.id })).status).toBe('completed')
  expect(await offerOf(staff, order.id)).toMatchObject({
    isUnused: false,
    left: '10.00',
    codesSeenAt: expect.any(String) as string,
  })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds unused money once for two concurrent requests', async () => {
  const { staff, order } = await paidTwice()
  const both = await Promise.allSettled([ask(staff, order.id, true), ask(staff, order.id, true)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const changed = { status: 409, code: 'refund_changed' }
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: changed })
  const another = await paidTwice()
  await expect(ask(staff, another.order.id, false)).rejects.toMatchObject(changed)
})

test('refunds several unused payments one after another', async () => {
  const { staff, order, second } = await paidTwice()
  const third = await payAgain(order.id)
  const { checkout } = open.shop
  await runRefund(checkout, (await ask(staff, order.id, true)).id)
  expect(await offerOf(staff, order.id)).toMatchObject({ isUnused: true, left: '10.00' })
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'paid too often')).id)
  expect([await refundedOf(second), await refundedOf(third)]).toEqual(['10.00', '10.00'])
  expect(await offerOf(staff, order.id)).toMatchObject({ isUnused: false, left: '10.00' })
})
