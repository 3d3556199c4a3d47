import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Socket } from 'node:net'
import type pg from 'pg'

// Prepares Kysely's statements, because planning a small statement costs PostgreSQL more than running it.

const MAX_NAMES = 500
// above the facts of risk, the longest statement of an order. Lists of ids make many longer texts, which are not worth a name
const MAX_TEXT_LENGTH = 4800
const CHANGED = '0A000'
const READ = /^\s*select/i
const NOTHING = { command: 'BEGIN', rowCount: 0, rows: [] }

/** Kysely's view of the pool: a statement with values gets a name, and each connection plans it once. */
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

  /** A table has changed under a prepared statement: all statements get new names. */
  function forget(error: unknown) {
    if ((error as { code?: string }).code !== CHANGED) return
    generation++
    names = new Map()
  }

  async function connect() {
    const client = await pool.connect()
    let begun: Promise<unknown> | undefined
    let isBegun = true
    let isWaiting = false
    let isUnsafe = false
    const query = async (text: string, values?: unknown[]) => {
      gatherWrites(client)
      // BEGIN shares the round trip of the first reads
      if (text === 'begin') {
        isBegun = isWaiting = false
        begun = client.query(text)
        begun.then(
          () => (isBegun = true),
          () => undefined,
        )
        return NOTHING
      }
      // without its transaction a write would stay
      isWaiting ||= !isBegun && !READ.test(text)
      if (isWaiting && !isBegun) await begun
      const name = values?.length ? nameOf(text) : undefined
      try {
        return await client.query({ ...(name && { name }), text, values: values ?? [] })
      } catch (error) {
        forget(error)
        // it may be inside of a transaction still
        isUnsafe ||= text === 'rollback'
        throw error
      }
    }
    return {
      query,
      release: (isBroken?: boolean) => client.release(isBroken || isUnsafe),
    } as unknown as PostgresPoolClient
  }

  return { connect, end: () => pool.end(), options: pool.options }
}

/** Keeps statements from being prepared under a name, which the next transaction would not find on its connection. */
export function withoutNames(client: pg.PoolClient) {
  const query = client.query.bind(client) as (first: object | string, ...rest: unknown[]) => unknown
  const nameless = (first: object | string, ...rest: unknown[]) =>
    query(typeof first === 'object' && 'name' in first ? { ...first, name: undefined } : first, ...rest)
  client.query = nameless as typeof client.query
}

export const streamOf = (client: pg.ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** What is sent to this client in one turn goes out in one write. */
export function gatherWrites(client: pg.PoolClient) {
  const stream = streamOf(client)
  stream.cork()
  process.nextTick(() => stream.uncork())
}

// Statements that start in one turn of the event loop, such as the reads of a page, share a connection, a write and a round
// trip: a write to each connection costs more than most reads. The server runs them one after the other.

/** `running` statements keep the client from the pool. As with the pool's own queries, a failed one ends the connection. */
type Turn = { client: Promise<pg.PoolClient>; running: number; hasFailed: boolean }

const turns = new WeakMap<pg.Pool, Turn>()

function startTurn(pool: pg.Pool): Turn {
  const turn = { client: pool.connect(), running: 0, hasFailed: false }
  turns.set(pool, turn)
  // after all that is ready to run now
  process.nextTick(() => turns.delete(pool))
  return turn
}

/** As `pool.query`, together with what else the caller's turn asks. */
export async function queryTogether<Row extends pg.QueryResultRow>(pool: pg.Pool, query: pg.QueryConfig) {
  const turn = turns.get(pool) ?? startTurn(pool)
  turn.running++
  const client = await turn.client
  try {
    gatherWrites(client)
    return await client.query<Row>(query)
  } catch (error) {
    turn.hasFailed = true
    throw error
  } finally {
    turn.running--
    if (turn.running === 0) client.release(turn.hasFailed)
  }
}
