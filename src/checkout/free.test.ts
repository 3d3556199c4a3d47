import { afterEach, expect, test } from 'vitest'
import { wrongBooks } from '../../test/credit.ts'
import { buy } from '../../test/buy.ts'
import { addProduct, type TestProduct } from '../../test/goods.ts'
import { mailedText } from '../../test/mail.ts'
import { buyMany, runRefunds } from '../../test/order.ts'
import { METHOD } from '../../test/payment.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { issueInvoice } from '../purchases/invoices/invoices.contract.ts'
import { listReviews, saveReview } from '../reviews/reviews.contract.ts'
import { capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { getRefundOffer, takeRefund } from '../aftersale/refunds/selfRefund.contract.ts'
import { requestRefund } from '../aftersale/refunds/request.contract.ts'

// Orders of $0.00. The ledger must balance after every test.

const open = openShopForTests()
const usd = { currency: 'USD', intent: 'capture' } as const

afterEach(async () => expect(await wrongBooks(open.shop)).toEqual([]))

const itemOf = ({ id, price }: TestProduct, quantity = 1) => ({ productId: id, quantity, price })
const get = (buyer: Person, product: TestProduct, change: object = {}) =>
  buyer.call(placeOrder, {
    items: [itemOf(product)],
    total: '0.00',
    paymentMethod: METHOD,
    paymentId: crypto.randomUUID(),
    source: 'product',
    ...change,
  })
const count = async (text: string, values: unknown[]) => {
  const { rows } = await open.shop.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count ${text}`,
    values,
  )
  return rows[0]!.count
}

test('completes the order of a free product without a payment, a ledger entry or a payment job', async () => {
  const product = await addProduct(open.shop, { price: '0.00' })
  const buyer = await open.shop.join()
  const before = await count('FROM ledger_entries', [])
  const order = await get(buyer, product)
  expect(order).toMatchObject({
    status: 'completed',
    total: '0.00',
    paymentMethod: 'free',
    paymentId: null,
    earned: '0.00',
    lines: [{ price: '0.00', isFree: true, delivery: { kind: 'file' } }],
  })
  expect(order.events.map(({ code }) => code)).toEqual(['placed', 'free'])
  expect(await count('FROM payments WHERE order_id = $1', [order.id])).toBe(0)
  expect(await count('FROM ledger_entries', [])).toBe(before)
  expect(await count(`FROM graphile_worker.jobs WHERE task_identifier = 'reconcile_payment'`, [])).toBe(0)
  expect(await count('FROM earnings WHERE order_id = $1 AND gross_cents = 0 AND fee_cents = 0', [order.id])).toBe(1)
  await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  const mail = await mailedText(open.shop, buyer.email, `Your order ${order.id.slice(-8)} is ready`)
  expect(mail).toMatch(/there is nothing to pay.*A small book: Free.*Total: \$0\.00/s)
})

test('gives a member one copy of a free product for any number of presses', async () => {
  const product = await addProduct(open.shop, { price: '0.00' })
  const buyer = await open.shop.join()
  await expect(get(buyer, product, { items: [itemOf(product, 2)] })).rejects.toMatchObject({ code: 'one_copy' })
  const presses = await Promise.allSettled(Array.from({ length: 5 }, () => get(buyer, product)))
  expect(presses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const press of presses)
    if (press.status === 'rejected') expect(press.reason).toMatchObject({ status: 409, code: 'already_owned' })
  expect(await count('FROM entitlements WHERE user_id = $1', [buyer.id])).toBe(1)
  // another member also gets a copy
  expect(await get(await open.shop.join(), product)).toMatchObject({ status: 'completed' })
})

test('returns the same order for a repeated request', async () => {
  const product = await addProduct(open.shop, { price: '0.00' })
  const buyer = await open.shop.join()
  const asked = { paymentId: 'one-press' }
  const first = await get(buyer, product, asked)
  expect((await get(buyer, product, asked)).id).toBe(first.id)
})

test('rejects a forged price of nothing', async () => {
  const product = await addProduct(open.shop)
  const forged = { items: [{ ...itemOf(product), price: '0.00' }] }
  await expect(get(await open.shop.join(), product, forged)).rejects.toMatchObject({ code: 'price_changed' })
})

test('completes a free cart at once; charges and refunds only the paid lines of a mixed cart', async () => {
  const [free, other, book] = await Promise.all(
    ['0.00', '0.00', '10.00'].map((price) => addProduct(open.shop, { price, title: `For ${price}` })),
  )
  const buyer = await open.shop.join()
  // a free line has one copy at most
  await buyer.call(addToCart, { productId: free!.id, quantity: 3 })
  expect(await buyer.call(getCart, {})).toMatchObject([{ quantity: 1, product: { price: '0.00' } }])
  await expect(buyer.call(startPayment, { amount: '0.00', ...usd })).rejects.toMatchObject({ code: 'nothing_due' })
  expect(await get(buyer, free!, { source: 'cart' })).toMatchObject({ status: 'completed' })
  expect(await buyer.call(getCart, {})).toEqual([])

  for (const { id } of [other!, book!]) await buyer.call(addToCart, { productId: id, quantity: 1 })
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', ...usd })
  // a product in an unpaid order cannot be ordered again for free
  await expect(get(buyer, other!)).rejects.toMatchObject({ code: 'already_ordered' })
  await provider(open.shop).approve(id)
  expect(await buyer.call(capturePayment, { id })).toMatchObject({ status: 'COMPLETED' })
  const { lines } = await buyer.call(getOrder, { id: orderId })
  const gift = lines.find(({ isFree }) => isFree)!
  expect(gift).toMatchObject({ price: '0.00', delivery: { kind: 'file' } })
  const { lines: offered } = await buyer.call(getRefundOffer, { id: orderId })
  expect(offered).toMatchObject([{ amount: '10.00' }])
  const asked = { id: orderId, lineIds: [gift.id], reason: 'mistake' as const, note: '' }
  await expect(buyer.call(requestRefund, asked)).rejects.toMatchObject({ status: 409, code: 'nothing_paid' })
})

test('leaves the free line unchanged while the paid line is refunded', async () => {
  const [free, book] = [await addProduct(open.shop, { price: '0.00' }), await addProduct(open.shop)]
  const buyer = await open.shop.join()
  const { id, lines } = await buyMany(open.shop, buyer, [{ product: free }, { product: book }])
  const download = (i: number) => buyer.call(grantDownload, { id, lineId: lines[i]!.id })
  const lineIds = [lines[1]!.id]
  await buyer.call(takeRefund, { id, lineIds, reason: 'mistake', note: '', total: '10.00' })
  await download(0)
  await expect(download(1)).rejects.toMatchObject({ status: 409 })
  await runRefunds(open.shop)
  await download(0)
  await expect(download(1)).rejects.toMatchObject({ status: 404 })
  expect(await buyer.call(getOrder, { id })).toMatchObject({ status: 'completed', refunds: [{ amount: '10.00' }] })
})

test('does not count a free copy for the first-purchase bonus, first-order codes or invoice numbers', async () => {
  const [free, book] = [await addProduct(open.shop, { price: '0.00' }), await addProduct(open.shop)]
  const buyer = await open.shop.join()
  const order = await get(buyer, free)
  await expect(buyer.call(issueInvoice, { id: order.id })).rejects.toMatchObject({ status: 409, code: 'not_paid' })
  await expect(buyer.call(getRefundOffer, { id: order.id })).rejects.toMatchObject({ status: 409 })
  expect((await buy(open.shop, buyer, book)).earned).toBe('1.50')
})

test('marks a review of a free copy', async () => {
  const product = await addProduct(open.shop, { price: '0.00' })
  const buyer = await open.shop.join({ firstName: 'Ben' })
  const order = await get(buyer, product)
  await buyer.call(saveReview, { lineId: order.lines[0]!.id, stars: 5, text: 'Short and good.' })
  await expect.poll(() => open.shop.call(listReviews, { id: product.id })).toMatchObject([{ isFree: true }])
})

test('rejects free codes and payments of free orders in the database', async () => {
  const card = await addProduct(open.shop, { codes: ['A-1'] })
  const { pool } = open.shop.database
  await expect(pool.query('UPDATE products SET price_cents = 0 WHERE id = $1', [card.id])).rejects.toThrow(
    /products_free/,
  )
})
