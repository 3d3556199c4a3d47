import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { SocketClient } from './socketClient.server.ts'

// Prepares statements, because planning a small statement costs PostgreSQL more than running it.

const MAX_NAMES = 500
// longer than the longest statement of an order. Statements with lists of ids have many longer texts, used rarely
const MAX_TEXT_LENGTH = 4800
const CHANGED = '0A000'
const READ = /^\s*select/i
const BEGUN = { command: 'SELECT', rowCount: 0, rows: [] } as const

/** Clients of a pooler: their next transaction may use another server connection, which lacks prepared statements. */
const nameless = new WeakSet<pg.ClientBase>()
export const forgetNames = (client: pg.ClientBase) => void nameless.add(client)

/** Sends a statement. Prepares a named statement, unless the client is behind a pooler. */
export const send = <Row extends pg.QueryResultRow>(client: pg.ClientBase, query: pg.QueryConfig) =>
  client.query<Row>(query.name && nameless.has(client) ? { ...query, name: undefined } : query)

/** Wraps the pool for Kysely. A statement with values gets a name, so that each connection prepares it once. */
export function preparing(pool: pg.Pool): PostgresPool {
  let names = new Map<string, string>()
  let generation = 0

  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known || names.size >= MAX_NAMES || text.length > MAX_TEXT_LENGTH) return known
    const name = `k${generation}_${names.size}`
    names.set(text, name)
    return name
  }

  /** After a table changed, all prepared statements get new names. */
  function forget(error: unknown) {
    if (!(error instanceof Error && 'code' in error && error.code === CHANGED)) return
    generation++
    names = new Map()
  }

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect()
    let begun: Promise<unknown> | undefined
    let isBegun = true
    let isWaiting = false
    let isUnsafe = false

    async function run<R>(text: string, values: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>> {
      gatherWrites(client)
      // BEGIN shares the round trip of the first reads
      if (text === 'begin') {
        isBegun = isWaiting = false
        begun = client.query(text)
        begun.then(
          () => (isBegun = true),
          () => undefined,
        )
        return { ...BEGUN, rows: [] }
      }
      // a write before a failed BEGIN would commit by itself, so it waits for BEGIN
      isWaiting ||= !isBegun && !READ.test(text)
      if (isWaiting && !isBegun) await begun
      const name = values.length > 0 ? nameOf(text) : undefined
      try {
        const { command, rowCount, rows } = await send<R & object>(client, { name, text, values: [...values] })
        return { command: command as PostgresQueryResult<R>['command'], rowCount: rowCount ?? 0, rows }
      } catch (error) {
        forget(error)
        // the connection may still be in a transaction
        isUnsafe ||= text === 'rollback'
        throw error
      }
    }

    function query<R>(text: string, values: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>
    function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
    function query<R>(asked: string | PostgresCursor<R>, values: ReadonlyArray<unknown> = []): unknown {
      if (typeof asked !== 'string') throw new Error('the shop reads no rows by a cursor')
      return run<R>(asked, values)
    }

    return { query, release: (isBroken?: boolean) => client.release(isBroken || isUnsafe) }
  }

  return { connect, end: () => pool.end(), options: pool.options }
}

/** Sends all statements of one turn in one socket write. */
export function gatherWrites(client: pg.ClientBase) {
  if (!(client instanceof SocketClient)) return
  client.socket.cork()
  process.nextTick(() => client.socket.uncork())
}

// Statements that start in one turn of the event loop, such as the reads of a page, share a connection, a socket write
// and a round trip, because a socket write costs more than most reads. The server runs them in sequence.

/** The client returns to the pool when no statement is `running`. A failed statement closes its connection. */
type Turn = { client: Promise<pg.PoolClient>; running: number; hasFailed: boolean }

const turns = new WeakMap<pg.Pool, Turn>()

function startTurn(pool: pg.Pool): Turn {
  const turn = { client: pool.connect(), running: 0, hasFailed: false }
  turns.set(pool, turn)
  // ends the turn after all code that is ready to run
  process.nextTick(() => turns.delete(pool))
  return turn
}

/** Runs a query as `pool.query` does, on the connection that the current turn shares. */
export async function queryTogether<Row extends pg.QueryResultRow>(pool: pg.Pool, query: pg.QueryConfig) {
  const turn = turns.get(pool) ?? startTurn(pool)
  turn.running++
  const client = await turn.client
  try {
    gatherWrites(client)
    return await send<Row>(client, query)
  } catch (error) {
    turn.hasFailed = true
    throw error
  } finally {
    turn.running--
    if (turn.running === 0) client.release(turn.hasFailed)
  }
}
