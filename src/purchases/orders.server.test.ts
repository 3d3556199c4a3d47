import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { openShopForTests } from '../../test/shop.ts'
import { inTransaction } from '../kit/database.server.ts'
import { getOrder, listOrders, type Order, sumOrders } from './orders.contract.ts'
import { findUnpaidTwin } from '../checkout/quickBuy/unpaidTwin.server.ts'
import { insertOrder } from '../orders/orders.store.server.ts'
import { orderRoutes } from './orders.server.ts'

const open = openShopForTests()

test('lists orders newest first in pages with their total', async () => {
  const { shop } = open
  const { db, pool } = shop.database
  const product = await addProduct(shop)
  const [buyer, other] = [await shop.join(), await shop.join()]
  const { rows } = await pool.query('SELECT * FROM products WHERE id = $1', [product.id])
  const { seller_id: sellerId, file_id: fileId } = rows[0] as { seller_id: string; file_id: string }
  const line = {
    productId: product.id,
    sellerId,
    title: 'A',
    priceCents: 1000,
    discountCents: 0,
    quantity: 1,
    fileId,
    moreFileIds: [],
    bundleId: null,
    bundleTitle: null,
  }
  const place = (userId: string, i: number) =>
    inTransaction(db, (tx) =>
      insertOrder(tx, {
        ...{ userId, checkoutKey: `key ${i}`, requestHash: 'x', source: 'cart', creditCents: 0, totalCents: 1000 },
        ...{ paymentMethod: null, paymentId: null, lines: [{ ...line, delivery: 'file' }] },
      }),
    )
  const ids: string[] = []
  for (let i = 0; i < 7; i++) ids.unshift(await place(buyer.id, i))
  const foreign = await place(other.id, 0)
  // three orders with the same time, sorted by id
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

test('finds an unpaid duplicate order by the compared line fields only', async () => {
  const { shop } = open
  const { id: productId } = await addProduct(shop)
  const { id: userId } = await shop.join()
  const { rows } = await shop.database.pool.query('SELECT seller_id, file_id FROM products WHERE id = $1', [productId])
  const { seller_id: sellerId, file_id: fileId } = rows[0] as { seller_id: string; file_id: string }
  const line = {
    productId,
    sellerId,
    title: 'A',
    priceCents: 1000,
    discountCents: 0,
    quantity: 1,
    fileId,
    moreFileIds: [] as string[],
    ...{ bundleId: null as string | null, bundleTitle: null as string | null },
    delivery: 'file' as const,
  }
  const twins = await inTransaction(shop.database.db, async (tx) => {
    const id = await insertOrder(tx, {
      ...{ userId, checkoutKey: 'twin', requestHash: 'x', source: 'product', creditCents: 0, totalCents: 1000 },
      ...{ paymentMethod: null, paymentId: null, lines: [line] },
    })
    const find = (other: object) => findUnpaidTwin(tx, userId, [{ ...line, ...other }], 0)
    const others = [{ priceCents: 999 }, { moreFileIds: [fileId] }]
    return { id, found: await Promise.all([{ note: 'not compared' }, ...others].map(find)) }
  })
  expect(twins.found).toEqual([twins.id, undefined, undefined])
})

test('counts and sums 450 orders and opens any by its number', async () => {
  const { shop } = open
  const { pool } = shop.database
  const product = await addProduct(shop)
  const [buyer, other] = [await shop.join(), await shop.join()]
  // 300 completed, 100 failed, 50 refunded; each costs one cent more than the previous order
  await pool.query(
    `WITH placed AS (
      INSERT INTO orders (id, user_id, checkout_key, request_hash, source, status, total_cents, expires_at, completed_at, created_at)
      SELECT gen_random_uuid(), $1, 'key ' || n, 'x', 'cart',
        CASE WHEN n <= 300 THEN 'completed' WHEN n <= 400 THEN 'failed' ELSE 'refunded' END,
        1000 + n, now(), CASE WHEN n NOT BETWEEN 301 AND 400 THEN now() END, now() - n * interval '1 hour' FROM generate_series(1, 450) n RETURNING id, status),
    noted AS (INSERT INTO order_events (order_id, to_status, reason, reason_code) SELECT id, status, 'for a test', 'other' FROM placed)
    INSERT INTO order_lines (order_id, position, product_id, seller_id, title, price_cents, quantity, delivery, file_id)
    SELECT o.id, 0, p.id, p.seller_id, p.title, 1000, 1, 'file', p.file_id FROM placed o, products p WHERE p.id = $2`,
    [buyer.id, product.id],
  )
  expect(await buyer.call(sumOrders, {})).toEqual({ total: 350, completed: 300, spent: '3451.50' })
  expect(await other.call(sumOrders, {})).toEqual({ total: 0, completed: 0, spent: '0.00' })

  const first = await fetch(`${shop.url}/api/orders?limit=50`, { headers: { cookie: buyer.cookie } })
  // the list has unpaid orders, but the total excludes them
  expect(first.headers.get('x-total-count')).toBe('350')
  const waiting = `${shop.url}/api/orders?limit=1&status=pending`
  expect(await (await fetch(waiting, { headers: { cookie: buyer.cookie } })).json()).toEqual([])
  await pool.query(
    `UPDATE orders SET status = 'pending' WHERE id IN (SELECT id FROM orders WHERE user_id = $1 AND status = 'failed' ORDER BY created_at LIMIT 2)`,
    [buyer.id],
  )
  const one = await fetch(waiting, { headers: { cookie: buyer.cookie } })
  expect(((await one.json()) as Order[]).map(({ status }) => status)).toEqual(['pending'])
  expect(one.headers.get('link')).toContain('&status=pending&after=')
  await pool.query(`UPDATE orders SET status = 'failed' WHERE user_id = $1 AND status = 'pending'`, [buyer.id])
  // the list hides an unpaid order after a day, unless the buyer gets a refund
  const failed = `FROM orders WHERE user_id = $1 AND status = 'failed'`
  await pool.query(
    `WITH paid AS (SELECT id ${failed} ORDER BY id LIMIT 1)
    INSERT INTO order_events (order_id, from_status, to_status, reason, reason_code)
    SELECT id, 'pending', 'failed', '', 'payment_unusable' FROM paid`,
    [buyer.id],
  )
  await pool.query(`UPDATE orders SET updated_at = now() - interval '25 hours' WHERE user_id = $1`, [buyer.id])
  const later = await fetch(`${shop.url}/api/orders?limit=200`, { headers: { cookie: buyer.cookie } })
  expect(later.headers.get('x-total-count')).toBe('351')
  const end = ((await later.json()) as Order[]).at(-1)!
  const older = await buyer.call(listOrders, { limit: 200, after: end.id })
  expect(older.map(({ status }) => status)).toEqual([
    ...Array<string>(100).fill('completed'),
    'failed',
    ...Array<string>(50).fill('refunded'),
  ])
  const rest = await pool.query(`SELECT id ${failed}`, [buyer.id])
  expect((await buyer.call(getOrder, { id: (rest.rows[5] as { id: string }).id })).status).toBe('failed')

  const oldest = await pool.query('SELECT id FROM orders WHERE user_id = $1 ORDER BY created_at LIMIT 1', [buyer.id])
  const { id } = oldest.rows[0] as { id: string }
  expect(((await first.json()) as Order[]).some((order) => order.id === id)).toBe(false)
  expect((await buyer.call(getOrder, { id })).total).toBe('14.50')
  await expect(other.call(getOrder, { id })).rejects.toMatchObject({ status: 404 })
  expect((await fetch(`${shop.url}/api/orders/summary`)).status).toBe(401)
})

test('limits one account to 60 reads of its orders a minute', () => {
  expect(orderRoutes[0]!.limits).toEqual([{ per: 'account', count: 60, seconds: 60 }])
})
