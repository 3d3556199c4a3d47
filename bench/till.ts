import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { LoadOrder, LoadResult } from './orders.ts'
import { cpuMs, openBenchStage, postgresCpuMs, startHelper } from './stage.ts'

// The till alone: orders a second with their webhooks, statements and processor time of one order.
// node scripts/run.mjs bench/till.ts [seconds of a round] [rounds]

const SHOPPERS = 8
const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 3)

const stage = await openBenchStage(
  { members: 2000 },
  { settings: { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_planning': 'off' } },
)
const load = await startHelper<LoadOrder, LoadResult>('load.ts', { isReadyTold: false })
const client = new pg.Client({ connectionString: stage.databaseUrl })
await client.connect()
await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
await client.query('DELETE FROM cart_items')

async function drain() {
  for (;;) {
    const { rows } = await client.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM sandbox.events WHERE deliveries_left > 0)::int
         + (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)::int
         + (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier IN ('webhook', 'send_mail'))::int AS left`,
    )
    if (rows[0]!.left === 0) return
    await pause(50)
  }
}

const take = (forSeconds: number) =>
  load.ask({
    port: stage.port,
    connections: SHOPPERS,
    seconds: forSeconds,
    kind: 'checkout',
    cookies: stage.members.map(({ cookie }) => cookie),
    productId: stage.productIds[0]!,
    total: stage.recordings.total,
  })

await take(2)
await drain()
for (let round = 0; round < rounds; round++) {
  await client.query('SELECT pg_stat_statements_reset()')
  const before = [cpuMs(stage.shop.pid), await postgresCpuMs(stage.postgres), cpuMs(load.pid)]
  const { count, perSecond, p50, p99 } = await take(seconds)
  const start = performance.now()
  await drain()
  const after = [cpuMs(stage.shop.pid), await postgresCpuMs(stage.postgres), cpuMs(load.pid)]
  const own = `query NOT LIKE '%sandbox.events WHERE deliveries_left > 0)::int%' AND query NOT LIKE '%pg_stat%'`
  const { rows } = await client.query<{ calls: number; ms: number; begins: number }>(
    `SELECT sum(calls)::float8 AS calls, sum(total_exec_time) AS ms,
       sum(calls) FILTER (WHERE query ~* '^(begin|commit|rollback)')::float8 AS begins
     FROM pg_stat_statements WHERE ${own}`,
  )
  const { calls, ms, begins } = rows[0]!
  const cpu = after.map((value, i) => ((value - before[i]!) / count).toFixed(2))
  console.log(
    `${perSecond.toFixed(1)} orders/s p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)}; ${(calls / count).toFixed(1)} statements (${(begins / count).toFixed(1)} begin/commit), ${(ms / count).toFixed(1)} ms; CPU ms server ${cpu[0]} postgres ${cpu[1]} load ${cpu[2]}; drain ${(performance.now() - start).toFixed(0)} ms; ${count} orders`,
  )
  if (round === rounds - 1 && process.env.TOP) {
    const top = await client.query<{ calls: number; ms: number; query: string }>(
      `SELECT calls::float8, total_exec_time AS ms, regexp_replace(query, '\\s+', ' ', 'g') AS query FROM pg_stat_statements
       WHERE ${own} ORDER BY calls DESC LIMIT ${Number(process.env.TOP)}`,
    )
    for (const row of top.rows)
      console.log(`${(row.calls / count).toFixed(2)}  ${(row.ms / count).toFixed(3)}  ${row.query.slice(0, 150)}`)
  }
}
await client.end()
load.close()
await stage.close()
