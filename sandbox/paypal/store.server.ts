import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { codeOf, statement } from '../../src/kit/database.server.ts'

// The sandbox's durable books. A call reads and locks what it needs, and what it changed is written in one statement.

export type Kind = 'order' | 'capture' | 'refund' | 'setup_token' | 'payment_token'
export type Entry = { kind: Kind; id: string; orderId?: string; body: object }
export type NewEvent = {
  id: string
  type: string
  resourceId: string
  body: string
  deliveries: number
  dueInMs: number
}
export type Client = pg.PoolClient
type Reader = pg.Pool | pg.PoolClient

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** An unguessable id in the provider's alphabet. */
export const createId = (length = 17) => Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('')

/** Runs `work` in a transaction of its own. */
export async function inBooks<T>(pool: pg.Pool, work: (client: Client) => Promise<T>): Promise<T> {
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

type Row = { kind: Kind; id: string; order_id: string | null; body: unknown; created_at: Date }

const byId = 'SELECT kind, id, order_id, body, created_at FROM sandbox.records WHERE kind = $1 AND id = $2'
const readRow = statement<Row, [Kind, string]>('sandbox_read', byId)
const lockRow = statement<Row, [Kind, string]>('sandbox_lock', `${byId} FOR UPDATE`)
const readRows = statement<Row, [string]>(
  'sandbox_read_order',
  'SELECT kind, id, order_id, body, created_at FROM sandbox.records WHERE order_id = $1 ORDER BY created_at, id',
)

const bodyOf = <T>(rows: Row[]): T | undefined => rows[0]?.body as T | undefined

// an id that cannot be ours is not asked for: some texts no database takes
const mayBeId = (id: string) => /^[\w-]{1,64}$/.test(id)

export const readEntry = async <T>(on: Reader, kind: Kind, id: string) =>
  mayBeId(id) ? bodyOf<T>(await readRow(on, kind, id)) : undefined

/** Nobody else changes the entry until the transaction ends. */
export const lockEntry = async <T>(client: Client, kind: Kind, id: string) =>
  mayBeId(id) ? bodyOf<T>(await lockRow(client, kind, id)) : undefined

/** An order with its captures and refunds, oldest first. */
export async function readOrderEntries(on: Reader, orderId: string): Promise<{ kind: Kind; body: unknown }[]> {
  return readRows(on, orderId)
}

export async function readTokensOf<T>(on: Reader, customerId: string): Promise<T[]> {
  const { rows } = await on.query<Row>(
    `SELECT body FROM sandbox.records WHERE kind = 'payment_token' AND body->>'customerId' = $1 ORDER BY created_at`,
    [customerId],
  )
  return rows.map(({ body }) => body as T)
}

export async function readCaptures<T>(on: Reader): Promise<T[]> {
  const { rows } = await on.query<Row>(
    `SELECT body FROM sandbox.records WHERE kind = 'capture' AND body->>'status' <> 'DECLINED' ORDER BY created_at, id`,
  )
  return rows.map(({ body }) => body as T)
}

/** True when there was such an entry. */
export async function removeEntry(client: Client, kind: Kind, id: string): Promise<boolean> {
  const { rowCount } = await client.query('DELETE FROM sandbox.records WHERE kind = $1 AND id = $2', [kind, id])
  return rowCount === 1
}

const write = statement<never, [string, string, string | null, string | null, number | null, string | null]>(
  'sandbox_write',
  `WITH kept AS (
     INSERT INTO sandbox.records (kind, id, order_id, body)
     SELECT kind, id, "orderId", body
     FROM json_to_recordset($1::json) AS entry (kind text, id text, "orderId" text, body json)
     ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body, updated_at = clock_timestamp()),
   told AS (
     INSERT INTO sandbox.events (id, event_type, resource_id, body, deliveries_left, due_at)
     SELECT id, type, "resourceId", body, deliveries, clock_timestamp() + "dueInMs" * interval '1 millisecond'
     FROM json_to_recordset($2::json)
       AS event (id text, type text, "resourceId" text, body text, deliveries int, "dueInMs" int))
   UPDATE sandbox.replays SET status = $5, body = $6 WHERE request_id = $3 AND path = $4`,
)

/** The answer that a repeated request gets. */
export type Remembered = { requestId: string; path: string; status: number; body: string }

/** Writes what a call changed and, for a request with an id, what it answers. */
export async function writeBooks(
  client: Client,
  entries: Entry[],
  events: NewEvent[],
  answer: Remembered | null = null,
) {
  const values = [
    answer?.requestId ?? null,
    answer?.path ?? null,
    answer?.status ?? null,
    answer?.body ?? null,
  ] as const
  await write(client, JSON.stringify(entries), JSON.stringify(events), ...values)
}

/** Whether the error is of the index that lets an invoice be paid once. */
export const isPaidInvoice = (error: unknown) =>
  codeOf(error) === '23505' && (error as { constraint?: string }).constraint === 'sandbox_one_invoice'

// --- answers remembered by request id

const KEPT = '6 hours'

const claim = statement<{ one: number }, [string, string]>(
  'sandbox_claim',
  `INSERT INTO sandbox.replays (request_id, path) VALUES ($1, $2)
   ON CONFLICT (request_id, path) DO UPDATE SET status = NULL, body = NULL, created_at = clock_timestamp()
   WHERE replays.created_at < clock_timestamp() - interval '${KEPT}'
   RETURNING 1 AS one`,
)
const recall = statement<{ body: string }, [string, string]>(
  'sandbox_recall',
  'SELECT body FROM sandbox.replays WHERE request_id = $1 AND path = $2',
)
/**
 * The body of the first answer to this request id, or null when this is the first request: a second one that comes
 * meanwhile waits here until the first is through.
 */
export async function claimRequest(client: Client, requestId: string, path: string): Promise<string | null> {
  const claimed = await claim(client, requestId, path)
  if (claimed.length > 0) return null
  return (await recall(client, requestId, path))[0]!.body
}

/** Only what had an effect is remembered: after a decline the same request id is a new try. */
export async function forgetRequest(client: Client, requestId: string, path: string) {
  await client.query('DELETE FROM sandbox.replays WHERE request_id = $1 AND path = $2', [requestId, path])
}
