import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests } from '../../test/shop.ts'
import { inTransaction } from '../kit/database.server.ts'
import { getOrder, type Order } from './orders.contract.ts'
import { insertOrder, orderRoutes } from './orders.server.ts'

const open = openShopForTests()

test('orders come newest first, a page at a time, and say how many there are', async () => {
  const { shop } = open
  const { db, pool } = shop.database
  const product = await addProduct(shop)
  const [buyer, other] = [await shop.join(), await shop.join()]
  const { rows } = await pool.query('SELECT * FROM products WHERE id = $1', [product.id])
  const { seller_id: sellerId, file_id: fileId } = rows[0] as { seller_id: string; file_id: string }
  const line = { productId: product.id, sellerId, title: 'A', priceCents: 1000, quantity: 1, fileId }
  const place = (userId: string, i: number) =>
    inTransaction(db, (tx) =>
      insertOrder(tx, {
        ...{ userId, checkoutKey: `key ${i}`, requestHash: 'x', source: 'cart', totalCents: 1000 },
        ...{ paymentMethod: null, paymentId: null, lines: [{ ...line, delivery: 'file' }] },
      }),
    )
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.unshift(await place(buyer.id, i))
  const foreign = await place(other.id, 0)
  // three at the same moment: the id decides
  await pool.query('UPDATE orders SET created_at = $2 WHERE id = ANY ($1)', [ids.slice(2, 5), new Date(0)])
  const moved = ids.slice(2, 5).sort().toReversed()
  const expected = [...ids.slice(0, 2), ...ids.slice(5), ...moved]

  const seen: string[] = []
  const sizes: number[] = []
  for (let path: string | undefined = '/api/orders?limit=3'; path;) {
    const response: Response = await fetch(shop.url + path, { headers: { cookie: buyer.cookie } })
    expect([response.status, response.headers.get('x-total-count')]).toEqual([200, '7'])
    const page = (await response.json()) as Order[]
    seen.push(...page.map(({ id }) => id))
    sizes.push(page.length)
    path = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect([seen, sizes]).toEqual([expected, [3, 3, 1]])
  expect((await buyer.call(getOrder, { id: ids[3]! })).id).toBe(ids[3])

  const ask = (query: string) => fetch(`${shop.url}/api/orders?${query}`, { headers: { cookie: buyer.cookie } })
  expect(await (await ask(`after=${foreign}`)).json()).toEqual([])
  for (const query of ['limit=0', 'limit=201', 'after=x', 'limit=many']) expect((await ask(query)).status).toBe(400)
})

test('one account reads its orders 60 times a minute', () => {
  expect(orderRoutes[0]!.limits).toEqual([{ per: 'account', count: 60, seconds: 60 }])
})
