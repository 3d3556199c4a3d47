import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { LoadOrder, LoadResult } from './orders.ts'
import { cpuMs, openBenchStage, postgresCpuMs, startHelper } from './stage.ts'
import { firstOf, only, required } from '../src/kit/values/required.ts'

// node scripts/run.mjs bench/till.ts [seconds of a round] [rounds]: measures orders a second with their webhooks and
// jobs, and the statements and processor time of one order. Two thousand buyers take turns.

const [seconds = 10, rounds = 3] = process.argv.slice(2).map(Number)
const SHOPPERS = 8
const COUNTED = `query NOT LIKE '%events WHERE deliveries_left > $1)::int%' AND query NOT LIKE '%pg_stat_statements%'`

const MEMBERS = 2_000
const stage = await openBenchStage(
  { products: 1_000, users: MEMBERS + 10, orders: 0 },
  { members: MEMBERS, settings: { shared_preload_libraries: 'pg_stat_statements' } },
)
const { pgDir, shop, members, recordings } = stage
const load = await startHelper<LoadOrder, LoadResult>('load.ts', { isReadyTold: false })
const client = new pg.Client({ connectionString: stage.superuserUrl })
await client.connect()
await client.query('CREATE EXTENSION pg_stat_statements; DELETE FROM cart_items')

const order = (forSeconds: number) =>
  load.ask({
    port: stage.port,
    connections: SHOPPERS,
    seconds: forSeconds,
    kind: 'checkout',
    cookies: members.map(({ cookie }) => cookie),
    productId: firstOf(stage.productIds),
    total: recordings.total,
  })

async function drain() {
  const left = `SELECT (SELECT count(*) FROM sandbox.events WHERE deliveries_left > 0)::int
    + (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)::int
    + (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier IN ('webhook', 'send_mail'))::int AS left`
  while (only((await client.query<{ left: number }>(left)).rows).left > 0) await pause(50)
}

const used = () => [cpuMs(shop.pid), postgresCpuMs(pgDir)]

await order(2)
await drain()
for (let round = 0; round < rounds; round++) {
  await client.query('SELECT pg_stat_statements_reset()')
  const before = used()
  const { count, perSecond, p50 } = await order(seconds)
  await drain()
  const [server, database] = used().map((ms, i) =>
    ((ms - required(before[i], 'an entry of before')) / count).toFixed(1),
  )
  const { rows } = await client.query<{ calls: number; ms: number; text: string }>(
    `SELECT calls::float8, total_exec_time AS ms, regexp_replace(query, '\\s+', ' ', 'g') AS text
     FROM pg_stat_statements WHERE ${COUNTED} ORDER BY calls DESC`,
  )
  const statements = (rows.reduce((sum, { calls }) => sum + calls, 0) / count).toFixed(1)
  console.log(`${count} orders, ${perSecond.toFixed(1)} a second, p50 ${p50.toFixed(0)} ms`)
  console.log(`one order: ${statements} statements, CPU ms: server ${server}, PostgreSQL ${database}`)
  if (round === rounds - 1)
    for (const { calls, ms, text } of rows.slice(0, 60))
      console.log(`${(calls / count).toFixed(2)} ${(ms / count).toFixed(2)} ms  ${text.slice(0, 120)}`)
}
await client.end()
load.close()
await stage.close()
