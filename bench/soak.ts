import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { findViolations } from '../drill/invariants.ts'
import { isSmallest, places, sized } from '../drill/profile.ts'
import { type CrowdOrder, type CrowdReport, type Deed, READS } from './deeds.ts'
import { cpuMs, openBenchStage, postgresCpuMs, residentMb, startHelper } from './stage.ts'
import { firstOf, lastOf, only, required } from '../src/kit/values/required.ts'

// node scripts/run.mjs --build bench/soak.ts [minutes] [FOLDER]: a thousand people use a store with 100,000 products
// and 1,000,000 orders. Prints each minute, the times of each action, memory, queues, and how tables grow with orders.
// Ends with a code other than 0 if a limit is exceeded. FOLDER stores the data for later runs.

const PEOPLE = sized(1_000, 4)
const SIZE = sized({ products: 100_000, users: 100_000, orders: 1_000_000 }, { products: 100, users: 20, orders: 100 })
const READ_P99_MS = 100
/** The caches are full after this share of the minutes. */
const SETTLED = 1 / 3
/** The last webhooks of the provider arrive within this time. */
const REST_SECONDS = sized(60, 5)
/** In this time, people arrive, the embedding model starts, code is compiled and caches fill. */
const WARM_UP_SECONDS = sized(180, 2)
const MINUTE_SECONDS = sized(60, 3)
const MEMORY_GROWTH = 1.1

const [minutesText = '30', folder] = places
const minutes = Number(minutesText)

const stage = await openBenchStage(SIZE, { folder, members: PEOPLE })
const crowd = await startHelper<CrowdOrder, CrowdReport>('crowd.ts', { isReadyTold: false })
const client = new pg.Client({ connectionString: stage.superuserUrl })
await client.connect()

const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
const mb = (value: number) => `${Math.round(value)} MB`

const startedAt = new Date().toISOString()
const QUEUES = `SELECT
  (SELECT count(*)::int FROM graphile_worker.jobs WHERE run_at <= now() AND attempts < max_attempts) AS jobs,
  (SELECT count(*)::int FROM graphile_worker.jobs WHERE created_at > '${startedAt}' AND attempts >= max_attempts AND locked_at IS NULL) AS failed,
  (SELECT count(*)::int FROM webhook_events WHERE processed_at IS NULL) AS webhooks,
  (SELECT count(*)::int FROM sandbox.events WHERE deliveries_left > 0) AS undelivered,
  (SELECT count(*)::int FROM orders WHERE status = 'pending') AS pending`

async function readQueues() {
  const { rows } = await client.query<Record<string, number>>(QUEUES)
  return only(rows)
}

async function readGrowth(): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; gained: number }>(
    `SELECT schemaname || '.' || relname AS name, (n_tup_ins - n_tup_del)::float8 AS gained FROM pg_stat_user_tables`,
  )
  return new Map(rows.map(({ name, gained }) => [name.replace(/^public\./, ''), gained]))
}

/** Returns the memory of PostgreSQL's processes. Counts a shared page once. */
function postgresMb(): number {
  const postmaster = firstOf(readFileSync(join(stage.pgDir, 'postmaster.pid'), 'utf8').split('\n'))
  let kilobytes = 0
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const parent = /\nPPid:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      if (name !== postmaster && parent !== postmaster) continue
      kilobytes += Number(/\nPss:\s+(\d+)/.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // the process has ended
    }
  }
  return kilobytes / 1024
}

type Minute = CrowdReport & {
  shopMb: number
  databaseMb: number
  queues: Record<string, number>
  cores: { shop: number; postgres: number; crowd: number }
  growth: Map<string, number>
}

const { port, members, productIds, searches } = stage
const order = { port, productIds, searches, cookies: members.map(({ cookie }) => cookie) }
const usedMs = () => [cpuMs(stage.shop.pid), postgresCpuMs(stage.pgDir), cpuMs(crowd.pid)] as const

async function soakFor(seconds: number, isLast = false): Promise<Minute> {
  const [before, startedAt] = [usedMs(), performance.now()]
  const report = await crowd.ask({ ...order, seconds, isLast })
  const [shop, postgres, own] = usedMs().map(
    (used, i) => (used - required(before[i], 'an entry of before')) / (performance.now() - startedAt),
  )
  return {
    ...report,
    shopMb: residentMb(stage.shop.pid),
    databaseMb: postgresMb(),
    queues: await readQueues(),
    cores: {
      shop: required(shop, 'the time of the shop'),
      postgres: required(postgres, 'the time of PostgreSQL'),
      crowd: required(own, 'the time of the bench'),
    },
    growth: await readGrowth(),
  }
}

const readsOf = ({ times }: CrowdReport) => READS.flatMap((deed) => times[deed])
const deedsOf = ({ times }: CrowdReport) => Object.values(times).reduce((sum, list) => sum + list.length, 0)

function formatMinute(minute: Minute, i: number) {
  const { cores, queues, errors, feeds, events } = minute
  const share = (value: number) => `${Math.round(value * 100)} %`
  console.log(
    [
      `minute ${i + 1}: ${(deedsOf(minute) / MINUTE_SECONDS).toFixed(0)} actions a second, ${minute.times.checkout.length} orders, ${errors.length} errors`,
      `reads p50 ${ms(at(readsOf(minute), 0.5))}, p99 ${ms(at(readsOf(minute), 0.99))}`,
      `shop ${mb(minute.shopMb)}, PostgreSQL ${mb(minute.databaseMb)}`,
      `${feeds} feeds, ${events} events`,
      Object.entries(queues)
        .map(([name, count]) => `${count} ${name}`)
        .join(' '),
      `of a core: shop ${share(cores.shop)}, PostgreSQL ${share(cores.postgres)}, crowd ${share(cores.crowd)}`,
    ].join('; '),
  )
  for (const error of new Set(errors.slice(0, 5))) console.log(`  ${error}`)
}

const wrong: string[] = []
try {
  await soakFor(WARM_UP_SECONDS)
  const list: Minute[] = []
  const atFirst = await readGrowth()
  for (let i = 0; i < minutes; i++) {
    list.push(await soakFor(MINUTE_SECONDS))
    formatMinute(lastOf(list), i)
  }
  const settled = list.slice(Math.floor(minutes * SETTLED))
  const timesOf = (deed: Deed) => list.flatMap(({ times }) => times[deed])
  const errors = list.flatMap((minute) => minute.errors)
  const reads = list.flatMap(readsOf)
  const orders = timesOf('checkout').length

  console.log(`\n| deed | times | p50 | p95 | p99 |\n|---|---|---|---|---|`)
  for (const deed of Object.keys(firstOf(list).times) as Deed[]) {
    const all = timesOf(deed)
    console.log(`| ${deed} | ${all.length} | ${[0.5, 0.95, 0.99].map((share) => ms(at(all, share))).join(' | ')} |`)
  }
  console.log(`| all reads | ${reads.length} | ${[0.5, 0.95, 0.99].map((share) => ms(at(reads, share))).join(' | ')} |`)

  const [early, late] = [settled.slice(0, 5), settled.slice(-5)]
  const middle = (some: Minute[], key: 'shopMb' | 'databaseMb') =>
    at(
      some.map((one) => one[key]),
      0.5,
    )
  for (const [key, name] of [
    ['shopMb', 'the shop'],
    ['databaseMb', 'PostgreSQL'],
  ] as const) {
    const [from, to] = [middle(early, key), middle(late, key)]
    console.log(`\nmemory of ${name}: ${mb(from)} after a third of the time, ${mb(to)} at the end`)
    if (!isSmallest && to > from * MEMORY_GROWTH) wrong.push(`the memory of ${name} grew from ${mb(from)} to ${mb(to)}`)
  }
  for (const name of Object.keys(firstOf(list).queues)) {
    const most = (some: Minute[]) => Math.max(...some.map(({ queues }) => required(queues[name], 'an entry of queues')))
    console.log(`queue of ${name}: at most ${most(list)}, at the end ${lastOf(list).queues[name]}`)
    if (most(late) > 2 * most(early) + PEOPLE / 10) wrong.push(`the queue of ${name} grows`)
  }

  console.log(`\nrows that a table gains for each of ${orders} orders, in the first half and the second:`)
  const half = Math.floor(minutes / 2)
  const ordersIn = (some: Minute[]) => some.reduce((sum, { times }) => sum + times.checkout.length, 0)
  const perOrder = (from: Map<string, number>, to: Map<string, number>, name: string, some: Minute[]) =>
    ((to.get(name) ?? 0) - (from.get(name) ?? 0)) / ordersIn(some)
  const [middleGrowth, lastGrowth] = [list[half - 1]?.growth ?? atFirst, lastOf(list).growth]
  for (const name of [...lastGrowth.keys()].sort()) {
    const first = perOrder(atFirst, middleGrowth, name, list.slice(0, half))
    const second = perOrder(middleGrowth, lastGrowth, name, list.slice(half))
    if (Math.max(first, second) >= 0.005) console.log(`  ${name}: ${first.toFixed(2)}, ${second.toFixed(2)}`)
    if (!isSmallest && second > first * 1.5 + 0.1) wrong.push(`${name} grows faster than the orders`)
  }

  errors.push(...(await soakFor(REST_SECONDS, true)).errors)
  const left = Object.entries(await readQueues()).filter(([, count]) => count > 0)
  for (const [name, count] of left) wrong.push(`${count} ${name} are left ${REST_SECONDS} s after the last deed`)
  const violations = await findViolations(stage.superuserUrl, null)
  if (errors.length > 0) wrong.push(`${errors.length} errors, such as ${errors[0]}`)
  if (!isSmallest && at(reads, 0.99) > READ_P99_MS) wrong.push(`p99 of reads is ${ms(at(reads, 0.99))}`)
  wrong.push(...violations, ...stage.shop.errors())
  console.log(
    `\n${minutes} minutes, ${PEOPLE} people, ${list.reduce((sum, one) => sum + deedsOf(one), 0)} deeds, ${orders} orders`,
  )
  console.log(wrong.length === 0 ? 'every promise holds' : wrong.map((one) => `BROKEN: ${one}`).join('\n'))
} finally {
  crowd.close()
  await client.end()
  await stage.close()
}
process.exitCode = wrong.length === 0 ? 0 : 1
