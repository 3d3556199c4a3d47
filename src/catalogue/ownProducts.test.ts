import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addFile, addProduct } from '../../test/goods.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { createProduct, getProduct, listOwnProducts, type OwnProduct } from './catalogue.contract.ts'
import { writeCursor } from './shelf/cursor.server.ts'

const open = openShopForTests()

const add = (person: Person, title: string) =>
  person.call(createProduct, { title, description: 'x'.repeat(300), price: '4', categoryId: 'ebooks' })
const run = (text: ReturnType<typeof sql>) => text.execute(open.shop.database.db)

async function readPage({ cookie }: Person, query: string) {
  const response = await fetch(`${open.shop.url}/api/account/products?${query}`, { headers: { cookie } })
  const after =
    /^<\/api\/account\/products\?limit=\d+&after=(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ??
    null
  return { products: (await response.json()) as OwnProduct[], total: response.headers.get('x-total-count'), after }
}

test('a seller finds all of their products, listed or with the reason why not, and no others', async () => {
  const ada = await open.shop.join()
  const [late, sold] = [await add(ada, 'Late Pages'), await add(ada, 'Sold Pages')]
  const files = { db: open.shop.database.db, storage: open.shop.storage }
  await addFile(files, { productId: sold.id, userId: ada.id, bytes: Buffer.from('Pages'), sha256: 'a'.repeat(64) })
  await addProduct(open.shop, { title: 'Of another' })
  const own = await ada.call(listOwnProducts, {})
  expect(own).toEqual([
    expect.objectContaining({ id: sold.id, isActive: true, isFileMissing: false, unlistedReason: null }),
    {
      ...{ id: late.id, title: 'Late Pages', description: 'x'.repeat(200), price: '4.00', categoryId: 'ebooks' },
      ...{ imageUrl: null, rated: null, sellerName: 'Test P.', isActive: false, createdAt: late.createdAt },
      // the same words as on its page
      ...{
        isFileMissing: true,
        isTakenDown: false,
        unlistedReason: (await ada.call(getProduct, { id: late.id })).unlistedReason,
      },
    },
  ])
  expect(own[1]!.unlistedReason).toMatch(/^Add the file/)
  // public answers leave the reason out
  for (const isAdmin of [false, true])
    expect(await (await open.shop.join({ isAdmin })).call(listOwnProducts, {})).toEqual([])
  await expect(open.shop.call(listOwnProducts, {})).rejects.toMatchObject({ status: 401 })
})

test("a product taken off sale stays in its seller's list, a deleted one leaves it", async () => {
  const ada = await open.shop.join()
  const codes = await addProduct(open.shop, { codes: ['K7QM-2XVD'] })
  await run(sql`UPDATE products SET seller_id = ${ada.id}::uuid WHERE id = ${codes.id}::uuid`)
  expect(await ada.call(listOwnProducts, {})).toMatchObject([{ isActive: true, isFileMissing: false }])
  await run(sql`UPDATE products SET is_active = false WHERE id = ${codes.id}::uuid`)
  expect(await ada.call(listOwnProducts, {})).toMatchObject([
    { isActive: false, isFileMissing: false, unlistedReason: 'You took it off sale.' },
  ])
  await run(sql`UPDATE products SET deleted_at = now() WHERE id = ${codes.id}::uuid`)
  expect(await readPage(ada, '')).toEqual({ products: [], total: '0', after: null })
})

test('lists products newest first, page by page, each once, even with equal times', async () => {
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

test("rejects a foreign cursor, and a cursor of another seller shows only the caller's products", async () => {
  const ada = await open.shop.join()
  const mine = await add(ada, 'Mine')
  const id = crypto.randomUUID()
  const cursors = ['x', '', writeCursor('newest', [1, id]), writeCursor('own', [1, 'x']), writeCursor('own', ['1', id])]
  for (const after of cursors)
    await expect(ada.call(listOwnProducts, { after }), after).rejects.toMatchObject({ status: 400 })
  for (const limit of [0, 201, 1.5])
    await expect(ada.call(listOwnProducts, { limit })).rejects.toMatchObject({ status: 400 })
  for (const edge of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
    expect(await ada.call(listOwnProducts, { after: writeCursor('own', [edge, id]) })).toHaveLength(edge > 0 ? 1 : 0)
  const others = await open.shop.join()
  for (const title of ['a', 'b']) await add(others, title)
  const { after } = await readPage(others, 'limit=1')
  expect((await readPage(ada, `after=${after}`)).products.map((one) => one.id)).toEqual([mine.id])
})
