import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { listMigrations, migrate } from './migrate.server.ts'

let drop: (() => Promise<void>) | undefined
afterEach(() => drop?.())

async function openClient() {
  const made = await createTestDatabase()
  const client = new pg.Client({ connectionString: made.url })
  await client.connect()
  drop = async () => {
    await client.end()
    await made.drop()
  }
  return { client, url: made.url }
}

const CLEAR =
  'DROP SCHEMA public CASCADE; DROP SCHEMA sandbox CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA public'

test('two nodes that start at once migrate once', async () => {
  const { client, url } = await openClient()
  await client.query(CLEAR)
  const [one, other] = await Promise.all([migrate(url), migrate(url)])
  expect([one!.length, other!.length].sort((a, b) => a - b)[0]).toBe(0)
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM migrations')
  expect(Number(rows[0]!.count)).toBe(Math.max(one!.length, other!.length))
})

test('a database of a newer shop is left alone', async () => {
  const { client, url } = await openClient()
  await client.query("INSERT INTO migrations (name) VALUES ('999_from_the_future.sql')")
  await expect(migrate(url)).rejects.toThrow('The database is newer than this shop (it knows 999_from_the_future.sql).')
})

test('a migration that was edited after it was applied stops the start by name', async () => {
  const { client, url } = await openClient()
  await client.query("UPDATE migrations SET sha256 = repeat('0', 64) WHERE name = '005_orders.sql'")
  await expect(migrate(url)).rejects.toThrow('migrations/005_orders.sql was changed after this database took it.')
})

test('a database from before sums were kept gets them', async () => {
  const { client, url } = await openClient()
  const read = async () => (await client.query('SELECT name, sha256 FROM migrations ORDER BY name')).rows
  const before = await read()
  await client.query('ALTER TABLE migrations DROP COLUMN sha256')
  expect(await migrate(url)).toEqual([])
  expect(await read()).toEqual(before)
  expect(before.every(({ sha256 }) => /^[0-9a-f]{64}$/.test(sha256 as string))).toBe(true)
})

// the released ones stay as they are
const mendable = listMigrations().filter((name) => name >= '035')

test.each(mendable)('%s builds no index while it keeps everybody out of a table', (name) => {
  const text = readFileSync(join(import.meta.dirname, '../../migrations', name), 'utf8')
  const made = new Set([...text.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table))
  const built = [...text.matchAll(/CREATE (?:UNIQUE )?INDEX .*? ON (\w+)/g)].filter(([, table]) => !made.has(table))
  if (built.length === 0) return
  expect(text).not.toMatch(/\b(ALTER TABLE|DROP INDEX|TRIGGER)\b/)
  // and keeps writers out of one table at a time
  if (built.length > 1) expect(text).toMatch(/^-- One by one: /)
})

test('a migration whose table is in use gives up in a line, or tries again by itself, and lets others through meanwhile', async () => {
  const { client, url } = await openClient()
  await client.query(CLEAR)
  await migrate(url, { only: listMigrations().filter((name) => !mendable.includes(name)) })
  await client.query('BEGIN; LOCK TABLE orders IN ROW EXCLUSIVE MODE')
  await expect(migrate(url, { patience: { lockMs: 20, pauseMs: 1, tries: 2 } })).rejects.toThrow(
    /^migrations\/040_indexes\.sql: other work holds its tables \(tried 2 times\)\. What came before it is applied; start again\.$/,
  )
  const applied = migrate(url, { patience: { lockMs: 20, pauseMs: 1, tries: 2000 } })
  const waiting = "SELECT waitstart::text AS since FROM pg_locks WHERE NOT granted AND relation = 'orders'::regclass"
  const tries = new Set<string | null>()
  const countTries = async () => {
    const { rows } = await client.query<{ since: string | null }>(waiting)
    return rows.reduce((seen, { since }) => seen.add(since), tries).size
  }
  await expect.poll(countTries, { interval: 5 }).toBeGreaterThan(2)
  await client.query('COMMIT')
  expect((await applied).at(0)).toBe('040_indexes.sql')
  const { rows } = await client.query("SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE 'orders_%sums'")
  expect(rows).toEqual([{ name: 'orders_paid_sums' }])
})
