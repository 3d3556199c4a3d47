import { expect, test } from 'vitest'
import { balanceOf, give, wrongBooks } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { claimGift, giveCopies } from '../../delivery/gifts/gifts.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import type { Input } from '../../kit/contract.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { askRefund, decideRefund } from './refund.contract.ts'
import { refundOrder } from './refund.server.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', FEE_PERCENT: '10' })
const joinStaff = () => open.shop.join({ role: 'finance' })

const add = (price: string, codes?: string[]) => addProduct(open.shop, { price, ...(codes && { codes }) })
const newCodes = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

async function bought(prices: string[], credit?: string) {
  const buyer = await open.shop.join()
  if (credit) await give(open.shop, buyer, Math.round(Number(credit) * 100))
  const goods = await Promise.all(prices.map(async (price) => ({ product: await add(price) })))
  return { buyer, order: await buyMany(open.shop, buyer, goods, credit) }
}

type Lines = NonNullable<Input<typeof askRefund>['lines']>
type RefundInput = { amount: string; left: string; isCodeSeen?: boolean; key?: string }

const ask = (staff: Person, order: Order, lines: Lines, { key = crypto.randomUUID(), ...asked }: RefundInput) =>
  staff.call(
    askRefund,
    { id: order.id, reason: 'a page is missing', isCodeSeen: false, lines, ...asked },
    { headers: { 'idempotency-key': key } },
  )
const lineAt = (order: Order, i: number, copies = 1): Lines => [{ id: order.lines[i]!.id, copies }]
/** Returns the current order, with its lines as bought. */
async function readOrder(buyer: Person, { id, lines }: Order) {
  const order = await buyer.call(getOrder, { id })
  return { ...order, lines: lines.map((line) => order.lines.find((one) => one.id === line.id)!) }
}
const openable = async (buyer: Person, order: Order) =>
  (await readOrder(buyer, order)).lines.map(({ delivery }) => delivery !== null)
const earnedBy = async (order: Order) => {
  const text = 'SELECT order_line_id AS id, returned_cents::int AS back FROM earnings WHERE order_id = $1'
  const { rows } = await open.shop.database.pool.query<{ id: string; back: number }>(text, [order.id])
  return order.lines.map((line) => rows.find(({ id }) => id === line.id)!.back)
}

test('closes only the refunded line and reduces its seller’s share', async () => {
  const { buyer, order } = await bought(['6.00', '4.00'])
  const staff = await joinStaff()
  const refund = await ask(staff, order, lineAt(order, 0), { amount: '6.00', left: '10.00' })
  expect(refund).toMatchObject({ status: 'requested', amount: '6.00' })
  const download = (i: number) => buyer.call(grantDownload, { id: order.id, lineId: order.lines[i]!.id })
  // closed when the refund is requested
  await expect(download(0)).rejects.toMatchObject({ status: 409, code: 'refund_under_way' })
  await download(1)
  await runRefunds(open.shop)
  expect(await openable(buyer, order)).toEqual([false, true])
  expect(await readOrder(buyer, order)).toMatchObject({
    status: 'completed',
    lines: [{ refunded: 1 }, { refunded: 0 }],
    refunds: [{ amount: '6.00' }],
  })
  await expect(download(0)).rejects.toMatchObject({ status: 404 })
  await download(1)
  expect(await earnedBy(order)).toEqual([600, 0])
  const file = await staff.call(readOrderFile, { id: order.id })
  expect(file.refunds).toMatchObject([
    { lines: [{ title: 'A small book', copies: 1 }], isByBuyer: false, approvedBy: null },
  ])
  expect(file.offer!.lines.map(({ left, returned }) => [left, returned]).toSorted()).toEqual([
    ['0.00', 1],
    ['4.00', 0],
  ])
  // refunding the last line ends the order
  await ask(staff, order, lineAt(order, 1), { amount: '4.00', left: '4.00' })
  await runRefunds(open.shop)
  expect((await readOrder(buyer, order)).status).toBe('refunded')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds copies of a line to the cent and revokes as many codes', async () => {
  const buyer = await open.shop.join()
  const card = await add('3.33', newCodes(3))
  const order = await buyMany(open.shop, buyer, [{ product: card, quantity: 3 }])
  const staff = await joinStaff()
  await ask(staff, order, lineAt(order, 0, 1), { amount: '3.33', left: '9.99' })
  await runRefunds(open.shop)
  const lineId = order.lines[0]!.id
  expect((await buyer.call(revealCodes, { id: order.id, lineId })).codes).toHaveLength(2)
  await expect(
    ask(staff, order, lineAt(order, 0, 3), { amount: '9.99', left: '6.66', isCodeSeen: true }),
  ).rejects.toMatchObject({ status: 409, code: 'line_refunded' })
  await ask(staff, order, lineAt(order, 0, 2), { amount: '6.66', left: '6.66', isCodeSeen: true })
  await runRefunds(open.shop)
  expect(await readOrder(buyer, order)).toMatchObject({ status: 'refunded', lines: [{ refunded: 3, delivery: null }] })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds money for a line first, and store credit for the remainder', async () => {
  const { buyer, order } = await bought(['6.00', '4.00'], '7.00')
  const staff = await joinStaff()
  expect(await balanceOf(buyer)).toBe('0.00')
  await ask(staff, order, lineAt(order, 0), { amount: '6.00', left: '3.00' })
  await runRefunds(open.shop)
  expect([await balanceOf(buyer), await openable(buyer, order)]).toEqual(['3.00', [false, true]])
  expect(await wrongBooks(open.shop)).toEqual([])
  // all of the money is refunded, so the other line is paid in credit only
  await ask(staff, order, lineAt(order, 1), { amount: '4.00', left: '0.00' })
  await runRefunds(open.shop)
  expect([await balanceOf(buyer), (await readOrder(buyer, order)).status]).toEqual(['7.00', 'refunded'])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('refunds each cent once over an amount, a line and the rest', async () => {
  const { buyer, order } = await bought(['6.00', '4.00'])
  const staff = await joinStaff()
  const part = { id: order.id, amount: '1.01', left: '10.00', reason: 'a typo', isCodeSeen: false }
  await staff.call(askRefund, part, { headers: { 'idempotency-key': crypto.randomUUID() } })
  await runRefunds(open.shop)
  const [first] = await earnedBy(order)
  await ask(staff, order, lineAt(order, 0), { amount: ((600 - first!) / 100).toFixed(2), left: '8.99' })
  await runRefunds(open.shop)
  expect((await earnedBy(order))[0]).toBe(600)
  expect(await openable(buyer, order)).toEqual([false, true])
  const { offer } = await staff.call(readOrderFile, { id: order.id })
  await staff.call(
    askRefund,
    { ...part, amount: offer!.left, left: offer!.left },
    { headers: { 'idempotency-key': crypto.randomUUID() } },
  )
  await runRefunds(open.shop)
  expect([await earnedBy(order), (await readOrder(buyer, order)).status]).toEqual([[600, 400], 'refunded'])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('rejects sums that do not match the lines, and lines of another order', async () => {
  const { order } = await bought(['6.00', '4.00'])
  const { order: other } = await bought(['1.00'])
  const staff = await joinStaff()
  await expect(ask(staff, order, lineAt(order, 0), { amount: '5.99', left: '10.00' })).rejects.toMatchObject({
    status: 409,
    code: 'refund_changed',
  })
  await expect(ask(staff, order, lineAt(other, 0), { amount: '1.00', left: '10.00' })).rejects.toMatchObject({
    status: 404,
  })
  const twice = [...lineAt(order, 0), ...lineAt(order, 0)]
  await expect(ask(staff, order, twice, { amount: '12.00', left: '10.00' })).rejects.toMatchObject({ status: 400 })
})

test('accepts one of two concurrent requests for the same line', async () => {
  const { order } = await bought(['6.00', '4.00'])
  const staff = await Promise.all([joinStaff(), joinStaff()])
  const asked = await Promise.allSettled(
    staff.map((one) => ask(one, order, lineAt(order, 0), { amount: '6.00', left: '10.00' })),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await runRefunds(open.shop)
  expect(await earnedBy(order)).toEqual([600, 0])
})

test('holds a large refund of a line for a second approver, and shows both people and the copies on the order', async () => {
  const { buyer, order } = await bought(['600.00', '4.00'])
  const [asker, approver] = [await joinStaff(), await joinStaff()]
  expect(await ask(asker, order, lineAt(order, 0), { amount: '600.00', left: '604.00' })).toMatchObject({
    status: 'waiting',
    amount: '600.00',
  })
  const { approval } = await approver.call(readOrderFile, { id: order.id })
  expect(approval).toMatchObject({ amount: '600.00', lines: [{ title: 'A small book', copies: 1 }] })
  await approver.call(decideRefund, { id: approval!.id, isApproved: true })
  await runRefunds(open.shop)
  const { refunds, lines } = await approver.call(readOrderFile, { id: order.id })
  expect(refunds).toMatchObject([
    { askedBy: asker.email, approvedBy: approver.email, lines: [{ title: 'A small book', copies: 1 }] },
  ])
  expect(lines.map(({ returned }) => returned).toSorted()).toEqual([0, 1])
  expect(await openable(buyer, order)).toEqual([false, true])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('sells a code again after staff refund it, unless a buyer has seen it', async () => {
  const [unseen, seen, given] = await Promise.all([1, 2, 3].map(() => add('5.00', newCodes(1))))
  const [buyer, friend] = [await open.shop.join(), await open.shop.join()]
  const order = await buyMany(
    open.shop,
    buyer,
    [unseen!, seen!, given!].map((product) => ({ product })),
  )
  const lineOf = ({ id }: { id: string }) => order.lines.find(({ productId }) => productId === id)!.id
  await buyer.call(revealCodes, { id: order.id, lineId: lineOf(seen!) })
  const { link } = await buyer.call(giveCopies, { id: order.id, lineId: lineOf(given!), quantity: 1 })
  const claimed = await friend.call(claimGift, { token: link.split('/').at(-1)! })
  const [copy] = (await friend.call(getOrder, { id: claimed.orderId })).lines
  await friend.call(revealCodes, { id: claimed.orderId, lineId: copy!.id })
  await refundOrder(open.shop.checkout, order.id, 'asked for', undefined, { isCodeSeen: true })
  await runRefunds(open.shop)
  const stateOf = async ({ id }: { id: string }) => {
    const { rows } = await open.shop.database.pool.query<{ state: string }>(
      'SELECT state FROM codes WHERE product_id = $1',
      [id],
    )
    return rows.map(({ state }) => state)
  }
  expect(await Promise.all([unseen!, seen!, given!].map(stateOf))).toEqual([['free'], ['void'], ['void']])
  expect(await wrongBooks(open.shop)).toEqual([])
})
