import pg from 'pg'
import type { LoadResult, SqlOrder } from './orders.ts'
import { replay } from './record.ts'

// The limit of a write: the bare driver sends the same statements over as many connections.

async function run(order: SqlOrder): Promise<LoadResult> {
  const pool = new pg.Pool({ connectionString: order.url, max: order.pool })
  const turn = order.kind === 'statements' ? circle(pool, order) : orders(pool, order)
  const tookMs: number[] = []
  const startedAt = performance.now()
  const end = startedAt + order.seconds * 1000
  await Promise.all(
    Array.from({ length: order.connections }, async () => {
      for (let at = performance.now(); at < end;) {
        await turn()
        const now = performance.now()
        tookMs.push(now - at)
        at = now
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  await pool.end()
  tookMs.sort((a, b) => a - b)
  const at = (share: number) => tookMs[Math.floor(tookMs.length * share)] ?? 0
  return { count: tookMs.length, perSecond: tookMs.length / seconds, p50: at(0.5), p99: at(0.99), bytes: 0 }
}

function circle(pool: pg.Pool, { statements }: Extract<SqlOrder, { kind: 'statements' }>) {
  let next = 0
  return () => pool.query(statements[next++ % statements.length]!)
}

/** Each turn is an order of the next buyer. Each 'NEW' becomes a fresh id. */
function orders(pool: pg.Pool, { recording, buyers }: Extract<SqlOrder, { kind: 'recording' }>) {
  let next = 0
  return async () => {
    const names = Object.entries(buyers[next++ % buyers.length]!).map(([from, to]): [string, string] => [
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
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  )
})
process.send!({ result: 'ready' })
