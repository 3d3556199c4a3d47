import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('gives every test file its own migrated database', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()])
  expect(one.url).not.toBe(other.url)
  const client = new pg.Client({ connectionString: one.url })
  await client.connect()
  expect((await client.query('SELECT count(*)::int AS products FROM products')).rows).toEqual([{ products: 0 }])
  await client.end()
  await one.drop()
  await other.drop()
  await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toThrow('does not exist')
})
