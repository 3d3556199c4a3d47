import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { buyMany } from '../../../test/order.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { findOrders, readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { failRefund } from '../../payments/refunds.store.server.ts'
import { startPayment } from '../../checkout/checkout.contract.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { declineRefund, requestRefund } from './request.contract.ts'
import { refundOrder, runRefund } from './refund.server.ts'
import { refundRequestRoutes } from './request.server.ts'

const open = openShopForTests()

async function bought() {
  const [buyer, staff] = [await open.shop.join(), await open.shop.join({ isAdmin: true })]
  const order = await buy(open.shop, buyer, await addProduct(open.shop))
  const ask = (who: Person, given: object = {}) =>
    who.call(requestRefund, { id: order.id, lineIds: [order.lines[0]!.id], reason: 'damaged', note: 'Torn.', ...given })
  const stateOf = async () => (await buyer.call(getOrder, { id: order.id })).lines[0]!.refundRequest
  const queue = async () => (await staff.call(findOrders, { status: 'refund-requested' })).map(({ id }) => id)
  return { buyer, staff, order, ask, stateOf, queue }
}

test("adds a buyer's refund request to the queue of staff, once", async () => {
  const { buyer, staff, order, ask, stateOf, queue } = await bought()
  expect(await queue()).not.toContain(order.id)
  await Promise.all([1, 2, 3].map(() => ask(buyer)))
  await ask(buyer, { reason: 'other', note: 'Page 7 is torn.' })
  expect(await stateOf()).toMatchObject({ state: 'open', answer: null })
  expect(await queue()).toContain(order.id)
  expect((await staff.call(readOrderFile, { id: order.id })).requests).toEqual([
    expect.objectContaining({ title: 'A small book', reason: 'other', note: 'Page 7 is torn.', state: 'open' }),
  ])
})

test('closes the requests of an order when it is refunded', async () => {
  const { buyer, staff, order, ask, stateOf, queue } = await bought()
  await ask(buyer)
  const refund = () => refundOrder(open.shop.checkout, order.id, 'damaged', 500)
  const refused = await refund()
  await failRefund(open.shop.database.db, refused.id, 'refused at the provider')
  await runRefund(open.shop.checkout, refused.id)
  expect(await stateOf()).toMatchObject({ state: 'open' })
  const { id } = await refund()
  const decline = staff.call(declineRefund, { id: order.id, answer: 'Too late.' })
  await expect(decline).rejects.toMatchObject({ status: 409, code: 'refund_under_way' })
  await runRefund(open.shop.checkout, id)
  expect(await stateOf()).toMatchObject({ state: 'granted' })
  expect(await queue()).not.toContain(order.id)
  await expect(ask(buyer)).rejects.toMatchObject({ status: 409, code: 'request_answered' })
})

test('closes the requests of refunded lines, and all requests after a full refund', async () => {
  const buyer = await open.shop.join()
  const goods = [{ product: await addProduct(open.shop) }, { product: await addProduct(open.shop) }]
  const order = await buyMany(open.shop, buyer, goods)
  const [torn, whole] = order.lines.map(({ id }) => id) as [string, string]
  await buyer.call(requestRefund, { id: order.id, lineIds: [torn], reason: 'damaged', note: 'Torn.' })
  const { checkout } = open.shop
  const stateAfter = async (cents?: number, lineId?: string) => {
    const asking = lineId ? { lines: [{ orderLineId: lineId, quantity: 1 }] } : {}
    await runRefund(checkout, (await refundOrder(checkout, order.id, 'a reason', cents, asking)).id)
    const { lines } = await buyer.call(getOrder, { id: order.id })
    return lines.find(({ id }) => id === torn)!.refundRequest!.state
  }
  expect(await stateAfter(200)).toBe('open')
  expect(await stateAfter(undefined, whole)).toBe('open')
  expect(await stateAfter()).toBe('granted')
})

test('declines a request with a reason that the buyer sees on the order and in a mail', async () => {
  const { buyer, staff, order, ask, stateOf, queue } = await bought()
  const decline = (who: Person) => who.call(declineRefund, { id: order.id, answer: 'All pages are there.' })
  await expect(decline(staff)).rejects.toMatchObject({ status: 409, code: 'no_request' })
  await ask(buyer)
  await expect(decline(buyer)).rejects.toMatchObject({ status: 403 })
  await decline(staff)
  expect(await stateOf()).toMatchObject({ state: 'declined', answer: 'All pages are there.' })
  expect(await queue()).not.toContain(order.id)
  await expect(decline(staff)).rejects.toMatchObject({ status: 409 })
  const { db } = open.shop.database
  const mails = await db.selectFrom('mails').select('bodyText').where('recipient', '=', buyer.email).execute()
  expect(mails.some(({ bodyText }) => bodyText.includes('Reason: All pages are there.'))).toBe(true)
  const acts = await db.selectFrom('audit').select(['act', 'actorId']).where('subjectId', '=', order.id).execute()
  expect(acts).toEqual([{ act: 'order.declined', actorId: staff.id }])
})

test("accepts requests for the member's own completed orders only, and at most 30 an hour", async () => {
  const { buyer, ask, staff, order, stateOf } = await bought()
  const lineIds = order.lines.map(({ id }) => id)
  const other = await bought()
  for (const stranger of [other.buyer, staff]) await expect(ask(stranger)).rejects.toMatchObject({ status: 404 })
  await expect(ask(buyer, { lineIds: [other.order.lines[0]!.id] })).rejects.toMatchObject({ status: 404 })
  const many = Array.from({ length: 201 }, () => crypto.randomUUID())
  await expect(ask(buyer, { lineIds: many })).rejects.toMatchObject({ status: 400 })
  await expect(ask(buyer, { lineIds: [...lineIds, many[0]!] })).rejects.toMatchObject({ status: 404 })
  expect(await stateOf()).toBeNull()
  await ask(buyer, { lineIds: [...lineIds, ...lineIds] })
  await expect(ask(buyer, { reason: 'because' })).rejects.toMatchObject({ status: 400 })
  await expect(ask(buyer, { note: 'x'.repeat(501) })).rejects.toMatchObject({ status: 400 })
  const items = [{ productId: (await addProduct(open.shop)).id, quantity: 1 }]
  const { orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items })
  const { lines } = await buyer.call(getOrder, { id: orderId })
  await expect(ask(buyer, { id: orderId, lineIds: [lines[0]!.id] })).rejects.toMatchObject({ code: 'not_completed' })
  const [route] = refundRequestRoutes(open.shop.checkout)
  expect(route!.limits).toEqual([{ per: 'account', count: 30, seconds: 3600, isShared: true }])
})
