import pg from 'pg'
import { type LoadResult, type SqlOrder, takeTurns } from './orders.ts'
import { replay } from './record.ts'
import { wrapped } from '../src/kit/values/required.ts'

// The limit of a write: the bare driver sends the same statements over as many connections.

async function run(order: SqlOrder): Promise<LoadResult> {
  const pool = new pg.Pool({ connectionString: order.url, max: order.pool })
  const turn = order.kind === 'statements' ? circle(pool, order) : orders(pool, order)
  const result = await takeTurns(order.connections, order.seconds, () => turn)
  await pool.end()
  return result
}

function circle(pool: pg.Pool, { statements }: Extract<SqlOrder, { kind: 'statements' }>) {
  let next = 0
  return () => pool.query(wrapped(statements, next++))
}

/** Each turn is an order of the next buyer. Each 'NEW' becomes a fresh id. */
function orders(pool: pg.Pool, { recording, buyers }: Extract<SqlOrder, { kind: 'recording' }>) {
  let next = 0
  return async () => {
    const names = Object.entries(wrapped(buyers, next++)).map(([from, to]): [string, string] => [
      from,
      to === 'NEW' ? crypto.randomUUID() : to,
    ])
    const client = await pool.connect()
    try {
      await replay(client, recording, new Map(names))
    } finally {
      client.release()
    }
  }
}

process.on('message', (order: SqlOrder) => {
  run(order).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.send?.({ result: 'ready' })
