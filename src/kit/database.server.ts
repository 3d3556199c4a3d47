import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { log } from './log/log.server.ts'
import { forgetNames, preparing } from './prepared.server.ts'
import { SocketClient } from './socketClient.server.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** A transaction: statements that start together share a round trip. */
export type Tx = Db & { readonly isTransaction: true }
export type Database = { db: Db; pool: pg.Pool }

/** The start of the transaction, by the database's clock. */
export const now = sql<Date>`now()`

// bigint columns hold cents and bytes, far below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// a day has no time zone: '2026-11-22'
pg.types.setTypeParser(pg.types.builtins.DATE, String)

/**
 * The server ends a statement before the connection counts as lost, also where it waits on the wire behind two that take their full
 * time: statements of several requests share a connection.
 */
const limitsOf = (answerMs: number) =>
  `-c statement_timeout=${Math.round(answerMs / 3)} -c lock_timeout=5000 -c idle_in_transaction_session_timeout=15000`

/**
 * How a connection notices that the network lost it without a word: idle, by probes of TCP after 10 s; under a statement, because the
 * answer is late. A pipelined client then closes the connection. Its statements also share round trips.
 */
export const NOTICING_LOSS = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  query_timeout: 30_000,
  pipeline: true,
} satisfies pg.ClientConfig

/** A pool that replaces lost connections. */
export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...NOTICING_LOSS, Client: SocketClient, ...config })
  const of = config.application_name
  // an unhandled error would end the process: idle clients report to the pool, others to themselves
  pool.on('error', (error) => log.warn('an idle database connection was lost', { error, of }))
  pool.on('connect', (client) =>
    client.on('error', (error) => log.warn('a database connection was lost', { error, of })),
  )
  // the driver knows of a closed connection a moment too late to keep it from the next statement
  pool.on(
    'release',
    (_error, client) => void (client instanceof SocketClient && client.socket.destroyed && client.end()),
  )
  return pool
}

type Opening = {
  size?: number
  /** The limit of connecting and of waiting for an answer. */
  patienceMs?: number
  /** Refuses a new connection by a throw. */
  checkServer?: (client: pg.ClientBase) => Promise<void>
  /** Behind a pooler, each transaction may run on another connection of the server (decision 0086). */
  isPooled?: boolean
}

/** Opens a pool with statement and lock timeouts; end it with `closeDatabase`. */
export function openDatabase(
  url: string,
  { size = 16, patienceMs, checkServer, isPooled = false }: Opening = {},
): Database {
  const answerMs = patienceMs ?? NOTICING_LOSS.query_timeout
  const pool = openPool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: patienceMs ?? 3000,
    query_timeout: answerMs,
    ...(checkServer && { onConnect: checkServer }),
    idleTimeoutMillis: 30_000,
    // a pooler refuses them and sets them itself
    ...(!isPooled && { options: limitsOf(answerMs) }),
    application_name: 'primo',
  })
  if (isPooled) pool.on('connect', forgetNames)
  return { pool, db: openDb(pool) }
}

const PLUGINS = [new CamelCasePlugin()]
const prepared = new WeakMap<Db, PostgresPool>()

export function openDb(pool: pg.Pool): Db {
  const own = preparing(pool)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: own }), plugins: PLUGINS })
  prepared.set(db, own)
  return db
}

/** Kysely alone ends no connection before its own first query. */
export async function closeDatabase({ db, pool }: Database) {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

// 0A000: a prepared statement met a table that has changed since
const RETRIED = new Set(['40001', '40P01', '0A000'])

/** True for deadlocks and the like: the same work may succeed at the next attempt. */
export const isRetryable = (error: unknown) => RETRIED.has(codeOf(error))

/** Runs `work` in one transaction; deadlocks and the like are tried three times in all. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction(db, work)
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error
    }
  }
}

class OpenTransaction extends Kysely<Tables> {
  override get isTransaction(): true {
    return true
  }
}

/** Kysely on one connection. Its own transactions make each statement wait for the one before (decision 0038). */
function openTransaction({ query }: PostgresPoolClient) {
  let isOver = false
  const client = { query, release: () => undefined }
  const connect = async () => {
    if (isOver) throw new Error('the transaction is over')
    return client
  }
  const pool = { connect, end: async () => undefined, options: {} }
  const tx: Tx = new OpenTransaction({ dialect: new PostgresDialect({ pool }), plugins: PLUGINS })
  return { tx, end: () => (isOver = true) }
}

async function runTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const pool = prepared.get(db)
  if (!pool) throw new Error('openDb did not open this database')
  const connection = await pool.connect()
  const { tx, end } = openTransaction(connection)
  try {
    await connection.query('begin', [])
    const result = await work(tx)
    end()
    const { command } = await connection.query('commit', [])
    if (command === 'ROLLBACK') throw new Error('a statement failed, and its transaction was rolled back')
    return result
  } catch (error) {
    end()
    // a connection that cannot roll back is not used again
    await connection.query('rollback', []).catch(() => undefined)
    throw error
  } finally {
    connection.release()
  }
}

const ABORTED = '25P02'

/**
 * Statements of one transaction that share a round trip; the database runs them in this order. Waits for all of them, so that none
 * runs after the rollback.
 */
export async function together<T extends readonly unknown[]>(work: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  const results = await Promise.allSettled(work)
  const failed = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
  if (failed.length > 0) throw (failed.find(({ reason }) => codeOf(reason) !== ABORTED) ?? failed[0]!).reason
  return Promise.all(work) as Promise<T>
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

// 55000: the database accepts no connections at the moment; 25006: the address still leads to a standby
const AWAY = /^(08|57P0|53|55000|25006)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/
const BUSY = new Set(['55P03', '57014', '40001', '40P01', '0A000'])

/** True when the database is down or too busy, so that a later retry may succeed. */
export const isDatabaseAway = (error: unknown): boolean => isDatabaseDown(error) || BUSY.has(codeOf(error))

/** True when the database serves nobody, and not only this statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (AWAY.test(codeOf(error))) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    )
  )
}
