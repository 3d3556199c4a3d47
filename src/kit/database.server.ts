import { setTimeout as pause } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { log } from './log/log.server.ts'
import { forgetNames, preparing } from './prepared.server.ts'
import { SocketClient } from './socketClient.server.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
/** A transaction. Its connection pipelines concurrent statements. */
export type Tx = Db & { readonly isTransaction: true }
export type Database = { db: Db; pool: pg.Pool }

/** The start time of the transaction, by the database's clock. */
export const now = sql<Date>`now()`

// bigint columns contain cents and bytes, within the safe integers of JavaScript
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
// a date has no time zone, so it stays a text: '2026-11-22'
pg.types.setTypeParser(pg.types.builtins.DATE, String)

/**
 * The server must end a statement before the client's timeout. Requests share a connection, so a statement may wait for
 * two others that take their full time. A third of the timeout is therefore the limit.
 */
const limitsOf = (answerMs: number) =>
  `-c statement_timeout=${Math.round(answerMs / 3)} -c lock_timeout=5000 -c idle_in_transaction_session_timeout=15000`

/**
 * Detects a silently lost connection: TCP probes find an idle one, the query timeout one that runs a statement. A
 * pipelined client closes the connection after such a timeout.
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
  // an unhandled 'error' event ends the process. Idle clients emit it on the pool, other clients on themselves
  pool.on('error', (error) => log.warn('an idle database connection was lost', { error, of }))
  pool.on('connect', (client) =>
    client.on('error', (error) => log.warn('a database connection was lost', { error, of })),
  )
  // pg removes a closed connection from the pool too late, so end it before the next statement gets it
  pool.on(
    'release',
    (_error, client) => void (client instanceof SocketClient && client.socket.destroyed && client.end()),
  )
  return pool
}

type Opening = {
  size?: number
  /** Timeout for a connection attempt and for a reply. */
  patienceMs?: number
  /** Throws to reject a new connection. */
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
    // a pooler rejects these options and sets its own limits
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

/** Ends the pool too, because Kysely does not end a pool before its first query. */
export async function closeDatabase({ db, pool }: Database) {
  await db.destroy()
  if (!pool.ending) await pool.end()
}

// 0A000: a table changed after the statement was prepared
const RETRIED = new Set(['40001', '40P01', '0A000'])

/** Returns true for errors such as deadlocks: a retry may succeed. */
export const isRetryable = (error: unknown) => RETRIED.has(codeOf(error))

/** Runs `work` in one transaction. Makes at most three attempts if the error is retryable. */
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

/** Opens Kysely on one connection. Transactions of Kysely itself cannot pipeline statements (decision 0038). */
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
    // `release` closes the connection if the rollback fails
    await connection.query('rollback', []).catch(() => undefined)
    throw error
  } finally {
    connection.release()
  }
}

const ABORTED = '25P02'

/**
 * Runs statements of one transaction in one round trip and in this order. Waits for all of them, so that none runs
 * after the rollback.
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

// 55000: the database does not accept connections yet; 25006: the address still leads to a standby
const AWAY = /^(08|57P0|53|55000|25006)|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/
const BUSY = new Set(['55P03', '57014', '40001', '40P01', '0A000'])

/** Returns true if the database is down or too busy. A later retry may succeed. */
export const isDatabaseAway = (error: unknown): boolean => isDatabaseDown(error) || BUSY.has(codeOf(error))

/** Returns true if the database can serve no request, not only this statement. */
export function isDatabaseDown(error: unknown): boolean {
  if (AWAY.test(codeOf(error))) return true
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

const START_MS = 30_000

/** Retries a step of the start while the database is away, because the node already serves requests. */
export async function retryWhileAway<T>(step: () => Promise<T>): Promise<T> {
  const end = performance.now() + START_MS
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > end) throw error
      log.warn('a step of the start waits for the database', { error })
      await pause(500)
    }
  }
}
