import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShopForTests } from '../../../test/shop.ts'
import type { Database } from '../database.server.ts'
import { deleteOld } from './retention.server.ts'

const tests = openShopForTests()
let pool: Database['pool']
let userId: string
beforeAll(async () => {
  ;({ pool } = tests.shop.database)
  userId = (await tests.shop.join()).id
})
afterAll(() => pool.query('DELETE FROM mails'))

const addMails = (count: number, days: number) =>
  pool.query(
    `INSERT INTO mails (key, recipient, subject, body_text, body_html, created_at)
     SELECT $2 || ' ' || i, 'a@b.example', '', '', '', now() - $2::int * interval '1 day' FROM generate_series(1, $1) i`,
    [count, days],
  )
const sweep = (days: number, batch?: number) =>
  deleteOld(tests.shop.database.db, { table: 'mails', moment: 'createdAt', days }, batch)

test('deletes old rows in batches and skips locked rows', async () => {
  await addMails(25, 100)
  await addMails(3, 80)
  const user = await pool.connect()
  await user.query('BEGIN')
  await user.query(`UPDATE mails SET subject = 'in use' WHERE key = '100 7'`)
  expect(await sweep(90, 10)).toBe(24)
  await user.query('COMMIT')
  user.release()
  expect(await sweep(90)).toBe(1)
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM mails')
  expect(rows[0]!.count).toBe(3)
})

test('continues after rows that a request changes while a batch selects them', async () => {
  await addMails(2, 200)
  await addMails(23, 100)
  // sleeps once in each batch, after it took its snapshot
  const where = sql`(SELECT pg_sleep(0.2)::text) = ''`
  const sweeping = deleteOld(tests.shop.database.db, { table: 'mails', moment: 'createdAt', days: 90, where }, 10)
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
  await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 10 }).toBe(1)
  await pool.query(`UPDATE mails SET subject = 'again' WHERE key IN ('200 1', '200 2')`)
  expect(await sweeping).toBe(25)
})

test('blocks no request while it deletes thousands of rows', async () => {
  await addMails(20_000, 100)
  let isOver = false
  const sweeping = sweep(90).finally(() => (isOver = true))
  let longestMs = 0
  let writes = 0
  while (!isOver) {
    const startedAt = performance.now()
    // updates a row that will be deleted, and inserts a new row
    await pool.query(`UPDATE mails SET subject = 'again' WHERE key = '100 ' || $1::int`, [
      20_000 - ((writes * 97) % 20_000),
    ])
    await addMails(1, -++writes)
    longestMs = Math.max(longestMs, performance.now() - startedAt)
  }
  expect(await sweeping).toBeGreaterThan(19_950)
  expect(writes).toBeGreaterThan(20)
  expect(longestMs).toBeLessThan(500)
})

test('reads the oldest rows by an index, without a scan of the table', async () => {
  for (const [table, moment] of [
    ['mails', 'created_at'],
    ['webhook_events', 'received_at'],
    ['hook_messages', 'created_at'],
    ['error_occurrences', 'seen_at'],
    ['risk_decisions', 'created_at'],
    ['risk_hints', 'received_at'],
  ]) {
    const { rowCount } = await pool.query(
      `SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
       WHERE i.indrelid = $1::regclass AND a.attname = $2 AND i.indpred IS NULL`,
      [table, moment],
    )
    expect([table, rowCount! > 0]).toEqual([table, true])
  }
})

test('allows deleting a risk decision only after half a year, and never changing it', async () => {
  await pool.query(
    `WITH placed AS (INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, expires_at)
       VALUES ($1, 'key', 'hash', 'cart', 100, now()) RETURNING id)
     INSERT INTO risk_decisions (order_id, user_id, stage, decision, score, reasons, facts, weights_version, created_at)
     SELECT id, $1, 'start', 'allow', 0, '[]', '{}', 0, now() - days * interval '1 day' FROM placed, unnest(ARRAY[1, 179, 200, 500]) days`,
    [userId],
  )
  const refused = expect.objectContaining({ message: 'risk_decisions is append only' })
  await expect(pool.query(`DELETE FROM risk_decisions WHERE created_at > now() - interval '180 days'`)).rejects.toEqual(
    refused,
  )
  await expect(pool.query('UPDATE risk_decisions SET score = 1')).rejects.toEqual(refused)
  const kept = { table: 'riskDecisions', moment: 'createdAt', days: 400 } as const
  expect(await deleteOld(tests.shop.database.db, kept)).toBe(1)
})
