import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { shownNameOf } from './shownName.rules.ts'

let pool: pg.Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  pool = new pg.Pool({ connectionString: made.url, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await drop()
})

test.each([
  ['Ada', 'Okafor', 'Ada O.'],
  [' Ada ', null, 'Ada'],
  ['Ada', ' ', 'Ada'],
  ['', 'Okafor', 'Someone'],
  [null, 'Okafor', 'Someone'],
  ['ada', '𝒰nal', 'ada 𝒰.'],
])('browser and database show the names %j and %j to other members as %j', async (firstName, lastName, shown) => {
  expect(shownNameOf({ firstName, lastName })).toBe(shown)
  const { rows } = await pool.query<{ name: string }>(
    `SELECT shown_name(jsonb_populate_record(NULL::users, $1), 'Someone') AS name`,
    [{ first_name: firstName, last_name: lastName }],
  )
  expect(rows).toEqual([{ name: shown }])
})
