import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { requestRefund } from '../../aftersale/refunds/request.contract.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { bookFees } from '../../payments/fees/book.server.ts'
import { askSeller, readCase, report } from '../../moderation/moderation.contract.ts'
import { addAllEvents } from '../../selling/sales/rollup.server.ts'
import { sendChat } from '../../support/chat/chat.contract.ts'
import { isAtPage, mayOpen, pagesOf } from '../adminPages.ts'
import { readMember } from '../members/members.contract.ts'
import { getTotals, ITEMS_OF_KIND, listOpenItems, listWaiting, WAITING } from './waiting.contract.ts'

const open = openShopForTests()

test('lists the open items that the role may handle, and none for members', async () => {
  const kindsOf = async (role: 'support' | 'finance' | 'admin') =>
    (await (await open.shop.join({ role })).call(listWaiting, {})).map(({ kind }) => kind)
  expect(await kindsOf('admin')).toEqual(Object.keys(WAITING))
  expect(await kindsOf('support')).toEqual(['chats', 'reports', 'messageReports'])
  const notForFinance = ['chats', 'reports', 'messageReports', 'supply']
  expect(await kindsOf('finance')).toEqual(Object.keys(WAITING).filter((kind) => !notForFinance.includes(kind)))
  await expect((await open.shop.join()).call(listWaiting, {})).rejects.toMatchObject({ status: 403 })
})

test('lists open items with age and owner, the own ones first, to the roles that may handle them', async () => {
  const { shop } = open
  const { pool } = shop.database
  const [ada, bo, cy, staff] = [
    await shop.join({ firstName: 'Ada' }),
    await shop.join(),
    await shop.join(),
    await shop.join({ role: 'support', firstName: 'Sam' }),
  ]
  for (const [person, hours] of [
    [ada, 1],
    [bo, 5],
    [cy, 9],
  ] as const) {
    await person.call(sendChat, { message: 'Lorem ipsum' })
    await pool.query(
      `UPDATE chat_conversations SET waiting_since = now() - make_interval(hours => $2) WHERE user_id = $1`,
      [person.id, hours],
    )
  }
  await pool.query('UPDATE chat_conversations SET assignee_id = $2 WHERE user_id = $1', [ada.id, staff.id])
  await pool.query(`UPDATE chat_conversations SET snoozed_until = now() + interval '1 day' WHERE user_id = $1`, [bo.id])
  const items = await staff.call(listOpenItems, {})
  expect(items.map(({ id, about, owner, isMine }) => ({ id, about, owner, isMine }))).toEqual([
    { id: ada.id, about: ada.email, owner: 'Sam', isMine: true },
    { id: cy.id, about: cy.email, owner: null, isMine: false },
  ])
  const [chats] = await staff.call(listWaiting, {})
  expect(chats).toEqual({ kind: 'chats', count: 2, mine: 1, oldestAt: items[1]!.since })

  const product = await addProduct(shop, { title: 'Doubtful book' })
  await ada.call(report, { id: product.id, reason: 'harmful', note: 'Lorem' })
  const reported = (await staff.call(listOpenItems, {})).find(({ kind }) => kind === 'reports')
  expect(reported).toMatchObject({ about: 'Doubtful book', amount: null, owner: null })
  expect((await staff.call(readCase, { id: reported!.id })).title).toBe('Doubtful book')
  expect(await (await shop.join({ role: 'finance' })).call(listOpenItems, {})).toEqual([])
  await expect(ada.call(listOpenItems, {})).rejects.toMatchObject({ status: 403 })
})

test('a report waits since the oldest one, and not while its seller has time to answer', async () => {
  const { shop } = open
  const { pool } = shop.database
  const [ada, bob, staff] = [await shop.join(), await shop.join(), await shop.join({ role: 'support' })]
  const product = await addProduct(shop, { title: 'Often reported' })
  const find = async () => (await staff.call(listOpenItems, {})).find(({ about }) => about === 'Often reported')
  await ada.call(report, { id: product.id, reason: 'harmful', note: 'Lorem' })
  await pool.query(`UPDATE reports SET created_at = now() - interval '10 days' WHERE product_id = $1`, [product.id])
  await bob.call(report, { id: product.id, reason: 'harmful', note: 'Ipsum' })
  const found = await find()
  expect(found).toMatchObject({ dueAt: null })
  expect(Date.now() - Date.parse(found!.since)).toBeGreaterThan(9.9 * 86_400_000)
  await staff.call(askSeller, { id: found!.id, message: 'Is it yours?', days: 3 })
  expect(await find()).toBeUndefined()
  await pool.query('UPDATE report_cases SET answer_by = now() WHERE id = $1', [found!.id])
  expect(await find()).toMatchObject({ since: found!.since, dueAt: null })
})

test('lists the open items of finance with their amount, and at most a few of each kind', async () => {
  const { shop } = open
  const { pool } = shop.database
  const [buyer, asker, finance] = [
    await shop.join(),
    await shop.join({ role: 'finance', firstName: 'Ann' }),
    await shop.join({ role: 'finance' }),
  ]
  const order = await buy(shop, buyer, await addProduct(shop, { price: '12.00' }))
  await pool.query(
    `INSERT INTO refund_approvals (order_id, amount_cents, reason, is_code_seen, asked_by) VALUES ($1, 1200, 'x', false, $2)`,
    [order.id, asker.id],
  )
  for (let i = 0; i <= ITEMS_OF_KIND; i++)
    await pool.query(`INSERT INTO payouts (seller_id, amount_cents) VALUES ($1, 100)`, [buyer.id])
  await pool.query(
    `INSERT INTO usdc_exceptions (payment_id, kind, amount_cents) SELECT id, 'late', 700 FROM payments WHERE order_id = $1`,
    [order.id],
  )
  const items = await finance.call(listOpenItems, {})
  expect(items.find(({ kind }) => kind === 'refundApprovals')).toMatchObject({
    ...{ id: order.id, about: buyer.email, amount: '12.00', owner: 'Ann', isMine: false },
  })
  expect(items.find(({ kind }) => kind === 'transfers')).toMatchObject({ about: 'late', amount: '7.00' })
  expect(items.filter(({ kind }) => kind === 'payouts')).toHaveLength(ITEMS_OF_KIND)
  const payouts = (await finance.call(listWaiting, {})).find(({ kind }) => kind === 'payouts')
  expect(payouts).toMatchObject({ count: ITEMS_OF_KIND + 1, mine: 0 })

  // the first of two members of staff cannot be the second
  await pool.query(
    `INSERT INTO payout_confirmations (payout_id, staff_id, act) SELECT id, $1, 'approved' FROM payouts WHERE seller_id = $2`,
    [asker.id, buyer.id],
  )
  expect((await asker.call(listOpenItems, {})).map(({ kind }) => kind)).toEqual(['transfers'])
  const counts = (await asker.call(listWaiting, {})).filter(({ count }) => count > 0)
  expect(counts).toMatchObject([{ kind: 'transfers', count: 1 }])
  expect((await finance.call(listOpenItems, {})).find(({ kind }) => kind === 'payouts')).toMatchObject({ owner: 'Ann' })
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
  await addAllEvents(open.shop.database.db, async () => undefined)
  await open.shop.database.pool.query('DELETE FROM sales_days')
  const before = await finance.call(getTotals, {})
  const order = await buy(open.shop, await open.shop.join(), await addProduct(open.shop, { price: '20.00' }))
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'a page is missing', 500)).id)
  await addAllEvents(open.shop.database.db, async () => undefined)
  const fee = { ref: 'sale', amountCents: 119, currency: 'USD', at: new Date() }
  await inTransaction(open.shop.database.db, (tx) => bookFees(tx, { name: 'paypal', mode: 'sandbox' }, [fee]))
  const sold = await finance.call(getTotals, {})
  expect([before.week.orders, before.week.sales, before.week.revenue]).toEqual([0, 0, '0.00'])
  const sums = { orders: 1, sales: 1, revenue: '20.00', refunded: '5.00', fees: '0.75', costs: '1.19' }
  expect(sold).toMatchObject({ today: sums, week: sums })
  // the buyer, and the seller of the product
  expect(sold.week.newMembers - before.week.newMembers).toBe(2)
  await open.shop.database.pool.query(`UPDATE sales_days SET day = day - 1`)
  await open.shop.database.pool.query(`UPDATE users SET created_at = created_at - interval '1 day'`)
  expect(await finance.call(getTotals, {})).toMatchObject({ today: { orders: 0, newMembers: 0 }, week: { orders: 1 } })
  await open.shop.database.pool.query(`UPDATE sales_days SET day = day - 6`)
  expect(await finance.call(getTotals, {})).toMatchObject({ week: { orders: 0, revenue: '0.00' } })
  for (const role of ['support', 'member'] as const)
    await expect((await open.shop.join({ role })).call(getTotals, {})).rejects.toMatchObject({ status: 403 })
})

test('shows no address of an erased member', async () => {
  const { shop } = open
  const { pool } = shop.database
  const [gone, finance, admin] = [
    await shop.join(),
    await shop.join({ role: 'finance' }),
    await shop.join({ isAdmin: true }),
  ]
  const order = await buy(shop, gone, await addProduct(shop))
  await gone.call(sendChat, { message: 'Lorem' })
  await pool.query('UPDATE chat_conversations SET waiting_since = now() WHERE user_id = $1', [gone.id])
  await pool.query(
    `INSERT INTO refund_approvals (order_id, amount_cents, reason, is_code_seen, asked_by)
     VALUES ($1, 900, 'x', false, $2)`,
    [order.id, finance.id],
  )
  await pool.query('INSERT INTO payouts (seller_id, amount_cents) VALUES ($1, 100)', [gone.id])
  await pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [gone.id])
  const items = await admin.call(listOpenItems, {})
  expect(items.filter(({ about }) => about === gone.email)).toEqual([])
  expect(items.find(({ kind, id }) => kind === 'chats' && id === gone.id)).toMatchObject({ about: null })
  expect(items.find(({ kind, id }) => kind === 'refundApprovals' && id === order.id)).toMatchObject({ about: null })
})

test('shows lines of an order for which the buyer asked at once as one open item and one case', async () => {
  const { shop } = open
  const [ada, admin] = [await shop.join(), await shop.join({ isAdmin: true })]
  const order = await buyMany(shop, ada, [
    { product: await addProduct(shop, { title: 'Part one' }), quantity: 1 },
    { product: await addProduct(shop, { title: 'Part two' }), quantity: 1 },
  ])
  const lineIds = order.lines.map(({ id }) => id)
  expect(lineIds).toHaveLength(2)
  await ada.call(requestRefund, { id: order.id, lineIds, reason: 'other', note: '' })
  const { title } = order.lines[0]!
  const items = (await admin.call(listOpenItems, {})).filter(({ kind }) => kind === 'refundRequests')
  expect(items).toMatchObject([{ id: order.id, about: title }])
  const waiting = (await admin.call(listWaiting, {})).find(({ kind }) => kind === 'refundRequests')
  expect(waiting).toMatchObject({ count: 1 })
  const { cases } = await admin.call(readMember, { id: ada.id })
  expect(cases).toMatchObject([{ kind: 'refundRequest', id: order.id, about: title }])
})
