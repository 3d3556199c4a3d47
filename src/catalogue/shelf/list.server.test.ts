import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { record } from '../../../bench/record.ts'
import { type Served, startServed } from '../../../test/served.ts'
import { type Product, SORTS } from '../catalogue.contract.ts'
import { catalogueRoutes } from '../catalogue.server.ts'
import { readProducts } from './list.server.ts'

type Row = { title: string; description: string; cents: number; category: string; minutes: number; rank: number | null }

const named: Row[] = [
  ['Sourdough Starter Journal', 'A printable journal for the first thirty days.', 'ebooks'],
  ['Night Trains', 'Field recordings from four sleepers across Europe. A journal of sounds.', 'audio'],
  ['Corner Café Gift Card $25', 'Spend it at any of the forty places.', 'gift-cards'],
  ['Python for Gardeners', 'Water your plants with a script while you have a coffee.', 'courses'],
  ['100% Cotton Patterns', 'Forty sewing patterns.', 'ebooks'],
  ['Coffee at Home', 'Brew it like a barista.', 'courses'],
].map(([title, description, category], i) => ({
  title: title!,
  description: description!,
  category: category!,
  cents: 500 + i,
  minutes: i,
  rank: i < 3 ? 3 - i : null,
}))
// equal keys, so that pages end between them
const many: Row[] = Array.from({ length: 140 }, (_, i) => ({
  title: `${['Zebra', 'apple', 'Äther', 'book'][i % 4]} ${i % 7}`,
  description: i % 5 === 0 ? 'alike' : '',
  cents: 100 + (i % 6) * 50,
  category: ['software', 'crypto', 'prepaid'][i % 3]!,
  minutes: 100 + Math.floor(i / 4),
  rank: null,
}))

let shop: Served
let ada: string
beforeAll(async () => {
  const config = { publicUrl: undefined }
  shop = await startServed((storage) => catalogueRoutes({ storage, config }))
  const { id } = await shop.addPerson()
  ada = (await shop.addPerson({ firstName: 'Ada', lastName: 'Lovelace' })).id
  await shop.db
    .insertInto('products')
    .values(
      [...named, ...many].map(({ title, description, cents, category, minutes, rank }) => ({
        sellerId: title.startsWith('100%') ? ada : id,
        title,
        description,
        priceCents: cents,
        categoryId: category,
        featuredRank: rank,
        delivery: 'code' as const,
        createdAt: new Date(Date.UTC(2026, 0, 1) - minutes * 60_000),
      })),
    )
    .execute()
})
afterAll(() => shop.stop())

async function get(query: Record<string, string | number> | string) {
  const search =
    typeof query === 'string'
      ? query
      : new URLSearchParams(Object.entries(query).map(([k, v]): [string, string] => [k, `${v}`]))
  const url = `${shop.url}/api/products?${search}`
  // retry, because a busy server may close an idle connection just as the client reuses it
  const response = await fetch(url).catch(() => fetch(url))
  const products = (await response.json()) as Product[]
  const [, next] = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return { status: response.status, products, total: Number(response.headers.get('x-total-count')), next }
}
const titles = async (query: Record<string, string | number>) => (await get(query)).products.map(({ title }) => title)

async function readAll(query: Record<string, string | number>) {
  const all: Product[] = []
  const totals = new Set<number>()
  for (let next: string | undefined = `?${new URLSearchParams(query as Record<string, string>)}`; next;) {
    const page = await get(next.slice(next.indexOf('?') + 1))
    expect(page.status).toBe(200)
    all.push(...page.products)
    totals.add(page.total)
    next = page.next
  }
  expect([...totals]).toEqual([all.length])
  return all
}

test('returns every product once over all pages', async () => {
  const whole = new Map<string, string[]>()
  const ids = (products: Product[]) => products.map(({ id }) => id)
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          sort: fc.constantFrom(...SORTS),
          categoryId: fc.constantFrom('software', 'ebooks', 'courses'),
          q: fc.constantFrom('alike', 'zebra', 'apple 3', 'software'),
          price: fc.constantFrom('1-2', '2-'),
          kind: fc.constantFrom('code', 'file'),
          stock: fc.constant('any'),
        },
        { requiredKeys: [] },
      ),
      fc.integer({ min: 1, max: 60 }),
      async (asked, limit) => {
        const key = JSON.stringify(asked)
        if (!whole.has(key)) whole.set(key, ids((await get({ ...asked, limit: 200 })).products))
        expect(ids(await readAll({ ...asked, limit }))).toEqual(whole.get(key))
      },
    ),
    { numRuns: 60 },
  )
})

test('returns sixty products per page by default', async () => {
  const { products, total, next } = await get('')
  expect(products).toHaveLength(60)
  expect(total).toBe(146)
  expect(next).toMatch(/^\/api\/products\?after=[\w-]+$/)
})

test('sorts featured products by rank, then the newest of each category in turn', async () => {
  const { products } = await get({ limit: 12 })
  expect(products.slice(0, 3).map(({ title }) => title)).toEqual([
    'Corner Café Gift Card $25',
    'Night Trains',
    'Sourdough Starter Journal',
  ])
  const turns = products.slice(3).map(({ categoryId }) => categoryId)
  expect(turns.slice(0, 4).toSorted()).toEqual(['courses', 'crypto', 'prepaid', 'software'])
  expect(turns.slice(4).toSorted()).toEqual(['courses', 'crypto', 'ebooks', 'prepaid', 'software'])
  expect((await get({ limit: 12, sort: 'featured' })).products).toEqual(products)
  expect(await titles({ categoryId: 'courses' })).toEqual(['Python for Gardeners', 'Coffee at Home'])
})

test('filters by kind and includes sold-out products only on request', async () => {
  const set = (title: string, change: string) =>
    shop.pool.query(`UPDATE products SET ${change} WHERE title = $1`, [title])
  await set('Coffee at Home', `delivery = 'license'`)
  onTestFinished(async () => void (await set('Coffee at Home', `delivery = 'code'`)))
  expect((await readAll({ kind: 'license' })).map(({ title }) => title)).toEqual(['Coffee at Home'])
  expect(await titles({ kind: 'license', q: 'coffee', categoryId: 'courses' })).toEqual(['Coffee at Home'])
  expect(await titles({ kind: 'license', q: 'journal' })).toEqual([])
  await set('Python for Gardeners', 'is_out_of_stock = true')
  onTestFinished(async () => void (await set('Python for Gardeners', 'is_out_of_stock = false')))
  const courses = { categoryId: 'courses' }
  await expect.poll(() => titles(courses)).toEqual(['Coffee at Home'])
  // a product that never had codes is not sold out
  expect(await titles({ ...courses, stock: 'any' })).toEqual(['Coffee at Home'])
  await shop.pool.query(`INSERT INTO codes (product_id, ciphertext, fingerprint, state)
    SELECT id, '', gen_random_uuid()::text, 'void' FROM products WHERE title = 'Python for Gardeners'`)
  await set('Python for Gardeners', 'is_out_of_stock = true')
  const shown = async () =>
    (await get({ ...courses, stock: 'any' })).products.map(({ title, isActive }) => [title, isActive])
  await expect.poll(shown).toEqual([
    ['Python for Gardeners', false],
    ['Coffee at Home', true],
  ])
  expect(await titles({ q: 'python', stock: 'any' })).toEqual(['Python for Gardeners'])
})

test('filters by price range and rating, and sorts by rating', async () => {
  expect(await readAll({ price: '5-6', limit: 50 })).toHaveLength(named.length)
  expect(await titles({ price: '0-0' })).toEqual([])
  // each product is in exactly one range
  const ranges = await Promise.all(['0-3', '3-4', '4-'].map((price) => readAll({ price, limit: 50 })))
  expect(ranges.flat()).toHaveLength((await readAll({ limit: 50 })).length)
  const dear = await readAll({ price: '3-', limit: 50 })
  expect(Math.min(...dear.map(({ price }) => Number(price)))).toBe(3)
  expect(await titles({ stars: 1 })).toEqual([])
  const [coffee, python] = (await get({ categoryId: 'courses', sort: 'title' })).products
  await rate(coffee!.id, [4, 5, 4])
  await rate(python!.id, [5, 4])
  await expect.poll(() => titles({ sort: 'rating', limit: 2 })).toEqual(['Python for Gardeners', 'Coffee at Home'])
  expect(await titles({ stars: 4, sort: 'price-asc' })).toEqual(['Python for Gardeners', 'Coffee at Home'])
  expect(await titles({ stars: 5 })).toEqual([])
  expect((await get({ q: 'coffee' })).products[0]).toMatchObject({ rated: { stars: 4.3, reviews: 3, samples: 3 } })
  expect((await get({ q: 'cotton' })).products[0]).toMatchObject({ rated: null, sellerName: 'Ada L.' })
})

const rate = (productId: string, stars: number[]) =>
  shop.db
    .insertInto('reviews')
    .values(stars.map((of) => ({ productId, stars: of, body: '', sampleAuthor: 'Sam' })))
    .execute()

test('sorts featured products by time with "newest"', async () => {
  const newest = await readAll({ sort: 'newest', limit: 50 })
  expect(newest.slice(0, 4).map(({ title }) => title)).toEqual([
    'Sourdough Starter Journal',
    'Night Trains',
    'Corner Café Gift Card $25',
    'Python for Gardeners',
  ])
  expect(newest).toHaveLength(146)
})

test('sorts prices and titles in both directions', async () => {
  const prices = (await readAll({ sort: 'price-asc', limit: 50 })).map(({ price }) => Number(price))
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  expect((await readAll({ sort: 'price-desc', limit: 50 })).map(({ price }) => Number(price))).toEqual(
    prices.toReversed(),
  )
  expect((await titles({ sort: 'title', limit: 1 }))[0]).toBe('100% Cotton Patterns')
})

test('returns only products of the category', async () => {
  const { products, total } = await get({ categoryId: 'ebooks' })
  expect(products.map(({ categoryId }) => categoryId)).toEqual(['ebooks', 'ebooks'])
  expect(total).toBe(2)
  expect(await get({ categoryId: 'nothing' })).toMatchObject({ status: 200, products: [], total: 0 })
})

test.each([
  ['journal', ['Sourdough Starter Journal', 'Night Trains'], 'the title counts more than the description'],
  ['journals', ['Sourdough Starter Journal', 'Night Trains'], 'endings do not matter'],
  ['sourd', ['Sourdough Starter Journal'], 'while typing'],
  ['night tr', ['Night Trains'], 'while typing the second word'],
  ['coffee', ['Coffee at Home', 'Python for Gardeners'], 'the title counts more, though it is older'],
  ['cafe gift', ['Corner Café Gift Card $25'], 'an accent is missing'],
  ['barista', ['Coffee at Home'], 'the description is read too'],
  ['"night trains"', ['Night Trains'], 'a phrase'],
  ['journal -sourdough', ['Night Trains'], 'without a word'],
  ['100%', ['100% Cotton Patterns'], 'a wildcard is no wildcard'],
  ['sourdough key', ['Sourdough Starter Journal'], 'its kind'],
  ['the home', ['Coffee at Home'], 'without the words that every text has'],
  ['ada', ['100% Cotton Patterns'], 'the seller'],
  ['ada lovelace', [], 'the surname is not public'],
  ['5.04', ['100% Cotton Patterns'], 'the price'],
  ['course plants', ['Python for Gardeners'], 'the category'],
  ['app gardeners', [], 'no word of the category'],
  ['e-book cotton', ['100% Cotton Patterns'], 'a synonym'],
  ['otto', ['100% Cotton Patterns'], 'the middle of a word, because no word starts with it'],
  ['pyhton', [], 'a misspelt word'],
  ['%', [], 'only a wildcard'],
  ['_', [], 'only another'],
  ["'; DROP TABLE products; --", [], 'an attack'],
  ['xyzzyq', [], 'nothing like it'],
  ['(((', [], 'no words'],
])('searches %j and finds %j: %s', async (q, expected) => {
  expect(await titles({ q })).toEqual(expected)
  expect((await get({ q })).total).toBe(expected.length)
})

// titles with compounds, versions, widths, marks and scripts without spaces
const WRITTEN: [title: string, typed: string[]][] = [
  ['Mac/Windows licence', ['windows', 'mac/windows', 'mac windows']],
  ['Piano/Vocal score', ['vocal', 'piano vocal']],
  ['Mix & master/stems', ['stems', 'mix and master']],
  ['AC/DC tribute tabs', ['dc', 'acdc', 'AC-DC']],
  ['Audio 24-bit/96kHz', ['96khz', '24bit', '24-bit', '96 khz', 'khz']],
  ['Session at 48 kHz', ['48khz']],
  ['Xbox-360-controller skins', ['360', 'xbox360', 'controller']],
  ['pre-2000 fonts', ['2000', 'pre2000']],
  ['Node.js handbook', ['js', 'nodejs', 'node.js', 'node js']],
  ['v2.0.1 update', ['2.0.1', 'v2.0.1', 'v2']],
  ['my_file_name template', ['file_name', 'name templ']],
  ['Wi-Fi map', ['wifi', 'wi fi', 'wi-fi', 'WiFi map']],
  ['Lofi mixtape', ['lo-fi']],
  ['lo-fi beats, sci-fi covers', ['lofi', 'scifi']],
  ['日本語の本 入門', ['本', '語の本', '日本語', '入門']],
  ['한국어문법책', ['문법', '한국어']],
  ['ｶﾀｶﾅ練習帳', ['カタカナ', '練習', 'ｶﾀｶﾅ']],
  ['ＦＵＬＬＷＩＤＴＨ poster', ['fullwidth']],
  ['ﬁneart prints', ['fineart']],
  ['Łódź walks', ['lodz', 'Łódź', 'łodz']],
  ['Søren on smørrebrød', ['soren', 'smorrebrod', 'SØREN']],
  ['Đà Nẵng phrasebook', ['da nang', 'Đà Nẵng']],
  ['Straßenfotografie', ['strasse', 'straße', 'STRASSE']],
  ['Ærø ferry œuvre', ['aero', 'oeuvre']],
  ['مُحَمَّد poems', ['محمد']],
  ['שָׁלוֹם songs', ['שלום']],
  ['हिंदी व्याकरण', ['हिंदी', 'व्याकरण']],
  ['ภาษาไทยเบื้องต้น', ['ภาษา', 'ไทย']],
  ['Türkçe İstanbul ıslık', ['istanbul', 'islik', 'turkce']],
  ['Photoshop™ brushes x²', ['photoshop', 'x2']],
  ['C++ for .NET people', ['c++', '.net']],
]
test.each(WRITTEN)('%j is found as %j', async (title, typed) => {
  const [row] = await shop.db
    .insertInto('products')
    .values({ sellerId: ada, title, priceCents: 4321, categoryId: 'courses', delivery: 'code' })
    .returning('id')
    .execute()
  onTestFinished(async () => void (await shop.db.deleteFrom('products').where('id', '=', row!.id).execute()))
  for (const q of typed) await expect.poll(() => titles({ q }), { message: q }).toContain(title)
})

test('filters by a price phrase in the search and ranks a bare price first', async () => {
  expect(await titles({ q: 'under $2', limit: 200 })).toEqual(await titles({ price: '0-2', limit: 200 }))
  expect(await titles({ q: 'coffee under 5.04' })).toEqual(['Python for Gardeners'])
  expect(await titles({ q: 'coffee at least 5.04' })).toEqual(['Coffee at Home'])
  expect(await titles({ q: 'coffee at least 5.04', price: '0-5' })).toEqual([])
  const zebras = await readAll({ q: 'zebra', limit: 50 })
  const some = zebras.filter(({ price }) => Number(price) >= 1.5 && Number(price) <= 2.5).map(({ id }) => id)
  expect(some.length).toBeGreaterThan(5)
  expect((await readAll({ q: 'zebra between 1.50 and 2.50', limit: 3 })).map(({ id }) => id)).toEqual(some)
  expect((await titles({ q: '$5' }))[0]).toBe('Sourdough Starter Journal')
})

test.each([
  ['sourdogh', 'sourdough', ['Sourdough Starter Journal'], 'a letter is missing'],
  ['pyhton', 'python', ['Python for Gardeners'], 'two letters are swapped'],
  ['cofffee', 'coffee', ['Coffee at Home', 'Python for Gardeners'], 'a letter is doubled'],
  ['giftt crad cafe', 'gift card cafe', ['Corner Café Gift Card $25'], 'several words'],
  ['cotton trains', null, ['Night Trains', '100% Cotton Patterns'], 'no product has both words'],
  ['xyzzyq', null, [], 'nothing like it'],
  ['%', null, [], 'no words'],
])('finds nothing for %j and suggests %j with %j: %s', async (q, words: string | null, expected, _why) => {
  expect((await get({ q })).products).toEqual([])
  const answer = await fetch(`${shop.url}/api/products/suggestions?${new URLSearchParams({ q })}`)
  const suggested = (await answer.json()) as { words: string | null; products: Product[] }
  expect({ ...suggested, products: suggested.products.map(({ title }) => title) }).toEqual({
    words,
    products: expected,
  })
})

test('updates the search on every node after changes of product, seller and category', async () => {
  const cotton = ['100% Cotton Patterns']
  const others = async (q: string) => {
    const answer = await fetch(`${shop.otherUrl}/api/products?${new URLSearchParams({ q })}`)
    return ((await answer.json()) as Product[]).map(({ title }) => title)
  }
  expect(await others('grace')).toEqual([])
  await shop.db.updateTable('users').set({ firstName: 'Grace' }).where('id', '=', ada).execute()
  await expect.poll(() => others('grace')).toEqual(cotton)
  expect(await titles({ q: 'ada' })).toEqual([])
  await shop.db.updateTable('users').set({ erasedAt: new Date() }).where('id', '=', ada).execute()
  await expect.poll(() => others('grace')).toEqual([])

  await shop.db.updateTable('products').set({ priceCents: 7777 }).where('title', '=', cotton[0]!).execute()
  await expect.poll(() => others('77.77')).toEqual(cotton)
  await shop.db.updateTable('categories').set({ name: 'Novels' }).where('id', '=', 'ebooks').execute()
  await expect.poll(() => others('novel cotton')).toEqual(cotton)
})

test('accepts any text as a search', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (q) => {
      const { status } = await get({ q })
      expect(status).toBe(q.includes('\0') ? 400 : 200)
      const suggestions = await fetch(`${shop.url}/api/products/suggestions?${new URLSearchParams({ q })}`)
      expect(suggestions.status).toBe(q.includes('\0') || q.trim() === '' ? 400 : 200)
    }),
    { numRuns: 80 },
  )
})

test.each([
  'limit=0',
  'limit=201',
  'limit=x',
  'limit=1.5',
  'sort=cheap',
  'categoryId=A',
  'unknown=1',
  'limit=1&limit=2',
  `q=${'x'.repeat(201)}`,
  'q=%00',
  'after=x',
  'after=W10',
  'after=bnVsbA',
  `after=${cursor(['title', 'a', 'x'])}`,
  'price=5',
  'price=-5',
  'price=1-2-3',
  'stars=0',
  'stars=x',
  'kind=car',
  'stock=none',
  `after=${cursor(['mixed', 1e20, 1, 1, '00000000-0000-4000-8000-000000000000'])}`,
  `after=${cursor(['mixed', 1, 1, '1', '00000000-0000-4000-8000-000000000000'])}`,
  `sort=newest&after=${cursor(['newest', 1, 1, '00000000-0000-4000-8000-000000000000'])}`,
  `after=${cursor(['price-asc', 1, '00000000-0000-4000-8000-000000000000'])}`,
  `sort=price-desc&after=${cursor(['price-asc', 1, '00000000-0000-4000-8000-000000000000'])}`,
  `sort=title&after=${cursor(['title', 'a\0', '00000000-0000-4000-8000-000000000000'])}`,
])('rejects the query %s', async (query) => {
  expect((await get(query)).status).toBe(400)
})

test('returns an empty page for a cursor beyond the last product', async () => {
  const edge = cursor([
    'mixed',
    Number.MIN_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    '00000000-0000-4000-8000-000000000000',
  ])
  expect(await get(`after=${edge}`)).toMatchObject({ status: 200, products: [] })
  const late = cursor([
    'mixed',
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
    '00000000-0000-4000-8000-000000000000',
  ])
  expect((await get(`after=${late}`)).status).toBe(200)
})

function cursor(keys: unknown[]) {
  return Buffer.from(JSON.stringify(keys)).toString('base64url')
}

test('ranks matching titles first in a broad search and returns every match once over all pages', async () => {
  const add = (title: string, description: string, minutes: number) => ({
    sellerId: ada,
    title,
    description,
    priceCents: 900,
    categoryId: 'software',
    delivery: 'code' as const,
    createdAt: new Date(Date.UTC(2026, 0, 1) - minutes * 60_000),
  })
  const newer = Array.from({ length: 650 }, (_, i) => add(`Part ${i}`, 'A spare gizmo', i))
  const older = [add('Gizmos at Work', '', 2000), add('Gizmo', '', 3000), add('The Gizmology of Rivers', '', 4000)]
  await shop.db
    .insertInto('products')
    .values([...newer, ...older])
    .execute()
  const best = ['Gizmo', 'Gizmos at Work', 'The Gizmology of Rivers']
  await expect.poll(() => titles({ q: 'gizmo', limit: 3 })).toEqual(best)
  expect((await titles({ q: 'giz', limit: 3 })).toSorted()).toEqual(best)
  const all = await readAll({ q: 'gizmo', limit: 190 })
  expect(new Set(all.map(({ id }) => id)).size).toBe(653)
  expect(await readAll({ q: 'gizmo', limit: 200, sort: 'title' })).toHaveLength(653)

  // a broad search exists only in a large shop
  await shop.pool.query('UPDATE listed_products SET count = count + 10000')
  onTestFinished(() => shop.pool.query('UPDATE listed_products SET count = count - 10000').then(() => undefined))
  const found: string[] = []
  // reads without HTTP, because \`get\` may send a request twice
  const sent = await record(async () => {
    const { json } = await readProducts(shop.pool, { q: 'GIZMO', limit: 2 })
    found.push(...(JSON.parse(json) as Product[]).map(({ title }) => title))
  })
  expect(found).toEqual(best.slice(0, 2))
  expect(sent.map(({ name, text }) => name ?? text)).toEqual(['list_relevance_search', 'list_relevance_broad'])
  expect((await readAll({ q: 'Gizmo', limit: 190 })).map(({ id }) => id).toSorted()).toEqual(
    all.map(({ id }) => id).toSorted(),
  )
})

test('does not hide a category’s other products behind its featured ones', async () => {
  const rows = [4, 5, 6, null].map((rank) => ['audio', rank] as const)
  await shop.db
    .insertInto('products')
    .values(
      [...rows, ['courses', null] as const].map(([categoryId, featuredRank], i) => ({
        sellerId: ada,
        title: `Tape ${i}`,
        priceCents: 9000,
        categoryId,
        featuredRank,
        delivery: 'code' as const,
      })),
    )
    .execute()
  expect(new Set((await readAll({ price: '90-91', limit: 1 })).map(({ title }) => title)).size).toBe(5)
})

test('locks the counts of categories in order when a product moves, and keeps them correct', async () => {
  const [holder, mover] = [await shop.pool.connect(), await shop.pool.connect()]
  try {
    await holder.query(`BEGIN; SELECT FROM listed_products WHERE category_id = 'audio' FOR UPDATE`)
    const moved = mover.query(
      `UPDATE products SET category_id = 'audio' WHERE title = 'Coffee at Home' OR category_id = 'software'`,
    )
    const waiting = `SELECT FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))`
    const { pid } = (await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!
    await expect.poll(async () => (await shop.pool.query(waiting, [pid])).rowCount).toBe(1)
    const free = `SELECT FROM listed_products WHERE category_id IN ('courses', 'software') FOR UPDATE SKIP LOCKED`
    expect((await holder.query(free)).rowCount).toBe(2)
    await holder.query('COMMIT')
    await moved
  } finally {
    holder.release(true)
    mover.release(true)
  }
  const { rows } = await shop.pool.query(`SELECT l.category_id FROM listed_products l
    WHERE count <> (SELECT count(*) FROM products p WHERE p.is_listed AND p.category_id = l.category_id)`)
  expect(rows).toEqual([])
})
