import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { listSaved, MAX_SAVED, saveProduct, unsaveProduct } from './wishlist.contract.ts'

const open = openShopForTests()

const titlesOf = async (person: Person) => (await person.call(listSaved, {})).map(({ title }) => title)
const run = (text: ReturnType<typeof sql>) => text.execute(open.shop.database.db)

test('lists saved products newest first, once, for their owner only', async () => {
  const ada = await open.shop.join()
  const book = await addProduct(open.shop, { title: 'A book' })
  const song = await addProduct(open.shop, { title: 'A song', price: '2.50' })
  expect(await ada.call(saveProduct, { id: book.id })).toEqual({ isSaved: true })
  await ada.call(saveProduct, { id: song.id })
  await ada.call(saveProduct, { id: book.id })
  expect(await ada.call(listSaved, {})).toMatchObject([
    { id: song.id, title: 'A song', price: '2.50', isActive: true },
    { id: book.id },
  ])
  expect(await (await open.shop.join()).call(listSaved, {})).toEqual([])
  await expect(open.shop.call(listSaved, {})).rejects.toMatchObject({ status: 401 })
  expect(await ada.call(unsaveProduct, { id: song.id })).toEqual({ isSaved: false })
  expect(await ada.call(unsaveProduct, { id: song.id })).toEqual({ isSaved: false })
  expect(await titlesOf(ada)).toEqual(['A book'])
})

test('restores a removed product at its old position at once, but as new later', async () => {
  const ada = await open.shop.join()
  const first = await addProduct(open.shop, { title: 'First' })
  const second = await addProduct(open.shop, { title: 'Second' })
  for (const { id } of [first, second]) await ada.call(saveProduct, { id })
  await ada.call(unsaveProduct, { id: first.id })
  await ada.call(saveProduct, { id: first.id })
  expect(await titlesOf(ada)).toEqual(['Second', 'First'])
  await ada.call(unsaveProduct, { id: first.id })
  await run(sql`UPDATE saved_products SET removed_at = now() - interval '2 minutes' WHERE removed_at IS NOT NULL`)
  await ada.call(saveProduct, { id: first.id })
  expect(await titlesOf(ada)).toEqual(['First', 'Second'])
})

test('shows a saved product as not for sale and can restore it', async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop)
  await ada.call(saveProduct, { id })
  await run(sql`UPDATE products SET is_active = false WHERE id = ${id}::uuid`)
  expect(await ada.call(listSaved, {})).toMatchObject([{ id, isActive: false }])
  await ada.call(unsaveProduct, { id })
  await ada.call(saveProduct, { id })
  expect(await ada.call(listSaved, {})).toHaveLength(1)
  const eve = await open.shop.join()
  await expect(eve.call(saveProduct, { id })).rejects.toMatchObject({ status: 404 })
  await expect(eve.call(saveProduct, { id: crypto.randomUUID() })).rejects.toMatchObject({ status: 404 })
})

test('rejects products above the limit of a wishlist', async () => {
  const ada = await open.shop.join()
  const { id } = await addProduct(open.shop)
  await run(sql`INSERT INTO products (seller_id, category_id, title, price_cents)
    SELECT seller_id, category_id, 'Filler ' || n, 100 FROM products, generate_series(1, ${MAX_SAVED}) n WHERE id = ${id}::uuid`)
  await run(sql`INSERT INTO saved_products (user_id, product_id)
    SELECT ${ada.id}::uuid, id FROM products WHERE title LIKE 'Filler %'`)
  await expect(ada.call(saveProduct, { id })).rejects.toMatchObject({ status: 409, code: 'wishlist_full' })
  const [one] = await ada.call(listSaved, {})
  await ada.call(unsaveProduct, { id: one!.id })
  await ada.call(saveProduct, { id })
  expect(await ada.call(listSaved, {})).toHaveLength(MAX_SAVED)
})
