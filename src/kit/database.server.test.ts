import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openGate } from '../../drill/gate.ts'
import { createTestDatabase } from '../../test/database.ts'
import {
  closeDatabase,
  type Database,
  inTransaction,
  isDatabaseDown,
  openDatabase,
  openDb,
  together,
  type Tx,
} from './database.server.ts'
import { setLogLevel } from './log/log.server.ts'

let url: string
let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createTestDatabase()
  url = made.url
  database = openDatabase(url, { size: 2 })
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

test('runs statements that share a round trip in order, and returns their results in order', async () => {
  const found = await inTransaction(database.db, (tx) =>
    together([add(tx, 1), add(tx, 2), sql<{ n: number }>`SELECT count(*)::int AS n FROM steps`.execute(tx)]),
  )
  expect(found[2].rows).toEqual([{ n: 2 }])
  expect(await steps()).toEqual([{ n: 1 }, { n: 2 }])
})

const failure = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

test('waits for all statements of a round trip and throws the first error that is not a consequence', async () => {
  let isOver = false
  const slow = nextTurn().then(() => (isOver = true))
  await expect(together([failure('25P02'), failure('23505'), failure('25P02'), slow])).rejects.toMatchObject({
    code: '23505',
  })
  expect(isOver).toBe(true)
  await expect(together([failure('25P02')])).rejects.toMatchObject({ code: '25P02' })
})

test('rolls back a transaction if one of its statements fails', async () => {
  const failing = inTransaction(database.db, (tx) => together([add(tx, 7), add(tx, 7), add(tx, 9)]))
  await expect(failing).rejects.toMatchObject({ code: '23505' })
  expect(await steps()).toEqual([])
  await inTransaction(database.db, (tx) => add(tx, 1))
  expect(await steps()).toEqual([{ n: 1 }])
})

test.each(['write first', 'read first'])(
  'sends no write after the BEGIN of its transaction failed: %s',
  async (order) => {
    const sent: string[] = []
    const client = {
      query: async (asked: string | { text: string }) => {
        const text = typeof asked === 'string' ? asked : asked.text
        sent.push(text)
        await nextTurn()
        if (text === 'begin') throw Object.assign(new Error('canceled'), { code: '57014' })
        return { command: 'SELECT', rowCount: 0, rows: [] }
      },
      release: () => undefined,
    }
    const pool = { connect: async () => client, end: async () => undefined, options: {} } as unknown as pg.Pool
    const db = openDb(pool)
    const read = (tx: Tx) => sql`SELECT 1`.execute(tx)
    const work = async (tx: Tx) => {
      const first = order === 'write first' ? add(tx, 1) : read(tx)
      await together([first, add(tx, 2), read(tx)])
    }
    await expect(inTransaction(db, work)).rejects.toMatchObject({ code: '57014' })
    expect(sent.filter((text) => text.startsWith('INSERT'))).toEqual([])
  },
)

test('times out a statement after 15 s on a silently lost connection, and opens another connection', async () => {
  setLogLevel('silent')
  const { hostname, port } = new URL(url)
  expect(hostname).toBe('127.0.0.1')
  const gate = await openGate(Number(port))
  const gated = openDatabase(Object.assign(new URL(url), { port: String(gate.port) }).href, { size: 2 })
  const { pool, db } = gated
  await Promise.all([pool.query('SELECT pg_sleep(0.05)'), pool.query('SELECT pg_sleep(0.05)')])
  gate.forget()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const asked = Promise.allSettled([pool.query('SELECT 1'), sql`SELECT 1`.execute(db)])
    await nextTurn()
    vi.advanceTimersByTime(30_000)
    const results = await asked
    expect(results.map((one) => one.status === 'rejected' && isDatabaseDown(one.reason))).toEqual([true, true])
    expect((await sql<{ n: number }>`SELECT 1 AS n`.execute(db)).rows).toEqual([{ n: 1 }])
  } finally {
    vi.useRealTimers()
    gate.close()
    await closeDatabase(gated)
  }
})
