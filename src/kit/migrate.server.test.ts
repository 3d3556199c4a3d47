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
