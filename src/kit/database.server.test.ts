import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import {
  closeDatabase,
  compiled,
  type Database,
  inTransaction,
  openDatabase,
  together,
  type Tx,
} from './database.server.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  database = openDatabase(made.url, { size: 2 })
  drop = made.drop
  await database.pool.query('CREATE TABLE steps (id int GENERATED ALWAYS AS IDENTITY, n int UNIQUE)')
})
afterAll(async () => {
  await closeDatabase(database)
  await drop()
})
beforeEach(() => database.pool.query('TRUNCATE steps'))

const add = (tx: Tx, n: number) => sql`INSERT INTO steps (n) VALUES (${n})`.execute(tx)
const steps = async () => (await database.pool.query<{ n: number }>('SELECT n FROM steps ORDER BY id')).rows

test('a compiled query is built once, and each run has its own arguments', async () => {
  let built = 0
  const read = compiled((_, a: number, b: string | null) => {
    built++
    return sql<{ aText: string | null }>`SELECT ${b}::text || ${a}::int || ${b}::text AS a_text`
  })
  const { db } = database
  expect(await read(db, 1, 'x')).toEqual([{ aText: 'x1x' }])
  expect(await Promise.all([read(db, 2, 'y'), read(db, 3, null)])).toEqual([[{ aText: 'y2y' }], [{ aText: null }]])
  expect(await inTransaction(db, (tx) => read(tx, 4, 'z'))).toEqual([{ aText: 'z4z' }])
  expect(built).toBe(1)
})

test('statements that share a round trip run in their order and answer in it', async () => {
  const found = await inTransaction(database.db, (tx) =>
    together([add(tx, 1), add(tx, 2), sql<{ n: number }>`SELECT count(*)::int AS n FROM steps`.execute(tx)]),
  )
  expect(found[2].rows).toEqual([{ n: 2 }])
  expect(await steps()).toEqual([{ n: 1 }, { n: 2 }])
})

test('a failed statement is told by its own error, and nothing of its transaction stays', async () => {
  const slow = async (tx: Tx) => {
    await add(tx, 7)
    // the others have failed by then
    await new Promise((done) => setTimeout(done, 50))
    await add(tx, 8)
  }
  const failing = inTransaction(database.db, (tx) => together([slow(tx), add(tx, 7), add(tx, 9)]))
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await steps()).toEqual([])
  await inTransaction(database.db, (tx) => add(tx, 1))
  expect(await steps()).toEqual([{ n: 1 }])
})

test('a transaction whose BEGIN failed is not committed', async () => {
  const pid = sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
  const lost = inTransaction(database.db, async (tx) => {
    const [{ pid: own }] = (await pid.execute(tx)).rows as [{ pid: number }]
    await database.pool.query('SELECT pg_terminate_backend($1)', [own])
    await add(tx, 1)
  })
  await expect(lost).rejects.toThrow()
  expect(await steps()).toEqual([])
})
