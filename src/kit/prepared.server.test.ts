import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { closeDatabase, type Database, inTransaction, isDatabaseAway, openDatabase } from './database.server.ts'
import { queryTogether } from './prepared.server.ts'
import { setLogLevel } from './log/log.server.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  setLogLevel('silent')
  const made = await createTestDatabase()
  drop = made.drop
  database = openDatabase(made.url, { size: 1 })
})
afterAll(async () => {
  await closeDatabase(database)
  await drop()
})

const prepared = async (part: string) =>
  (
    await database.pool.query(
      `SELECT FROM pg_prepared_statements WHERE from_sql = false AND position($1 IN statement) > 0`,
      [part],
    )
  ).rowCount

const readCategory = (id: string) =>
  database.db.selectFrom('categories').selectAll().where('id', '=', id).executeTakeFirst()

test('prepares a statement once for all its values', async () => {
  expect((await readCategory('ebooks'))?.name).toBe('E-Books')
  expect((await readCategory('audio'))?.name).toBe('Audio')
  expect(await prepared('from "categories"')).toBe(1)
})

test('does not prepare statements that have no values or are very long', async () => {
  await database.db.selectFrom('categories').select('position').execute()
  expect(await prepared('select "position"')).toBe(0)
  await sql`SELECT ${1}::int ${sql.raw(`-- ${'long '.repeat(1000)}`)}`.execute(database.db)
  expect(await prepared('-- long')).toBe(0)
})

test('fails once after a column was added to a running shop, then recovers', async () => {
  await readCategory('ebooks')
  await database.pool.query('ALTER TABLE categories ADD COLUMN note text')
  const refused = await readCategory('ebooks').catch((error: unknown) => error)
  expect(isDatabaseAway(refused), 'the caller may try again').toBe(true)
  expect(await readCategory('ebooks')).toMatchObject({ name: 'E-Books', note: null })
})

test('retries a transaction after a table changed', async () => {
  const read = () =>
    inTransaction(database.db, (tx) =>
      tx.selectFrom('categories').selectAll().where('id', '=', 'audio').executeTakeFirstOrThrow(),
    )
  await read()
  await database.pool.query('ALTER TABLE categories ADD COLUMN remark text')
  expect(await read()).toMatchObject({ name: 'Audio', remark: null })
})

test('statements of one turn share a connection but not an error', async () => {
  const { pool } = database
  const text = 'SELECT pg_backend_pid() AS pid, 1 / $1::int AS one'
  const who = async (on: pg.Pool, by: number) => (await queryTogether(on, { name: 'who', text, values: [by] })).rows
  const both = openDatabase(pool.options.connectionString!, { size: 2 })
  const [first, failed, third] = await Promise.allSettled([who(both.pool, 1), who(both.pool, 0), who(both.pool, 1)])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect(third).toEqual(first)
  expect(first).toMatchObject({ status: 'fulfilled', value: [{ one: 1 }] })
  const turns = await Promise.all([1, 2].map(() => new Promise((done) => setImmediate(() => done(who(both.pool, 1))))))
  expect(turns, 'the pool gives the connections back').toHaveLength(2)
  await closeDatabase(both)
})
