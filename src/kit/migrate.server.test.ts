import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.server.ts'

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

test('two nodes that start at once migrate once', async () => {
  const { client, url } = await openClient()
  await client.query(
    'DROP SCHEMA public CASCADE; DROP SCHEMA sandbox CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA public',
  )
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
