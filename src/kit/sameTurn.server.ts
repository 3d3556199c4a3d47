import type { Socket } from 'node:net'
import type pg from 'pg'

// Statements that start in one turn of the event loop, such as the reads of a page, share a connection, a write and a round
// trip: a write to each connection costs more than most reads. The server runs them one after the other.

/** What is sent to this client in one turn goes out in one write. */
export function gatherWrites(client: pg.PoolClient) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

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
