import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Load } from '../demo/seed.ts'
import { isSmallest, places, sized } from '../drill/profile.ts'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { measureFootprint } from './footprint.ts'
import { type Figures, measure, ROUND_SECONDS, ROUNDS, type Side, WARM_UP_SECONDS } from './measure.ts'
import type { BenchRequest, LoadOrder, LoadResult, SqlOrder } from './orders.ts'
import { type BenchStage, openBenchStage, residentMb, startHelper } from './stage.ts'
import { firstOf, lastOf, only, required, wrapped } from '../src/kit/values/required.ts'
import { medianOf } from './median.ts'

// npm run bench [-- FOLDER] measures a customer's actions at two sizes, and compares them with the limit of the same machine for
// the same bytes or SQL. FOLDER stores the large shop for later runs. Writes bench/results.md, except with --smallest.

const CONNECTIONS = 16
// Never more than members: two checkouts of one cart would disturb each other.
const SHOPPERS = sized(8, 2)
// The buyers take turns, as in a shop: the orders of a few busy accounts would distort what risk reads.
const MEMBERS = sized(2_000, 4)
const POOL = 16
const SIZES: Load[] = sized(
  [
    { products: 1_000, users: MEMBERS + 10, orders: 20_000 },
    { products: 100_000, users: 100_000, orders: 1_000_000 },
  ],
  [{ products: 100, users: 20, orders: 100 }],
)

type Row = { name: string; ours: Side; kind?: 'node:http' | 'SQL'; limit?: Side; prepare?: () => Promise<unknown> }
type Measured = { name: string; kind?: Row['kind']; ours: Figures; limit?: Figures }
type Statement = { name?: string; text: string; values: unknown[] }
type Helpers = Awaited<ReturnType<typeof startHelpers>>

const progress = (text: string) => process.stderr.write(`${text}\n`)

async function startHelpers() {
  const load = await startHelper<LoadOrder, LoadResult>('load.ts', { isReadyTold: false })
  const bareHttp = await startHelper<object, number>('bareHttp.ts')
  const bareSql = await startHelper<SqlOrder, LoadResult>('bareSql.ts')
  return { load, bareHttp, bareSql, close: () => [load, bareHttp, bareSql].forEach((helper) => helper.close()) }
}

function rowsOf({ port, shop, databaseUrl, members, recordings, productIds, searches }: BenchStage, helpers: Helpers) {
  const { load, bareHttp, bareSql } = helpers
  const common = { connections: CONNECTIONS, kind: 'requests' } as const
  const asking = (requests: (round: number) => BenchRequest[]): Side => {
    let round = 0
    return {
      pid: shop.pid,
      load: (seconds) => load.ask({ ...common, port, seconds, requests: requests(round++) }),
    }
  }
  const sql = { url: databaseUrl, pool: POOL }
  const sending = (statements: Statement[]): Side => ({
    pid: bareSql.pid,
    load: (seconds) => bareSql.ask({ ...sql, connections: CONNECTIONS, seconds, kind: 'statements', statements }),
  })

  function reading(name: string, requests: BenchRequest[]): Row {
    let barePort = 0
    return {
      name,
      ours: asking(() => requests),
      kind: 'node:http',
      limit: {
        pid: bareHttp.pid,
        load: (seconds) => load.ask({ ...common, port: barePort, seconds, requests }),
      },
      prepare: async () => {
        const some = requests.slice(0, 100)
        barePort = await bareHttp.ask(await Promise.all(some.map((one) => fetchRaw(port, one))))
      },
    }
  }

  const searchLine = (q: string) => `GET /api/products?limit=24&q=${encodeURIComponent(q)}`
  const byMembers = (path: string) => members.map(({ cookie }) => ({ line: `GET ${path}`, cookie }))
  const lines = members.flatMap((member, i) =>
    productIds.slice(i % 20, (i % 20) + 5).map((productId) => ({ member, productId })),
  )
  const ordering: Side = {
    pid: shop.pid,
    load: (seconds) =>
      load.ask({
        port,
        connections: SHOPPERS,
        seconds,
        kind: 'checkout',
        cookies: members.map(({ cookie }) => cookie),
        productId: firstOf(productIds),
        total: recordings.total,
      }),
    drain: () => drain(databaseUrl),
  }
  const replaying: Side = {
    pid: bareSql.pid,
    load: (seconds) =>
      bareSql.ask({
        ...sql,
        connections: SHOPPERS,
        seconds,
        kind: 'recording',
        recording: recordings.checkout,
        buyers: members.map(({ id }) => recordings.renamed(id)),
      }),
    drain: () => drain(databaseUrl),
  }
  const rows: Row[] = [
    reading('list of 24', [{ line: 'GET /api/products?limit=24' }]),
    reading(
      'detail',
      productIds.slice(0, 50).map((id) => ({ line: `GET /api/products/${id}` })),
    ),
    reading(
      'search, remembered',
      searches.slice(0, 20).map((q) => ({ line: searchLine(q) })),
    ),
    {
      name: 'search, new',
      ours: asking((round) => spellings(searches, round).map((q) => ({ line: searchLine(q) }))),
      kind: 'SQL',
      limit: sending(recordings.search),
    },
    {
      name: 'add to cart',
      ours: asking(() =>
        lines.map(({ member: { cookie }, productId }) => ({
          line: 'POST /api/cart',
          cookie,
          body: { productId, quantity: 1 },
        })),
      ),
      kind: 'SQL',
      limit: sending(lines.map(({ member, productId }) => recordings.addFor(member.id, productId))),
    },
    {
      name: 'view cart',
      ours: asking(() => byMembers('/api/cart')),
      kind: 'SQL',
      limit: sending(members.map(({ id }) => ({ ...recordings.view, values: [id] }))),
    },
    reading('page: home', byMembers('/')),
    reading(
      'page: product',
      byMembers('').map((one, i) => ({ ...one, line: `GET /product/${productIds[i % 50]}` })),
    ),
    reading('page: cart', byMembers('/cart')),
    reading('page: orders', byMembers('/orders')),
    {
      name: 'full checkout',
      ours: ordering,
      kind: 'SQL',
      limit: replaying,
      // The provider's webhooks come later and from elsewhere; another row measures their cost.
      prepare: async () => {
        await onDatabase(databaseUrl, (client) => client.query('DELETE FROM cart_items'))
        await setFaults(port, { rate: 1, kinds: ['webhook_lost'] })
      },
    },
    { name: 'full checkout and its webhooks', ours: ordering, prepare: () => setFaults(port, { rate: 0, kinds: [] }) },
  ]
  return rows
}

async function measureSize(size: Load, folder?: string) {
  progress(`${size.products} products, ${size.orders} orders`)
  const stage = await openBenchStage(size, { folder, members: MEMBERS })
  const helpers = await startHelpers()
  try {
    const rows: Measured[] = []
    for (const { name, ours, limit, kind, prepare } of rowsOf(stage, helpers)) {
      progress(name)
      await prepare?.()
      const [one, other] = await measure(stage.pgDir, limit ? [ours, limit] : [ours])
      rows.push({
        name,
        ours: required(one, 'the result of the shop'),
        ...(kind && { kind, limit: required(other, 'the result of the limit') }),
      })
    }
    const { checkout, providersStatements } = stage.recordings
    const loadedMb = residentMb(stage.shop.pid)
    progress('memory and starts in production')
    const footprint = await measureFootprint(stage)
    return { rows, statements: [checkout.length, providersStatements] as const, loadedMb, footprint }
  } finally {
    helpers.close()
    await stage.close()
  }
}

/** Varies the spelling of the words, so that no cache answers; the work stays the same. */
function spellings(words: string[], round: number): string[] {
  const count = 8_000
  return Array.from({ length: count }, (_, i) => {
    const turn = round * count + i
    let bits = Math.floor(turn / words.length) + 1
    return [...wrapped(words, turn)]
      .map((letter) => {
        const isUpper = bits % 2 === 1
        bits = Math.floor(bits / 2)
        return isUpper ? letter.toUpperCase() : letter
      })
      .join('')
  })
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function drain(databaseUrl: string) {
  return onDatabase(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ left: number }>(
        `SELECT (SELECT count(*) FROM sandbox.events WHERE deliveries_left > 0)::int
           + (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)::int
           + (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier IN ('webhook', 'send_mail'))::int AS left`,
      )
      if (only(rows).left === 0) return
      await pause(20)
    }
  })
}

async function setFaults(port: number, faults: { rate: number; kinds: string[] }) {
  await fetch(`http://localhost:${port}/sandbox/paypal/test/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
}

function fetchRaw(port: number, { line, cookie }: BenchRequest): Promise<{ headers: object; body: string }> {
  const headers = { 'accept-encoding': 'gzip, deflate, br', ...(cookie && { cookie }) }
  return new Promise((resolve, reject) => {
    const asked = request({ port, path: line.split(' ')[1], headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { date: _date, connection: _connection, 'keep-alive': _alive, ...rest } = response.headers
        resolve({ headers: rest, body: Buffer.concat(chunks).toString('base64') })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

const STARTS = sized(4, 2)

async function measureStarts() {
  progress('cold start')
  const dataDir = await mkdtemp(join(tmpdir(), 'primo-bench-start-'))
  await chmod(dataDir, 0o755)
  const starts: number[] = []
  let idleMb = 0
  for (let i = 0; i < STARTS; i++) {
    const shop = await startShop(
      await findFreePort(),
      { DATA_DIR: dataDir, NODE_ENV: 'development', LOG_LEVEL: 'warn' },
      { readyPath: '/', patienceMs: 120_000 },
    )
    starts.push(shop.startedInMs)
    if (i === STARTS - 1) {
      await pause(sized(3000, 0))
      idleMb = residentMb(shop.pid)
    }
    // After the first start the shop still seeds the demo store.
    await pause(sized(i === 0 ? 10_000 : 500, 0))
    await shop.stop()
  }
  await rm(dataDir, { recursive: true, force: true })
  return { first: firstOf(starts), second: medianOf(starts.slice(1)), idleMb }
}

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2)
const costOf = ({ ownMs, postgresMs }: Figures) => ownMs + postgresMs

function describe(sizes: Awaited<ReturnType<typeof measureSize>>[], starts: Awaited<ReturnType<typeof measureStarts>>) {
  const names = SIZES.map(({ products }) => products.toLocaleString('en'))
  const table = firstOf(sizes).rows.map(({ name, kind }, i) => {
    const both = sizes.map(({ rows }) => required(rows[i], 'a row'))
    const costs = both.map(({ ours }) => costOf(ours))
    const cells = both.flatMap(({ ours, limit }) => [
      number(ours.perSecond),
      limit ? (ours.perSecond / limit.perSecond).toFixed(2) : '',
      ours.p50.toFixed(1),
      ours.ownMs.toFixed(3),
      ours.postgresMs.toFixed(3),
    ])
    return `| ${[name, kind ?? '', ...cells, (lastOf(costs) / firstOf(costs)).toFixed(2)].join(' | ')} |`
  })
  const head = names.flatMap((name) => [`${name}: per second`, 'of the limit', 'p50 ms', 'shop CPU ms', 'SQL CPU ms'])
  const [[own, providers]] = sizes.map(({ statements }) => statements) as [readonly [number, number]]
  return `# Benchmark

\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${firstOf(cpus()).model.trim()}, Node ${process.version}, the embedded PostgreSQL with fsync on, one server process.
Two stores: ${SIZES.map((size) => `${size.products.toLocaleString('en')} products with ${size.orders.toLocaleString('en')} orders of ${size.users.toLocaleString('en')} accounts`).join(', and ')}.
${MEMBERS.toLocaleString('en')} signed-in buyers take turns on ${CONNECTIONS} connections (checkout: ${SHOPPERS}). Warm-up ${WARM_UP_SECONDS} s, medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s, both sides in turns; the load, the server and PostgreSQL share the machine.

| | limit | ${head.join(' | ')} | cost, large to small |
|---|---|${'---|'.repeat(head.length + 1)}
${table.join('\n')}

- The limit is bare \`node:http\` that sends the same head and bytes from memory, or the same SQL through the bare \`pg\` driver with the same pool. The last column compares CPU time per request of shop and PostgreSQL, which a busy machine distorts less.
- 'search, new' has two words, the second half typed, in a spelling that no cache knows.
- A full checkout is: add to cart, \`POST /order\`, approval at the sandbox, capture, settle: ${own} statements of the shop and ${providers} of the sandbox, which runs inside the same process.
- From the start of the process to the first page: ${number(starts.first)} ms on an empty folder (creates and fills a database), ${number(starts.second)} ms afterwards.
- Resident memory of the server: ${Math.round(starts.idleMb)} MB idle (with compiled sources cached by an earlier start), after the load ${sizes.map(({ loadedMb }, i) => `${Math.round(loadedMb)} MB with ${names[i]} products`).join(' and ')}.
${sizes.map(({ footprint }, i) => `- In production with ${names[i]} products: ready ${number(footprint.startMs)} ms after the start beside a running database; ${Math.round(footprint.idleMb)} MB after 60 s idle, ${Math.round(footprint.loadedMb)} MB after 30,000 mixed requests, ${Math.round(footprint.restedMb)} MB 30 s later.`).join('\n')}
`
}

const folder = places[0] ?? (isSmallest ? undefined : join(tmpdir(), 'primo-bench-large'))
const starts = await measureStarts()
const sizes = []
for (const [i, size] of SIZES.entries())
  sizes.push(await measureSize(size, i === SIZES.length - 1 ? folder : undefined))
const text = describe(sizes, starts)
if (!isSmallest) await writeFile(join(import.meta.dirname, 'results.md'), text)
console.log(text)
