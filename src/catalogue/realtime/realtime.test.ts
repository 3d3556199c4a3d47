import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { addProduct } from '../../../test/goods.ts'
import { openShopForTests } from '../../../test/shop.ts'
import { RealtimeProducts } from './realtime.contract.ts'

const open = openShopForTests()

const ask = (etag?: string, cookie?: string) =>
  fetch(`${open.shop.url}/api/real-time/products`, {
    headers: { ...(etag && { 'if-none-match': etag }), ...(cookie && { cookie }) },
  })
const read = async () => RealtimeProducts.parse(await (await ask()).json())
const change = (id: string, set: string) =>
  open.shop.database.pool.query(`UPDATE products SET ${set} WHERE id = $1`, [id])

test('sends a new price to open pages within seconds, once', async () => {
  const { id } = await addProduct(open.shop)
  const before = await read()
  await change(id, 'price_cents = 1234')
  await expect.poll(read, { timeout: 20_000 }).toMatchObject({ changed: [{ id, price: '12.34' }], removed: [] })
  const answer = await ask()
  const etag = answer.headers.get('etag')!
  expect((await ask(etag)).status).toBe(304)
  expect((await read()).version).not.toBe(before.version)
})

test('reports an unlisted product as removed', async () => {
  const { id } = await addProduct(open.shop)
  await change(id, 'is_active = false')
  await expect.poll(async () => (await read()).removed, { timeout: 20_000 }).toContain(id)
  expect((await read()).changed.map((product) => product.id)).not.toContain(id)
})

test('reports a change that started earlier but committed later', async () => {
  const [slow, quick] = [await addProduct(open.shop), await addProduct(open.shop)]
  const client = await open.shop.database.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('UPDATE products SET price_cents = 4321 WHERE id = $1', [slow.id])
    await change(quick.id, 'price_cents = 1111')
    await expect
      .poll(async () => (await read()).changed, { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ id: quick.id, price: '11.11' }))
    const { headers } = await ask()
    const before = await read()
    await client.query('COMMIT')
    await expect
      .poll(async () => (await read()).changed, { timeout: 20_000 })
      .toContainEqual(expect.objectContaining({ id: slow.id, price: '43.21' }))
    expect((await read()).version).not.toBe(before.version)
    expect((await ask(headers.get('etag')!)).status).toBe(200)
  } finally {
    client.release()
  }
})

test('omits old changes', async () => {
  const { id } = await addProduct(open.shop)
  await open.shop.asOwner('ALTER TABLE products DISABLE TRIGGER products_touch')
  await change(id, "updated_at = now() - interval '11 minutes'")
  await open.shop.asOwner('ALTER TABLE products ENABLE TRIGGER products_touch')
  await expect
    .poll(async () => (await read()).changed.map((product) => product.id), { timeout: 20_000 })
    .not.toContain(id)
})

test('reads the database at most twice a second for a thousand polling pages', async () => {
  const { id } = await addProduct(open.shop)
  // shoppers with an open page are signed in
  const cookies: string[] = []
  for (let n = 0; n < 25; n++) cookies.push((await open.shop.join()).cookie)
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  const startedAt = performance.now()
  // a response is cached for half a second
  for (let round = 0; round < 20 || performance.now() - startedAt < 1500; round++) {
    await change(id, `price_cents = ${1000 + round}`)
    await Promise.all(Array.from({ length: 50 }, (_, n) => ask(undefined, cookies[n % cookies.length])))
  }
  const seconds = (performance.now() - startedAt) / 1000
  // ignores queries of the payment sandbox and of jobs
  const asked = queries.mock.calls
    .map(([query]) => (query as { name?: string }).name ?? '')
    .filter((name) => name && !/^(sandbox_|k\d)/.test(name))
  expect(new Set(asked)).toEqual(new Set(['realtime.readChanges']))
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(seconds * 2) + 1)
})
