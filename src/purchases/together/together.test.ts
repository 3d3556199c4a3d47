import { expect, test } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { listProducts } from '../../catalogue/catalogue.contract.ts'
import { countBuyers } from './together.server.ts'
import { listTogether } from './together.contract.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' })

test('lists only products that at least three members bought in one order', async () => {
  const { shop } = open
  const [book, song, rare, alone] = await Promise.all(
    ['Book', 'Song', 'Rare', 'Alone'].map((title) => addProduct(shop, { title: `Pair ${title}` })),
  )
  const buy = async (...products: { id: string; price: string }[]) => {
    const buyer = await shop.join()
    await buyMany(
      shop,
      buyer,
      products.map((product) => ({ product: product as NonNullable<typeof book> })),
    )
  }
  for (let i = 0; i < 2; i++) await buy(book!, song!, rare!)
  await countBuyers(shop.database.db)
  expect(await shop.call(listTogether, { id: book!.id })).toEqual([])
  await buy(book!, song!)
  await buy(alone!)
  const { rows } = await shop.database.pool.query('SELECT updated_at FROM products WHERE id = $1', [book!.id])
  await countBuyers(shop.database.db)
  await expect.poll(() => shop.call(listTogether, { id: book!.id })).toMatchObject([{ id: song!.id }])
  expect(await shop.call(listTogether, { id: rare!.id })).toEqual([])
  expect(await shop.call(listTogether, { id: alone!.id })).toEqual([])
  const popular = await shop.call(listProducts, { sort: 'popular', q: 'Pair' })
  expect(popular.map(({ title }) => title).slice(2)).toEqual(['Pair Rare', 'Pair Alone'])
  // the count does not notify open pages
  expect((await shop.database.pool.query('SELECT updated_at FROM products WHERE id = $1', [book!.id])).rows).toEqual(
    rows,
  )
  await shop.database.pool.query('UPDATE products SET is_active = false WHERE id = $1', [song!.id])
  await expect.poll(() => shop.call(listTogether, { id: book!.id })).toEqual([])
})
