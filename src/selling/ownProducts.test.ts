import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { record } from '../../bench/record.ts'
import { addFile, addProduct } from '../../test/goods.ts'
import { buy } from '../../test/buy.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { createProduct } from '../catalogue/catalogue.contract.ts'
import { revokeEntitlements } from '../delivery/entitlements.server.ts'
import { writeCursor } from '../catalogue/shelf/cursor.server.ts'
import { addAllEvents } from './sales/rollup.server.ts'
import { getSales } from './sales/sales.contract.ts'
import { listOwnProducts, OWN_SORTS, type OwnProduct, type OwnSort, withdrawProduct } from './selling.contract.ts'

const open = openShopForTests()

const add = (person: Person, title: string, price = '4') =>
  person.call(createProduct, { title, description: 'x'.repeat(300), price, categoryId: 'ebooks' })
const file = ({ id: userId }: Person, productId: string) => {
  const files = { db: open.shop.database.db, storage: open.shop.storage }
  return addFile(files, { productId, userId, bytes: Buffer.from('Pages'), sha256: 'a'.repeat(64) })
}
async function giveTo<P extends { id: string }>({ id }: Person, product: P): Promise<P> {
  await run(sql`UPDATE products SET seller_id = ${id}::uuid WHERE id = ${product.id}::uuid`)
  return product
}
const run = (text: ReturnType<typeof sql>) => text.execute(open.shop.database.db)
const addUp = () => addAllEvents(open.shop.database.db, async () => undefined)

async function readPage({ cookie }: Person, query: string) {
  const response = await fetch(`${open.shop.url}/api/account/products?${query}`, { headers: { cookie } })
  const after =
    /^<\/api\/account\/products\?.*after=([\w-]+).*>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  return { products: (await response.json()) as OwnProduct[], total: response.headers.get('x-total-count'), after }
}

test('lists all products of the seller with their status and no products of others', async () => {
  const ada = await open.shop.join()
  const [late, sold] = [await add(ada, 'Late Pages'), await add(ada, 'Sold Pages')]
  await file(ada, sold.id)
  await addProduct(open.shop, { title: 'Of another' })
  expect(await ada.call(listOwnProducts, {})).toEqual([
    expect.objectContaining({ id: sold.id, isActive: true, status: 'listed' }),
    {
      ...{ id: late.id, title: 'Late Pages', description: 'x'.repeat(200), price: '4.00', categoryId: 'ebooks' },
      ...{
        imageUrl: null,
        imageColor: null,
        rated: null,
        suggested: null,
        most: null,
        kind: 'file',
        sellerName: 'Test P.',
        isActive: false,
        createdAt: late.createdAt,
      },
      ...{ status: 'incomplete', withdrawnAt: null, delivery: 'file', stock: null, sales: 0, views: 0 },
    },
  ])
  for (const isAdmin of [false, true])
    expect(await (await open.shop.join({ isAdmin })).call(listOwnProducts, {})).toEqual([])
  await expect(open.shop.call(listOwnProducts, {})).rejects.toMatchObject({ status: 401 })
})

test('lists withdrawn products to their seller, but not deleted ones', async () => {
  const ada = await open.shop.join()
  const codes = await giveTo(ada, await addProduct(open.shop, { codes: ['K7QM-2XVD'] }))
  expect(await ada.call(listOwnProducts, {})).toMatchObject([{ isActive: true, status: 'listed', stock: 1 }])
  await ada.call(withdrawProduct, { id: codes.id })
  const [withdrawn] = await ada.call(listOwnProducts, {})
  expect(withdrawn).toMatchObject({ isActive: false, status: 'withdrawn' })
  expect(Date.parse(withdrawn!.withdrawnAt!)).toBeGreaterThan(Date.parse(withdrawn!.createdAt))
  await run(sql`UPDATE products SET deleted_at = now() WHERE id = ${codes.id}::uuid`)
  expect(await readPage(ada, '')).toEqual({ products: [], total: '0', after: null })
})

test('counts remaining codes and sales, with refunded sales but without own purchases', async () => {
  const { shop } = open
  const ada = await shop.join()
  const codes = await giveTo(ada, await addProduct(shop, { codes: ['K7QM-9WRC', 'T4HB-9WRC'] }))
  const buyer = await shop.join()
  await buy(shop, buyer, codes)
  const order = await buy(shop, buyer, codes)
  expect(await ada.call(listOwnProducts, {})).toMatchObject([{ stock: 0, sales: 2 }])
  await shop.database.db.transaction().execute((tx) => revokeEntitlements(tx, [order.lines![0]!.id]))
  expect(await ada.call(listOwnProducts, {})).toMatchObject([{ stock: 0, sales: 2 }])
  const book = await giveTo(ada, await addProduct(shop))
  await buy(shop, ada, book)
  expect(await ada.call(listOwnProducts, {})).toMatchObject([{ id: book.id, sales: 0 }, { sales: 2 }])
  expect((await ada.call(getSales, { days: 7 })).now).toMatchObject({ orders: 2, sales: 2 })
})

test('the job updates the sales count that sorts products, and refunds do not lower it', async () => {
  const { shop } = open
  const product = await addProduct(shop)
  const orders: { lines?: { id: string }[] }[] = []
  for (let i = 0; i < 3; i++) orders.push(await buy(shop, await shop.join(), product))
  const revoke = (i: number) =>
    shop.database.db.transaction().execute((tx) => revokeEntitlements(tx, [orders[i]!.lines![0]!.id]))
  const count = async () => {
    await addUp()
    const { rows } = await sql<{ sales: number }>`
      SELECT sales FROM product_counts WHERE product_id = ${product.id}::uuid`.execute(shop.database.db)
    return rows[0]!.sales
  }
  await revoke(0)
  expect(await count()).toBe(3)
  await revoke(1)
  expect(await count()).toBe(3)
})

test('reads a page and the total of many products by index', { timeout: 60_000 }, async () => {
  const ada = await open.shop.join()
  const count = 3000
  await run(sql`WITH made AS (
      INSERT INTO products (seller_id, category_id, title, price_cents)
      SELECT ${ada.id}::uuid, 'ebooks', 'No. ' || n, n FROM generate_series(1, ${count}::int) n RETURNING id)
    INSERT INTO sales_days (seller_id, kind, day, key, views)
      SELECT ${ada.id}::uuid, 'product', utc_day(now()), id, row_number() OVER () FROM made`)
  await run(sql`UPDATE product_counts SET sales = views WHERE seller_id = ${ada.id}::uuid`)
  const client = new pg.Client({ connectionString: open.shop.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  // VACUUM cannot mark rows as visible to all while another transaction is open, so retry
  await vi.waitFor(
    async () => {
      for (const table of ['products', 'product_counts']) await open.shop.asOwner(`VACUUM ANALYZE ${table}`)
      const { rows } = await client.query("SELECT relallvisible FROM pg_class WHERE relname = 'products'")
      expect(rows[0].relallvisible).toBeGreaterThan(0)
    },
    { timeout: 20_000, interval: 200 },
  )
  for (const sort of ['newest', 'sales', 'views', 'price', 'title'] as const) {
    const sent = await record(async () => {
      const first = await readPage(ada, `sort=${sort}`)
      if (sort === 'sales' || sort === 'views') expect(first.products[0]).toMatchObject({ views: count })
      const { products, total } = await readPage(ada, `sort=${sort}&after=${first.after}`)
      expect([products.length, total]).toEqual([60, String(count)])
    })
    const pages = sent.filter(({ name }) => name?.startsWith('ownProducts.list'))
    expect(pages).toHaveLength(2)
    for (const { text, values } of pages) {
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      )
      // only the count reads more than 500 rows, and it reads no row of the table
      expect(longOf(rows[0]!['QUERY PLAN'][0].Plan), sort).toEqual(['Index Only Scan'])
    }
  }
})

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Rows Removed by Filter'?: number; Plans?: Plan[] }
const longOf = (plan: Plan): string[] => [
  ...(plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) > 500 ? [plan['Node Type']] : []),
  ...(plan.Plans ?? []).flatMap(longOf),
]

test('searches titles and file names, and filters by status', async () => {
  const ada = await open.shop.join()
  const [cafe, tea] = [await add(ada, 'Café 100%'), await add(ada, 'Tea')]
  await file(ada, tea.id)
  const find = async (asked: object) => (await ada.call(listOwnProducts, asked)).map(({ title }) => title)
  expect(await find({ q: 'cafe' })).toEqual([cafe.title])
  expect(await find({ q: 'BOOK.txt' })).toEqual(['Tea'])
  expect(await find({ q: '0%' })).toEqual([cafe.title])
  expect(await find({ q: '%' })).toEqual([cafe.title])
  expect(await find({ q: '_' })).toEqual([])
  expect(await find({ status: 'listed' })).toEqual(['Tea'])
  expect(await find({ status: 'incomplete', q: 'tea' })).toEqual([])
  await open.shop.database.db.updateTable('products').set({ takenDown: 'Spam' }).where('id', '=', tea.id).execute()
  expect([await find({ status: 'listed' }), await find({ status: 'stopped' })]).toEqual([[], ['Tea']])
  expect(await find({ status: 'draft' })).toEqual([])
  await expect(find({ status: 'gone' })).rejects.toMatchObject({ status: 400 })
  await expect(find({ sort: 'luck' })).rejects.toMatchObject({ status: 400 })
})

test.each([
  ['newest', 'sold dear cheap'],
  ['sales', 'sold'],
  ['rating', 'dear'],
  ['price', 'dear sold cheap'],
  ['stock', 'sold'],
  ['title', 'cheap dear sold'],
] as [OwnSort, string][])('sorts by %s and pages through each product once', async (sort, first) => {
  const { shop } = open
  const ada = await shop.join()
  await file(ada, (await add(ada, 'cheap', '1')).id)
  const dear = await add(ada, 'dear', '9')
  await run(sql`INSERT INTO ratings (product_id, stars_5) VALUES (${dear.id}::uuid, 1)`)
  const sold = await giveTo(ada, await addProduct(shop, { title: 'sold', price: '5.00', codes: [crypto.randomUUID()] }))
  await run(sql`UPDATE products SET created_at = now() WHERE id = ${sold.id}::uuid`)
  await buy(shop, await shop.join(), sold)
  await addUp()
  const seen: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const page = await readPage(ada, `sort=${sort}&limit=1${after && `&after=${after}`}`)
    expect(page.total).toBe('3')
    seen.push(...page.products.map(({ title }) => title))
    after = page.after
  }
  expect(seen.toSorted()).toEqual(['cheap', 'dear', 'sold'])
  expect(seen.join(' ')).toMatch(new RegExp(`^${first}`))
  for (const other of OWN_SORTS.filter((one) => one !== sort)) {
    const { after } = await readPage(ada, `sort=${sort}&limit=1`)
    await expect(ada.call(listOwnProducts, { sort: other, after: after! })).rejects.toMatchObject({ status: 400 })
  }
})

test('lists each product once across pages, newest first, even with equal times', async () => {
  const [ada, eve] = [await open.shop.join(), await open.shop.join()]
  await add(eve, 'Of another')
  await run(sql`INSERT INTO products (seller_id, category_id, title, price_cents, created_at)
    SELECT ${ada.id}::uuid, 'ebooks', 'No. ' || n, 100, now() - n / 3 * interval '1 microsecond' FROM generate_series(1, 70) n`)
  const seen: OwnProduct[] = []
  for (let after: string | null = ''; after !== null;) {
    const page = await readPage(ada, `limit=25${after && `&after=${after}`}`)
    expect(page.total).toBe('70')
    seen.push(...page.products)
    after = page.after
  }
  const numbers = seen.map(({ title }) => Math.floor(Number(title.slice(4)) / 3))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(new Set(seen.map(({ id }) => id)).size).toBe(70)
  expect(await ada.call(listOwnProducts, {})).toHaveLength(60)
})

test("rejects an invalid cursor and shows only the caller's products for another seller's cursor", async () => {
  const ada = await open.shop.join()
  const mine = await add(ada, 'Mine')
  const id = crypto.randomUUID()
  const cursors = [
    'x',
    '',
    writeCursor('newest', [1, id]),
    writeCursor('own-newest', [1, 'x']),
    writeCursor('own-newest', ['1', id]),
  ]
  for (const after of cursors)
    await expect(ada.call(listOwnProducts, { after }), after).rejects.toMatchObject({ status: 400 })
  for (const limit of [0, 201, 1.5])
    await expect(ada.call(listOwnProducts, { limit })).rejects.toMatchObject({ status: 400 })
  for (const edge of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
    expect(await ada.call(listOwnProducts, { after: writeCursor('own-newest', [edge, id]) })).toHaveLength(
      edge > 0 ? 1 : 0,
    )
  const others = await open.shop.join()
  for (const title of ['a', 'b']) await add(others, title)
  const { after } = await readPage(others, 'limit=1')
  expect((await readPage(ada, `after=${after}`)).products.map((one) => one.id)).toEqual([mine.id])
})
