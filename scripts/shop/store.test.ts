import { expect, test } from 'vitest'
import { withClient } from './connection.ts'
import { makeStore } from './store.test.help.ts'

type Store = Awaited<ReturnType<typeof makeStore>>

const count = (store: Store, table: 'users' | 'products' | 'reviews') =>
  withClient(
    store.url,
    async (client) => (await client.query(`SELECT FROM ${client.escapeIdentifier(table)}`)).rowCount,
  )

test('creates the demo store once, shows its accounts once and adds more products on demand', async () => {
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
})
