import { readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findViolations } from '../../drill/invariants.ts'
import type { Capture } from '../../sandbox/paypal/wire.server.ts'
import { toDecimal } from '../../src/kit/money.ts'
import { withClient } from './connection.ts'
import { makeStore } from './store.test.help.ts'

type Store = Awaited<ReturnType<typeof makeStore>>

const count = (store: Store, table: 'users' | 'products' | 'reviews') =>
  withClient(
    store.url,
    async (client) => (await client.query(`SELECT FROM ${client.escapeIdentifier(table)}`)).rowCount,
  )

test('creates the demo store once, prints its accounts once and adds products on demand', async () => {
  const store = await makeStore()
  const first = await store.run('seed')
  expect(first).toMatchObject({ code: 0, err: [] })
  expect(first.out.map((line) => line.split(' ')[0])).toEqual(['Added', 'shopper', 'seller', 'admin'])
  const again = await store.run('seed')
  expect(again.out).toEqual([
    'The demo store exists; nothing was added.',
    `The demo accounts are in ${store.dataDir}/demo-accounts.json.`,
  ])
  expect(await count(store, 'reviews')).toBe(124)
  expect((await store.run('seed --remove-reviews')).out).toEqual(['Removed 124 sample reviews.'])
  expect((await store.run('seed')).out[0]).toContain('nothing was added')
  expect(await count(store, 'reviews')).toBe(0)
  const before = await count(store, 'products')
  expect((await store.run('seed --products 30')).out[0]).toBe('Added 30 products.')
  expect((await store.run('seed --products 30')).out[0]).toContain('nothing was added')
  expect(await count(store, 'products')).toBe(before! + 30)
  for (const wrong of ['0', '-1', '1.5', 'many', '100001'])
    expect((await store.run(`seed --products=${wrong}`)).err).toEqual([
      '--products: give a whole number from 1 to 100000.',
    ])
})

test('adds accounts, products and orders for load tests and violates no invariant', async () => {
  const store = await makeStore()
  await store.run('seed --products 40 --users 20 --orders 50')
  expect((await store.run('seed --products 40 --users 30 --orders 80')).code).toBe(0)
  const [counts, captures] = await withClient(store.url, async (client) => [
    (
      await client.query(`SELECT (SELECT count(*)::int FROM users WHERE email LIKE 'load%') AS users,
      (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM reviews WHERE user_id IS NOT NULL) AS reviews,
      (SELECT count(DISTINCT seller_id)::int FROM products) AS sellers`)
    ).rows[0] as object,
    (await client.query<{ body: Capture }>(`SELECT body FROM sandbox.records WHERE kind = 'capture'`)).rows,
  ])
  expect(counts).toEqual({ users: 30, orders: 80, reviews: 8, sellers: 2 })
  const held = captures.map(({ body }) => ({
    ...body,
    amount: toDecimal(body.cents),
    refunded: '0.00',
    createdAt: body.createTime,
    status: 'COMPLETED' as const,
  }))
  expect(await findViolations(store.url, held, { objectsDir: `${store.dataDir}/objects` })).toEqual([])
  const files = readdirSync(`${store.dataDir}/objects`, { withFileTypes: true }).filter((entry) => entry.isFile())
  const inodes = files.map(({ name }) => statSync(`${store.dataDir}/objects/${name}`).ino)
  expect(new Set(inodes).size).toBeLessThan(files.length - 30)
  expect((await store.run('seed --orders=1000001')).err).toEqual(['--orders: give a whole number from 1 to 1000000.'])
})

test('refuses to seed a store that has accounts', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example')
  expect(await store.run('seed --products 5')).toMatchObject({
    code: 1,
    err: [expect.stringContaining('This store has accounts.')],
  })
  expect(await count(store, 'products')).toBe(0)
})

test('resets a store only with --yes and never in production', async () => {
  const store = await makeStore()
  await store.run('user add ada@shop.example')
  expect(await store.run('reset')).toMatchObject({ code: 1, err: [expect.stringContaining('Add --yes')] })
  const live = await makeStore({ ...store.env, NODE_ENV: 'production', SECRET: 'x'.repeat(32) })
  expect(await live.run('reset --yes')).toMatchObject({ code: 1, err: [expect.stringContaining('production')] })
  expect(await count(store, 'users')).toBe(1)
  expect(await store.run('reset --yes')).toEqual({ code: 0, out: ['The store is empty.'], err: [] })
  expect(await count(store, 'users')).toBe(0)
  expect((await store.run('migrate')).out).toEqual(['The database is up to date.'])
  expect((await store.run('migrate --plan')).out).toEqual(['No migration is open.'])
})
