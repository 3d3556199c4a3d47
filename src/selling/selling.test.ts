import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct, type TestProduct } from '../../test/goods.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { createProduct, getProduct, listProducts } from '../catalogue/catalogue.contract.ts'
import { sweepUploads } from '../uploads/sweep.server.ts'
import { startPayment } from '../checkout/checkout.contract.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import {
  listOwnProducts,
  MAX_CHOSEN,
  relistMany,
  relistProduct,
  removeProduct,
  withdrawMany,
  withdrawProduct,
} from './selling.contract.ts'

const open = openShopForTests()

const run = (text: ReturnType<typeof sql>) => text.execute(open.shop.database.db)

/** A listed product of this seller. */
async function list(seller: Person, title = 'A small book'): Promise<TestProduct> {
  const product = await addProduct(open.shop, { title })
  await run(sql`UPDATE objects SET user_id = ${seller.id}::uuid
    FROM product_files f WHERE f.object_id = objects.id AND f.product_id = ${product.id}::uuid`)
  await run(sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${product.id}::uuid`)
  return product
}

const statusOf = async (seller: Person, id: string) =>
  (await seller.call(listOwnProducts, {})).find((product) => product.id === id)?.status

/** Returns `isActive` as a visitor reads it, or the HTTP status of the error. */
const seen = (id: string) =>
  open.shop.call(getProduct, { id }).then(
    ({ isActive }) => isActive,
    ({ status }: { status: number }) => status,
  )

test('removes a withdrawn product from the shop, marks it in carts, and still serves its buyers', async () => {
  const { shop } = open
  const [ada, buyer, other] = [await shop.join(), await shop.join(), await shop.join()]
  const book = await list(ada, 'Withdrawn Book')
  const { id, lines } = await buy(shop, buyer, book)
  await other.call(addToCart, { productId: book.id, quantity: 1 })
  expect(await seen(book.id)).toBe(true)

  expect(await ada.call(withdrawProduct, { id: book.id })).toEqual({ changed: [book.id], refused: [] })
  await expect.poll(() => seen(book.id)).toBe(404)
  expect(await shop.call(listProducts, { q: 'Withdrawn Book' })).toEqual([])
  expect((await other.call(getCart, {}))[0]!.product.isActive).toBe(false)
  const items = [{ productId: book.id, quantity: 1 }]
  const order = { amount: book.price, currency: 'USD' as const, intent: 'capture' as const, items }
  await expect(other.call(startPayment, order)).rejects.toMatchObject({ status: 409 })
  const { url } = await buyer.call(grantDownload, { id, lineId: lines[0]!.id })
  const download = await fetch(shop.url + url, { headers: { cookie: buyer.cookie } })
  expect(Buffer.from(await download.arrayBuffer()).equals(book.bytes)).toBe(true)

  // a repeated request changes nothing
  expect(await ada.call(withdrawProduct, { id: book.id })).toEqual({ changed: [], refused: [] })
  expect(await ada.call(relistProduct, { id: book.id })).toEqual({ changed: [book.id], refused: [] })
  await expect.poll(() => seen(book.id)).toBe(true)
  expect((await other.call(getCart, {}))[0]!.product.isActive).toBe(true)
})

test('withdraws and relists many products, or none if one belongs to another seller', async () => {
  const [ada, eve] = [await open.shop.join(), await open.shop.join()]
  const [one, two, hers] = [await list(ada), await list(ada), await list(eve)]
  const bare = await ada.call(createProduct, { title: 'Bare', price: '4', categoryId: 'ebooks' })
  await expect(ada.call(withdrawMany, { ids: [one.id, hers.id] })).rejects.toMatchObject({ status: 404 })
  expect(await statusOf(ada, one.id)).toBe('listed')

  const { changed } = await ada.call(withdrawMany, { ids: [one.id, two.id, bare.id, one.id] })
  expect(changed.toSorted()).toEqual([one.id, two.id, bare.id].toSorted())
  expect(await statusOf(ada, two.id)).toBe('withdrawn')
  const back = await ada.call(relistMany, { ids: [two.id, one.id, bare.id] })
  expect(back.changed.toSorted()).toEqual([one.id, two.id].toSorted())
  expect(back.refused).toEqual([bare.id])
  expect(await statusOf(ada, one.id)).toBe('listed')
  expect(await statusOf(ada, bare.id)).toBe('withdrawn')
  await expect(ada.call(relistProduct, { id: bare.id })).rejects.toMatchObject({
    status: 409,
    code: 'goods_missing',
  })
  for (const ids of [[], ['x'], Array.from({ length: MAX_CHOSEN + 1 }, () => one.id)])
    await expect(ada.call(withdrawMany, { ids })).rejects.toMatchObject({ status: 400 })
})

test("rejects changes of other sellers' products, deleted products and unknown products", async () => {
  const [ada, eve] = [await open.shop.join(), await open.shop.join()]
  const staff = await open.shop.join({ isAdmin: true })
  const [hers, gone] = [await list(eve), await list(ada)]
  await ada.call(removeProduct, { id: gone.id })
  for (const endpoint of [withdrawProduct, relistProduct, removeProduct]) {
    for (const id of [hers.id, gone.id, crypto.randomUUID(), 'x'])
      await expect(ada.call(endpoint, { id }), endpoint.line).rejects.toMatchObject({ status: 404 })
    await expect(staff.call(endpoint, { id: hers.id })).rejects.toMatchObject({ status: 404 })
    await expect(open.shop.call(endpoint, { id: hers.id })).rejects.toMatchObject({ status: 401 })
  }
  expect(await statusOf(eve, hers.id)).toBe('listed')
})

test('does not evict the cached catalogue if a request changes nothing', async () => {
  const ada = await open.shop.join()
  const book = await list(ada)
  const told: string[] = []
  const client = await open.shop.database.pool.connect()
  await client.query('LISTEN catalogue')
  client.on('notification', ({ channel }) => told.push(channel))
  await ada.call(relistProduct, { id: book.id })
  await ada.call(withdrawProduct, { id: crypto.randomUUID() }).catch(() => undefined)
  await client.query('SELECT 1')
  expect(told).toEqual([])
  await ada.call(withdrawProduct, { id: book.id })
  await client.query('SELECT 1')
  expect(told).toEqual(['catalogue'])
  await client.query('UNLISTEN catalogue')
  client.release(true)
})

test('deletes a product that was never sold, with the bytes of its file', async () => {
  const { shop } = open
  const ada = await shop.join()
  const book = await list(ada)
  const { rows } = await run(
    sql<{ objectId: string }>`SELECT object_id FROM product_files WHERE product_id = ${book.id}`,
  )
  const [{ objectId }] = rows as [{ objectId: string }]
  expect(await ada.call(removeProduct, { id: book.id })).toEqual({ outcome: 'deleted' })
  await expect.poll(() => seen(book.id)).toBe(404)
  expect((await run(sql`SELECT FROM products WHERE id = ${book.id}`)).rows).toEqual([])
  await run(
    sql`UPDATE objects SET created_at = now() - interval '2 days', stored_at = now() - interval '2 days' WHERE id = ${objectId}`,
  )
  await sweepUploads(shop.database.db, shop.storage)
  await expect(shop.storage.open(objectId)).rejects.toMatchObject({ status: 404 })
})

test.each([
  ['was sold', async (book: TestProduct, buyer: Person) => buy(open.shop, buyer, book)],
  [
    'stands in an unpaid order',
    async (book: TestProduct, buyer: Person) => {
      const items = [{ productId: book.id, quantity: 1 }]
      return buyer.call(startPayment, { amount: book.price, currency: 'USD', intent: 'capture', items })
    },
  ],
  [
    'lies in a cart',
    async ({ id }: TestProduct, buyer: Person) => buyer.call(addToCart, { productId: id, quantity: 1 }),
  ],
])('archives a product that %s instead of deleting it', async (_, use) => {
  const [ada, buyer] = [await open.shop.join(), await open.shop.join()]
  const book = await list(ada)
  await use(book, buyer)
  expect(await ada.call(removeProduct, { id: book.id })).toEqual({ outcome: 'archived' })
  expect(await ada.call(listOwnProducts, {})).toEqual([])
  await expect.poll(() => seen(book.id)).toBe(404)
  await expect(ada.call(relistProduct, { id: book.id })).rejects.toMatchObject({ status: 404 })
  expect((await run(sql`SELECT file_id IS NOT NULL AS kept FROM products WHERE id = ${book.id}`)).rows).toEqual([
    { kept: true },
  ])
  for (const { product } of await buyer.call(getCart, {})) expect(product.isActive).toBe(false)
})
