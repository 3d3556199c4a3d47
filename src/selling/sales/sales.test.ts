import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { record } from '../../../bench/record.ts'
import { buy } from '../../../test/buy.ts'
import { sellProduct } from '../../../test/discount.ts'
import { addProduct, type TestProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests, openTestShop, type Person } from '../../../test/shop.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { setMails } from '../../identity/accounts/account.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { claimGift, giveCopies } from '../../delivery/gifts/gifts.contract.ts'
import { getCurrentUser } from '../../identity/identity.contract.ts'
import { parseSqlFile } from '../../kit/sql/sqlFile.rules.ts'
import { required } from '../../kit/values/required.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { listOwnProducts, withdrawProduct } from '../selling.contract.ts'
import { addAllEvents } from './rollup.server.ts'
import { getSale, getSales, listSales, SALES_CSV, type Sale } from './sales.contract.ts'
import { viewProduct } from './views.contract.ts'

const open = openShopForTests()

/** A listed product of this seller. */
async function list(seller: Person, { title = 'A small book', price = '10.00' } = {}): Promise<TestProduct> {
  const product = await addProduct(open.shop, { title, price })
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`.execute(db())
  return product
}
const db = () => open.shop.database.db
const addUp = () => addAllEvents(db(), async () => undefined)

async function readCsv({ cookie }: Person, query = '') {
  const response = await fetch(`${open.shop.url}${SALES_CSV}${query}`, { headers: { cookie } })
  return { status: response.status, headers: response.headers, lines: (await response.text()).split('\r\n') }
}

test('shows a sale in figures, list, page and CSV before and after the job adds it', async () => {
  const [ada, buyer, eve] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const [book, tape] = [
    await list(ada, { title: 'Night Trains', price: '12.00' }),
    await list(ada, { title: '=Rain, "live"', price: '3.50' }),
  ]
  await list(eve)
  expect((await ada.call(getSales, { days: 7 })).now).toEqual({
    ...{ revenue: '0.00', refunded: '0.00', net: '0.00', orders: 0, sales: 0, views: 0 },
  })
  const first = await buy(open.shop, buyer, book)
  await buy(open.shop, buyer, tape)

  const readAll = async () => ({
    summary: await ada.call(getSales, { days: 30 }),
    sales: await ada.call(listSales, { days: 30 }),
    trains: await ada.call(listSales, { productId: book.id }),
    csv: (await readCsv(ada)).lines,
  })
  const fresh = await readAll()
  await addUp()
  expect(await readAll()).toEqual(fresh)
  expect(await db().selectFrom('sellerEvents').select('id').execute()).toEqual([])

  const { summary, sales, trains, csv } = fresh
  expect(summary).toMatchObject({
    now: { revenue: '15.50', refunded: '0.00', orders: 2, sales: 2 },
    before: { revenue: '0.00', orders: 0 },
    days: [{ day: summary.to, revenue: '15.50', orders: 2 }],
    products: [
      { product: { id: book.id, title: 'Night Trains' }, revenue: '12.00', sales: 1 },
      { product: { id: tape.id }, revenue: '3.50', sales: 1 },
    ],
    countries: [{ code: '', revenue: '15.50', orders: 2 }],
  })
  expect(sales.map(({ title, amount, state }) => [title, amount, state])).toEqual([
    ['=Rain, "live"', '3.50', 'paid'],
    ['Night Trains', '12.00', 'paid'],
  ])
  expect(trains.map(({ id }) => id)).toEqual([first.lines[0]!.id])
  expect(csv).toHaveLength(4)
  expect(csv[1]).toContain(`,"'=Rain, ""live""",1,3.50,`)
  const sale = await ada.call(getSale, { id: first.lines[0]!.id })
  expect(sale).toMatchObject({ number: first.id.slice(-8), title: 'Night Trains', amount: '12.00', buyerEmail: null })
  expect(Number(sale.net)).toBeCloseTo(12 - Number(sale.fee))
  expect(JSON.stringify([fresh, sale])).not.toContain(buyer.email)

  // another seller sees none of these sales
  expect((await eve.call(getSales, { days: 30 })).now.orders).toBe(0)
  expect(await eve.call(listSales, {})).toEqual([])
  expect((await readCsv(eve)).lines).toHaveLength(2)
  for (const id of [sale.id, crypto.randomUUID()])
    await expect(eve.call(getSale, { id })).rejects.toMatchObject({ status: 404 })
})

test('a late refund changes the state and net amount of the sale and the figures of its day', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const book = await list(ada, { price: '20.00' })
  const order = await buy(open.shop, buyer, book)
  const id = order.lines[0]!.id
  await addUp()
  await sql`UPDATE earnings SET earned_at = earned_at - interval '9 days' WHERE order_line_id = ${id}::uuid`.execute(
    db(),
  )
  await sql`UPDATE sales_days SET day = day - 9 WHERE seller_id = ${ada.id}::uuid`.execute(db())
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'a page is missing', 500)).id)
  expect(await ada.call(getSale, { id })).toMatchObject({ state: 'part_refunded', amount: '20.00', refunded: '5.00' })
  for (const step of ['at once', 'added']) {
    const { now, before } = await ada.call(getSales, { days: 7 })
    expect([now.refunded, before.refunded, before.revenue], step).toEqual(['0.00', '5.00', '20.00'])
    expect((await ada.call(listSales, { days: 30, state: 'refunded' })).map((sale) => sale.id)).toEqual([id])
    expect(await ada.call(listSales, { days: 30, state: 'paid' })).toEqual([])
    await addUp()
  }
  await runRefund(checkout, (await refundOrder(checkout, order.id, 'the rest')).id)
  await addUp()
  expect((await ada.call(getSales, { days: 30 })).now).toMatchObject({ revenue: '20.00', refunded: '20.00', sales: 1 })
  expect(await ada.call(getSale, { id })).toMatchObject({ state: 'refunded', refunded: '20.00', net: '0.00' })
})

test('excludes own purchases and their refunds from every figure', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const book = await list(ada, { price: '20.00' })
  await buy(open.shop, buyer, book)
  const own = await buy(open.shop, ada, book)
  const { checkout } = open.shop
  await runRefund(checkout, (await refundOrder(checkout, own.id, 'a test', 500)).id)
  const counted = () =>
    sql<{ sales: number }>`SELECT sales FROM product_counts WHERE product_id = ${book.id}::uuid`.execute(db())
  const isExact = async () => {
    const { now, products, countries } = await ada.call(getSales, { days: 7 })
    expect(now).toMatchObject({ revenue: '20.00', refunded: '0.00', orders: 1, sales: 1 })
    expect([products, countries]).toMatchObject([[{ revenue: '20.00', sales: 1 }], [{ revenue: '20.00', orders: 1 }]])
    expect((await ada.call(listSales, {})).map(({ number }) => number)).not.toContain(own.id.slice(-8))
    expect(await ada.call(listSales, { state: 'refunded' })).toEqual([])
    expect((await readCsv(ada)).lines).toHaveLength(3)
  }
  await isExact()
  await addUp()
  await isExact()
  expect((await counted()).rows).toEqual([{ sales: 1 }])
})

test('lists each sale once across pages with the total, and filters sales', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const [one, other] = [await list(ada, { price: '1.00' }), await list(ada, { price: '2.00' })]
  for (const product of [one, other, one, one]) await buy(open.shop, buyer, product)
  await sql`UPDATE earnings SET earned_at = now() WHERE seller_id = ${ada.id}::uuid`.execute(db())
  await addUp()
  const seen: string[] = []
  for (let next: string | null = '/api/account/sales?limit=3'; next;) {
    const response = await fetch(open.shop.url + next, { headers: { cookie: ada.cookie } })
    expect(response.headers.get('x-total-count')).toBe('4')
    expect(response.headers.get('cache-control')).toContain('no-store')
    seen.push(...((await response.json()) as Sale[]).map(({ id }) => id))
    next = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  }
  expect([seen.length, new Set(seen).size]).toEqual([4, 4])
  expect(await ada.call(listSales, { productId: one.id, days: 7, state: 'paid' })).toHaveLength(3)
  expect((await readCsv(ada, `?productId=${other.id}`)).lines).toHaveLength(3)
  const csv = await readCsv(ada)
  expect([csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    'attachment; filename="sales.csv"',
  ])
  expect(csv.headers.get('cache-control')).toContain('no-store')
  for (const query of ['?days=8', '?state=lost', '?productId=x', '?seller=me'])
    expect((await readCsv(ada, query)).status, query).toBe(400)
  for (const asked of [{ days: 8 }, { after: 'x' }, { limit: 101 }, { state: 'lost' as 'paid' }])
    await expect(ada.call(listSales, asked)).rejects.toMatchObject({ status: 400 })
  await expect(ada.call(getSales, { days: 1 })).rejects.toMatchObject({ status: 400 })
})

test('finds the sales of a product with few order lines and with more than 5000', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const [book, other] = [await list(ada), await list(ada)]
  for (const product of [book, other, book]) await buy(open.shop, buyer, product)
  await addUp()
  const ids = async () => (await ada.call(listSales, { productId: book.id, days: 7 })).map(({ id }) => id)
  const found = await ids()
  expect(found).toHaveLength(2)
  await open.shop.database.pool.query(
    `WITH failed AS (
      INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at)
      SELECT $1, gen_random_uuid()::text, 'x', 'cart', 1, now() FROM generate_series(1, 5000) RETURNING id)
    INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
    SELECT failed.id, 0, p.id, p.seller_id, p.title, 1, 1, 'file', p.file_id FROM failed JOIN products p ON p.id = $2`,
    [buyer.id, book.id],
  )
  expect(await ids()).toEqual(found)
})

test('a setting shows the seller the email address of a buyer who agreed to news, until the buyer is erased', async () => {
  const shop = await openTestShop({ SELLERS_SEE_EMAIL: 'on' })
  onTestFinished(() => shop.close())
  const [ada, buyer] = [await shop.join(), await shop.join()]
  const book = await addProduct(shop)
  await shop.database.pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [ada.id, book.id])
  const { lines } = await buy(shop, buyer, book)
  const id = lines[0]!.id
  expect(await ada.call(getSale, { id })).toMatchObject({ buyerEmail: null })
  await buyer.call(setMails, { wantsNews: true })
  expect(await ada.call(getSale, { id })).toMatchObject({ buyerEmail: buyer.email })
  await shop.database.pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [buyer.id])
  expect(await ada.call(getSale, { id })).toMatchObject({ buyerEmail: null })
})

test('shows who opened the copies of a sale: the buyer or the recipient of a gift', async () => {
  const [ada, mira, friend] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const card = await addProduct(open.shop, { codes: [crypto.randomUUID(), crypto.randomUUID()] })
  await sql`UPDATE products SET seller_id = ${ada.id}::uuid WHERE id = ${card.id}::uuid`.execute(db())
  const order = await buyMany(open.shop, mira, [{ product: card, quantity: 2 }])
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const { link } = await mira.call(giveCopies, { ...line, quantity: 1 })
  const { orderId } = await friend.call(claimGift, { token: required(link.split('/gift/')[1], 'the token') })
  const { lines } = await friend.call(getOrder, { id: orderId })
  await friend.call(revealCodes, { id: orderId, lineId: lines[0]!.id })
  const readUses = async () =>
    (await ada.call(getSale, { id: line.lineId })).uses.map(({ kind, isGift }) => [kind, isGift])
  expect(await readUses()).toEqual([['reveal', true]])
  await mira.call(revealCodes, line)
  expect(await readUses()).toEqual([
    ['reveal', true],
    ['reveal', false],
  ])
})

test('shows the public name of each buyer, also after a gift and an erasure', async () => {
  const [ada, mira, friend] = [
    await open.shop.join(),
    await open.shop.join({ firstName: 'Mira' }),
    await open.shop.join(),
  ]
  const { pool } = open.shop.database
  const book = await list(ada)
  const { id, lines } = await buy(open.shop, mira, book)
  const { link } = await mira.call(giveCopies, { id, lineId: lines[0]!.id, quantity: 1 })
  await friend.call(claimGift, { token: required(link.split('/gift/')[1], 'the token') })
  await pool.query('UPDATE users SET first_name = NULL WHERE id = $1', [friend.id])
  await buy(open.shop, friend, book)
  const names = async () => (await ada.call(listSales, {})).map(({ buyerName }) => buyerName)
  expect(await names()).toEqual(['A buyer', 'Mira P.'])
  expect(await ada.call(listSales, { productId: book.id })).toMatchObject([{}, { buyerName: 'Mira P.' }])
  await pool.query('UPDATE users SET erased_at = now() WHERE id = $1', [mira.id])
  expect(await names()).toEqual(['A buyer', 'Former member'])
  expect(await ada.call(getSale, { id: lines[0]!.id })).toMatchObject({ buyerName: 'Former member' })
  await addUp()
})

test('offers a copy of a file with a fixed price only', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const canGive = async (lineId: string) => (await ada.call(getSale, { id: lineId })).canGiveCopy
  const book = await list(ada)
  const { lines } = await buy(open.shop, buyer, book)
  const { id } = lines[0]!
  expect(await canGive(id)).toBe(true)
  const { pool } = open.shop.database
  for (const change of ['suggested_cents = 2000', 'deleted_at = now()']) {
    await pool.query(`UPDATE products SET ${change} WHERE id = $1`, [book.id])
    expect(await canGive(id), change).toBe(false)
    await pool.query('UPDATE products SET suggested_cents = NULL, deleted_at = NULL WHERE id = $1', [book.id])
  }
  const card = await sellProduct(open.shop, ada, { codes: ['AAAA-BBBB'] })
  const order = await buy(open.shop, buyer, card)
  expect(await canGive(order.lines[0]!.id)).toBe(false)
  await addUp()
})

test('counts one product view per member and day, except views by the seller and by robots', async () => {
  const [ada, bob, eve] = [await open.shop.join(), await open.shop.join(), await open.shop.join()]
  const [book, tape] = [await list(ada, { title: 'Seen' }), await list(ada, { title: 'Unseen' })]
  const gone = await list(ada, { title: 'Gone' })
  await ada.call(withdrawProduct, { id: gone.id })
  const statements = await record(async () => {
    for (const viewer of [ada, bob, bob, eve]) await viewer.call(viewProduct, { id: book.id })
    await bob.call(viewProduct, { id: gone.id })
    await bob.call(viewProduct, { id: crypto.randomUUID() })
    await bob.call(viewProduct, { id: tape.id }, { headers: { 'user-agent': 'Googlebot/2.1' } })
  })
  expect(statements.filter(({ text }) => /sales_days|products/.test(text))).toEqual([])
  await open.shop.views.flush()
  await bob.call(viewProduct, { id: book.id })
  await open.shop.views.flush()
  const own = await ada.call(listOwnProducts, { sort: 'views' })
  expect(own.map(({ title, views }) => [title, views])).toEqual([
    ['Seen', 2],
    ...own.slice(1).map(({ title }) => [title, 0]),
  ])
  expect((await ada.call(getSales, { days: 7 })).now.views).toBe(2)
  await expect(open.shop.call(viewProduct, { id: book.id })).rejects.toMatchObject({ status: 401 })
  await expect(bob.call(viewProduct, { id: 'x' })).rejects.toMatchObject({ status: 404 })
})

test('stores pending views when the shop stops', async () => {
  const shop = await openTestShop()
  const [ada, bob] = [await shop.join(), await shop.join()]
  const book = await addProduct(shop)
  await shop.database.pool.query('UPDATE products SET seller_id = $1 WHERE id = $2', [ada.id, book.id])
  await bob.call(viewProduct, { id: book.id })
  const { rows } = await shop.database.pool.query('SELECT FROM sales_days')
  expect(rows).toEqual([])
  const written = await record(() => shop.views.stop())
  expect(written.filter(({ text }) => /INSERT INTO sales_days/.test(text))).toHaveLength(1)
  await shop.close()
})

test('notifies only the open pages of the seller about changed sales', async () => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const told: string[] = []
  const client = await open.shop.database.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('LISTEN members')
  client.on('notification', ({ payload }) => told.push(payload!))
  const { lines } = await buy(open.shop, buyer, await list(ada))
  expect(lines).toHaveLength(1)
  await addUp()
  await client.query('SELECT 1')
  expect(told.filter((one) => one.endsWith(' sales'))).toEqual([`${ada.id} sales`])
})

test('reads a year of many sales from daily sums without reading any sale', { timeout: 60_000 }, async () => {
  const ada = await open.shop.join()
  // 50 products that sell each day of two years
  await open.shop.asOwner(`INSERT INTO sales_days (seller_id, kind, day, key, orders, sales, gross_cents, views)
    SELECT '${ada.id}', kind, utc_day(now()) - n, key, 70, 70, 70000, 100
    FROM generate_series(0, 729) n CROSS JOIN LATERAL (
      SELECT 'all' AS kind, '' AS key UNION ALL SELECT 'country', c FROM unnest('{DE,FR,GB,US,NG,BR}'::text[]) c
      UNION ALL SELECT 'product', md5(p::text)::uuid::text FROM generate_series(1, 50) p) keys`)
  await open.shop.asOwner('ANALYZE sales_days, product_sums')
  type Plan = {
    'Relation Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: Plan[]
  }
  const statements = parseSqlFile(readFileSync(join(import.meta.dirname, 'sales.sql'), 'utf8'))
  const { text } = required(
    statements.find(({ name }) => name === 'readSummary'),
    'the statement',
  )
  const { rows } = await open.shop.database.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    [ada.id, 365],
  )
  const scansOf = (one: Plan): Plan[] => [
    ...(one['Relation Name'] === undefined ? [] : [one]),
    ...(one.Plans ?? []).flatMap(scansOf),
  ]
  const scans = scansOf(rows[0]!['QUERY PLAN'][0]!.Plan)
  expect(scans.map((one) => one['Relation Name'])).not.toContain('earnings')
  const read = scans.reduce(
    (sum, one) => sum + (one['Actual Rows'] + (one['Rows Removed by Filter'] ?? 0)) * one['Actual Loops'],
    0,
  )
  // two years of days, one year of six countries, and the sums of the best products
  expect(read).toBeLessThanOrEqual(730 + 365 * 6 + 20)
})

test('a member becomes a seller with the first product', async () => {
  const ada = await open.shop.join()
  expect((await ada.call(getCurrentUser, {})).isSeller).toBe(false)
  await list(ada)
  expect((await ada.call(getCurrentUser, {})).isSeller).toBe(true)
})
