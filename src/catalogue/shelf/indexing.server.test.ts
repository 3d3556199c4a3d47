import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { listProducts } from '../catalogue.contract.ts'
import { indexProducts } from './indexing.server.ts'

const open = openShopForTests()

test('writes former search texts in batches, without waiting for a checkout, and touches no product', async () => {
  const { db } = open.shop.database
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await addProduct(open.shop, { title: `Zeppelin/Quagga ${i}` })).id)
  const former = sql`UPDATE products SET search_version = 1, search = to_tsvector('simple', title)
    WHERE id = ANY (${ids}::uuid[])`
  await former.execute(db)
  const read = () =>
    db
      .selectFrom('products')
      .select(['id', 'searchVersion', 'updatedAt'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
  const before = await read()
  expect(before.map(({ searchVersion }) => searchVersion)).toEqual([1, 1, 1])
  const found = async () => (await open.shop.call(listProducts, { q: 'quagga' })).length
  await inTransaction(db, async (tx) => {
    await sql`SELECT FROM products WHERE id = ${ids[0]}::uuid FOR SHARE`.execute(tx)
    await indexProducts(db)
    expect((await read()).filter(({ searchVersion }) => searchVersion === 1).map(({ id }) => id)).toEqual([ids[0]])
  })
  await indexProducts(db)
  expect(await read()).toEqual(before.map((row) => ({ ...row, searchVersion: 2 })))
  expect(await found()).toBe(3)
})
