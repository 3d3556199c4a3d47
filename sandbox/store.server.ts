import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { codeOf } from '../src/kit/database.server.ts'
import { required } from '../src/kit/values/required.ts'

/** `orderId` groups an order with its captures and refunds. */
export type Entry = { kind: string; id: string; orderId?: string; body: object }
export type NewEvent = {
  id: string
  type: string
  resourceId: string
  body: string
  deliveries: number
  dueInMs: number
}
export type Client = pg.PoolClient
export type Reader = pg.Pool | Client

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

export const createId = (length = 17) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

export async function inTransaction<T>(pool: pg.Pool, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}

/** Names a statement, so that each connection prepares it once. */
const prepare =
  <Row extends pg.QueryResultRow, Values extends unknown[]>(name: string, text: string) =>
  async (on: Reader, ...values: Values): Promise<Row[]> =>
    (await on.query<Row>({ name, text, values })).rows

type Row = { kind: string; body: unknown }

const BY_ID = 'SELECT kind, body FROM sandbox.records WHERE kind = $1 AND id = $2'
const readRow = prepare<Row, [string, string]>('sandbox_read', BY_ID)
const lockRow = prepare<Row, [string, string]>('sandbox_lock', `${BY_ID} FOR UPDATE`)
const readRows = prepare<Row, [string]>(
  'sandbox_read_order',
  'SELECT kind, body FROM sandbox.records WHERE order_id = $1 ORDER BY created_at, id',
)

// PostgreSQL refuses some texts, such as those with a NUL character.
const mayBeId = (id: string) => /^[\w-]{1,64}$/.test(id)

export const readEntry = async <T>(on: Reader, kind: string, id: string) =>
  mayBeId(id) ? ((await readRow(on, kind, id))[0]?.body as T | undefined) : undefined

export const lockEntry = async <T>(client: Client, kind: string, id: string) =>
  mayBeId(id) ? ((await lockRow(client, kind, id))[0]?.body as T | undefined) : undefined

export const readOrderEntries = async (on: Reader, orderId: string) => (mayBeId(orderId) ? readRows(on, orderId) : [])

export async function readCaptures<T>(on: Reader): Promise<T[]> {
  const { rows } = await on.query<Row>(
    `SELECT body FROM sandbox.records WHERE kind = 'capture' AND body->>'status' <> 'DECLINED' ORDER BY created_at, id`,
  )
  return rows.map(({ body }) => body as T)
}

export const removeEntry = (client: Client, kind: string, id: string) =>
  client.query('DELETE FROM sandbox.records WHERE kind = $1 AND id = $2', [kind, id])

const write = prepare<
  { is_first: boolean },
  [string, string, string | null, string | null, number | null, string | null]
>(
  'sandbox_write',
  `WITH claimed AS (
     INSERT INTO sandbox.replays (request_id, path, status, body) SELECT $3::text, $4::text, $5::int, $6::text WHERE $3::text IS NOT NULL
     ON CONFLICT (request_id, path) DO UPDATE SET status = excluded.status, body = excluded.body, created_at = clock_timestamp()
     WHERE replays.created_at < clock_timestamp() - interval '6 hours'
     RETURNING 1),
   first_call AS MATERIALIZED (SELECT WHERE $3::text IS NULL OR EXISTS (SELECT FROM claimed)),
   records AS (
     INSERT INTO sandbox.records (kind, id, order_id, body)
     SELECT kind, id, "orderId", body
     FROM first_call, json_to_recordset($1::json) AS entry (kind text, id text, "orderId" text, body json)
     ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, updated_at = clock_timestamp()
     -- a paid order stays as it is
     WHERE NOT (records.kind = 'order' AND records.body->>'status' = 'COMPLETED')),
   events AS (
     INSERT INTO sandbox.events (id, event_type, resource_id, body, deliveries_left, due_at)
     SELECT id, type, "resourceId", body, deliveries, clock_timestamp() + "dueInMs" * interval '1 millisecond'
     FROM first_call, json_to_recordset($2::json)
       AS sent (id text, type text, "resourceId" text, body text, deliveries int, "dueInMs" int))
   SELECT EXISTS (SELECT FROM first_call) AS is_first`,
)

export type Remembered = { requestId: string; path: string; status: number; body: string }

/**
 * Writes the effects and the answer of a call in one statement. For a repeated request id, writes nothing and returns
 * false. A repeat waits while the first request runs.
 */
export async function writeEffects(client: Reader, entries: Entry[], events: NewEvent[], answer?: Remembered) {
  const [row] = await write(
    client,
    JSON.stringify(entries),
    JSON.stringify(events),
    answer?.requestId ?? null,
    answer?.path ?? null,
    answer?.status ?? null,
    answer?.body ?? null,
  )
  return required(row, 'the effect of the call').is_first
}

const violates = (error: unknown, constraint: string) =>
  codeOf(error) === '23505' && (error as { constraint?: string }).constraint === constraint

export const isCapturedOrder = (error: unknown) => violates(error, 'sandbox_one_capture')

export const isPaidInvoice = (error: unknown) => violates(error, 'sandbox_one_invoice')

const recall = prepare<{ body: string }, [string, string]>(
  'sandbox_recall',
  `SELECT body FROM sandbox.replays WHERE request_id = $1 AND path = $2 AND created_at > clock_timestamp() - interval '6 hours'`,
)

export const recallAnswer = async (on: Reader, requestId: string, path: string): Promise<string | undefined> =>
  (await recall(on, requestId, path))[0]?.body

/** Like the providers, deletes request ids after a day and events after a month. */
export async function removeExpired(pool: pg.Pool) {
  await pool.query(`DELETE FROM sandbox.replays WHERE created_at < now() - interval '1 day'`)
  await pool.query(`DELETE FROM sandbox.events WHERE created_at < now() - interval '30 days'`)
}

const SCHEMA = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')

/** Creates missing tables, once: `CREATE INDEX IF NOT EXISTS` would wait for every writer. */
export async function ensureSchema(query: (text: string) => Promise<{ rows: unknown[] }>) {
  const { rows } = await query(`SELECT to_regclass('sandbox.keys') AS keys`)
  if ((rows[0] as { keys: string | null }).keys === null) await query(SCHEMA)
}
