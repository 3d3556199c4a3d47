import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { closeDatabase, type Database, openDatabase } from '../database.server.ts'
import { createSharedLimiter, limitJobs } from './sharedLimit.server.ts'

let nodes: Database[]
let drop: () => Promise<void>

beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  nodes = [openDatabase(made.url, { size: 4 }), openDatabase(made.url, { size: 4 })]
})
afterAll(async () => {
  for (const node of nodes) await closeDatabase(node)
  await drop()
})

const limit = { per: 'account', count: 5, seconds: 900, isShared: true } as const
const openLimiters = (options: { scale?: number; clock?: () => number } = {}) =>
  nodes.map(({ pool }) => createSharedLimiter(pool, options)) as [Limiter, Limiter]
type Limiter = ReturnType<typeof createSharedLimiter>

test('two nodes share one budget under concurrent requests', async () => {
  const [one, two] = openLimiters()
  const waits = await Promise.all(Array.from({ length: 30 }, (_, i) => (i % 2 ? one : two).take('guess', limit)))
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  for (const wait of waits.filter((seconds) => seconds > 0)) expect([179, 180]).toContain(wait)
  expect(await one.take('another', limit)).toBe(0)
})

test('refills a budget over time', async () => {
  const [one, two] = openLimiters({ clock: () => Infinity })
  for (let i = 0; i < 5; i++) expect(await one.take('slow', limit)).toBe(0)
  expect(await two.take('slow', limit)).toBeGreaterThan(170)
  await nodes[0]!.pool.query(`UPDATE shared_limits SET full_at = full_at - interval '181 seconds'`)
  expect([await two.take('slow', limit), (await two.take('slow', limit)) > 0]).toEqual([0, true])
})

test('returns tokens, and resets the budgets of one account on every node', async () => {
  let now = 0
  const [one, two] = openLimiters({ clock: () => now })
  for (let i = 0; i < 20; i++) {
    expect(await one.take('right', limit)).toBe(0)
    await one.giveBack('right', limit)
  }
  for (const network of ['home', 'work'])
    for (let i = 0; i < 6; i++) await two.take(`sign-in ${network} ada`, limit, 'sign-in ada')
  for (let i = 0; i < 6; i++) await two.take('sign-in home bob', limit, 'sign-in bob')
  await one.forget('sign-in ada')
  now += 1001
  const waits = ['sign-in home ada', 'sign-in work ada', 'sign-in home bob'].map((key) => two.take(key, limit))
  expect((await Promise.all(waits)).map((wait) => wait === 0)).toEqual([true, true, false])
})

test('a flood on a spent budget runs one statement per second', async () => {
  let asked = 0
  const { pool } = nodes[0]!
  const counting = new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? (...given: Parameters<typeof pool.query>) => {
            asked += 1
            return target.query(...given)
          }
        : (Reflect.get(target, name) as unknown),
  })
  const limiter = createSharedLimiter(counting, { clock: () => 0 })
  for (let i = 0; i < 6; i++) await limiter.take('flood', limit)
  asked = 0
  for (let i = 0; i < 500; i++) expect(await limiter.take('flood', limit)).toBeGreaterThan(0)
  expect(asked).toBe(0)
})

test('stores neither addresses nor accounts and deletes full budgets', async () => {
  const [one] = openLimiters()
  const { db, pool } = nodes[0]!
  await one.take('sign-in 203.0.113.7 ada@shop.example', limit, 'sign-in ada@shop.example')
  const text = JSON.stringify(await db.selectFrom('sharedLimits').selectAll().execute())
  expect(text).not.toMatch(/203\.0|ada/)
  await pool.query(`UPDATE shared_limits SET full_at = now() - interval '1 second'`)
  await limitJobs(db)[0]!.run({})
  expect(await db.selectFrom('sharedLimits').selectAll().execute()).toEqual([])
})

test('runs no statement when switched off', async () => {
  const limiter = createSharedLimiter({} as Database['pool'], { scale: 0 })
  for (let i = 0; i < 20; i++) expect(await limiter.take('load test', limit)).toBe(0)
})
