import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { bookFees } from '../../payments/fees/book.server.ts'
import { addAllEvents } from '../../selling/sales/rollup.server.ts'
import { isAtPage, mayOpen, pagesOf } from '../adminPages.ts'
import { getTotals, listWaiting, WAITING } from './waiting.contract.ts'

const open = openShopForTests()

test('lists the open items that the role may handle, and none for members', async () => {
  const kindsOf = async (role: 'support' | 'finance' | 'admin') =>
    (await (await open.shop.join({ role })).call(listWaiting, {})).map(({ kind }) => kind)
  expect(await kindsOf('admin')).toEqual(Object.keys(WAITING))
  expect(await kindsOf('support')).toEqual(['chats', 'reports'])
  expect(await kindsOf('finance')).toEqual(Object.keys(WAITING).filter((kind) => !['chats', 'reports'].includes(kind)))
  await expect((await open.shop.join()).call(listWaiting, {})).rejects.toMatchObject({ status: 403 })
})

test('starts each staff role at the overview and opens only the pages of the role', () => {
  for (const role of ['support', 'finance', 'admin'] as const) expect(pagesOf(role)[0]).toBe('/admin')
  expect(mayOpen('/admin', 'support')).toBe(true)
  expect(mayOpen('/admin/', 'support')).toBe(true)
  expect(mayOpen('/admin', 'member')).toBe(false)
  expect(mayOpen('/admin/payouts', 'support')).toBe(false)
  expect(mayOpen('/admin/unknown', 'admin')).toBe(false)
  expect(isAtPage('/admin/orders/7', '/admin/orders')).toBe(true)
  expect(isAtPage('/admin/orders', '/admin')).toBe(false)
})

test('adds up the sales, refunds and fees of the shop, for finance staff only', async () => {
  const finance = await open.shop.join({ role: 'finance' })
  const before = await finance.call(getTotals, {})
  const order = await buy(open.shop, await open.shop.join(), await addProduct(open.shop, { price: '20.00' }))
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'a page is missing', 500)).id)
  await addAllEvents(open.shop.database.db, async () => undefined)
  const fee = { ref: 'sale', amountCents: 119, currency: 'USD', at: new Date() }
  await inTransaction(open.shop.database.db, (tx) => bookFees(tx, { name: 'paypal', mode: 'sandbox' }, [fee]))
  const sold = await finance.call(getTotals, {})
  expect([before.orders, before.sales, before.revenue]).toEqual([0, 0, '0.00'])
  expect(sold).toMatchObject({ orders: 1, sales: 1, revenue: '20.00', refunded: '5.00', fees: '0.75', costs: '1.19' })
  // the buyer, and the seller of the product
  expect(sold.newMembers - before.newMembers).toBe(2)
  for (const role of ['support', 'member'] as const)
    await expect((await open.shop.join({ role })).call(getTotals, {})).rejects.toMatchObject({ status: 403 })
})
