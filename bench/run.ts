import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/port.server.ts'
import { openKeys } from '../sandbox/paypal/keys.server.ts'
import { type Figures, measure, ROUND_SECONDS, ROUNDS, type Side, WARM_UP_SECONDS } from './measure.ts'
import type { BenchRequest, LoadOrder, LoadResult, SqlOrder } from './orders.ts'
import { SECRET } from './recordings.ts'
import { measureSessions } from './sessions.ts'
import { type BenchStage, openBenchStage, residentMb, startHelper } from './stage.ts'

// npm run bench measures a customer's actions beside the limit of the same machine for the same bytes or SQL, in turns.
// Writes bench/results.md.

const CONNECTIONS = 16
const SHOPPERS = 8
// buyers take turns, as in a shop: the orders of a few busy accounts would distort what risk reads
const MEMBERS = 2_000
const POOL = 16

type Limit = 'node:http' | 'SQL'
type Row = { name: string; ours: Figures; limit?: Figures; kind?: Limit; note?: string }

const progress = (text: string) => process.stderr.write(`${text}\n`)

async function measureAll(stage: BenchStage) {
  const { port, shop, postgres, databaseUrl, members, recordings, productIds, searches } = stage
  const load = await startHelper<LoadOrder, LoadResult>('load.ts', { isReadyTold: false })
  const bareHttp = await startHelper<object, number>('bareHttp.ts')
  const bareSql = await startHelper<SqlOrder, LoadResult>('bareSql.ts')
  const rows: Row[] = []
  const common = { port, connections: CONNECTIONS }

  const asking = (requests: (round: number) => BenchRequest[]): Side => {
    let round = 0
    return {
      pid: shop.pid,
      load: (seconds) => load.ask({ ...common, kind: 'requests', seconds, requests: requests(round++) }),
    }
  }
  const sending = (statements: { name?: string; text: string; values: unknown[] }[]): Side => ({
    pid: bareSql.pid,
    load: (seconds) =>
      bareSql.ask({ url: databaseUrl, pool: POOL, connections: CONNECTIONS, seconds, kind: 'statements', statements }),
  })

  async function measureRead(name: string, lines: string[]) {
    progress(name)
    const answers = await Promise.all(lines.map((line) => fetchRaw(port, line.split(' ')[1]!)))
    const barePort = await bareHttp.ask(answers)
    const requests = lines.map((line) => ({ line }))
    const bare: Side = {
      pid: bareHttp.pid,
      load: (seconds) => load.ask({ port: barePort, connections: CONNECTIONS, seconds, kind: 'requests', requests }),
    }
    const [ours, limit] = await measure(
      postgres,
      asking(() => requests),
      bare,
    )
    rows.push({ name, ours: ours!, limit: limit!, kind: 'node:http' })
  }

  async function measureSql(name: string, ours: Side, limit: Side, note?: string) {
    progress(name)
    const figures = await measure(postgres, ours, limit)
    rows.push({ name, ours: figures[0]!, limit: figures[1]!, kind: 'SQL', ...(note && { note }) })
  }

  progress('sessions')
  const sessions = await measureSessions(databaseUrl, members, SECRET)
  await measureRead('list of 24', ['GET /api/products?limit=24'])
  await measureRead(
    'detail',
    productIds.slice(0, 50).map((id) => `GET /api/products/${id}`),
  )
  const searchLine = (q: string) => `GET /api/products?limit=24&q=${encodeURIComponent(q)}`
  await measureRead('search, remembered', searches.map(searchLine))
  await measureSql(
    'search, new',
    asking((round) => spellings(searches, round).map((q) => ({ line: searchLine(q) }))),
    sending(recordings.search),
  )
  const lines = members.flatMap((member, i) =>
    productIds.slice(i % 20, (i % 20) + 5).map((productId) => ({ member, productId })),
  )
  await measureSql(
    'add to cart',
    asking(() =>
      lines.map(({ member: { cookie }, productId }) => ({
        line: 'POST /api/cart',
        cookie,
        body: { productId, quantity: 1 },
      })),
    ),
    sending(
      lines.map(({ member, productId }) => ({
        ...recordings.add,
        values: recordings.add.values.map((value, i) => (i === 0 ? member.id : i === 1 ? productId : value)),
      })),
    ),
  )
  await measureSql(
    'view cart',
    asking(() => members.map(({ cookie }) => ({ line: 'GET /api/cart', cookie }))),
    sending(members.map(({ id }) => ({ ...recordings.view, values: [id] }))),
  )

  await onDatabase(databaseUrl, (client) => client.query('DELETE FROM cart_items'))
  const ordering: Side = {
    pid: shop.pid,
    load: (seconds) =>
      load.ask({
        port,
        connections: SHOPPERS,
        seconds,
        kind: 'checkout',
        cookies: members.map(({ cookie }) => cookie),
        productId: productIds[0]!,
        total: recordings.total,
      }),
    drain: () => drain(databaseUrl),
  }
  const replaying: Side = {
    pid: bareSql.pid,
    load: (seconds) =>
      bareSql.ask({
        url: databaseUrl,
        pool: POOL,
        connections: SHOPPERS,
        seconds,
        kind: 'recording',
        recording: recordings.checkout,
        buyers: members.map(({ id }) => recordings.renamed(id)),
      }),
    drain: () => drain(databaseUrl),
  }
  // The provider's webhooks come later and from elsewhere; another row measures their cost.
  await setFaults(port, { rate: 1, kinds: ['webhook_lost'] })
  await measureSql(
    'full checkout',
    ordering,
    replaying,
    `${recordings.checkout.length} statements of the shop, ${recordings.providersStatements} of the sandbox`,
  )

  progress('what the sandbox costs')
  const token = await fetchToken(port, databaseUrl)
  const providing: Side = {
    pid: shop.pid,
    load: (seconds) =>
      load.ask({ port, connections: SHOPPERS, seconds, kind: 'provider', token, body: PROVIDER_ORDER }),
  }
  const [alone] = await measure(postgres, providing)
  await setFaults(port, { rate: 0, kinds: [] })
  const [withEvents] = await measure(postgres, ordering)
  rows.push({ name: 'full checkout and its webhooks', ours: withEvents! })
  rows.push({ name: "the sandbox's calls alone", ours: alone! })
  const loadedMb = residentMb(shop.pid)
  load.close()
  bareHttp.close()
  bareSql.close()
  return { rows, loadedMb, sessions }
}

/** Varies the spelling of the words, so that no cache answers; the work stays the same. */
function spellings(words: string[], round: number): string[] {
  const count = 12_000
  return Array.from({ length: count }, (_, i) => {
    const turn = round * count + i
    let bits = Math.floor(turn / words.length) + 1
    return [...words[turn % words.length]!]
      .map((letter) => {
        const isUpper = bits % 2 === 1
        bits = Math.floor(bits / 2)
        return isUpper ? letter.toUpperCase() : letter
      })
      .join('')
  })
}

const PROVIDER_ORDER = JSON.stringify({
  intent: 'CAPTURE',
  purchase_units: [
    {
      reference_id: 'default',
      custom_id: 'PAYMENT',
      invoice_id: 'PAYMENT',
      description: 'Digital goods',
      amount: {
        currency_code: 'USD',
        value: '10.00',
        breakdown: { item_total: { currency_code: 'USD', value: '10.00' } },
      },
      items: [
        {
          name: 'A book',
          sku: 'PAYMENT',
          quantity: '1',
          category: 'DIGITAL_GOODS',
          unit_amount: { currency_code: 'USD', value: '10.00' },
        },
      ],
    },
  ],
  payment_source: { paypal: { experience_context: { brand_name: 'Primo', user_action: 'PAY_NOW' } } },
})

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Waits for webhooks and jobs. */
function drain(databaseUrl: string) {
  return onDatabase(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ left: number }>(
        `SELECT (SELECT count(*) FROM sandbox.events WHERE deliveries_left > 0)::int
           + (SELECT count(*) FROM webhook_events WHERE processed_at IS NULL)::int
           + (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier IN ('webhook', 'send_mail'))::int AS left`,
      )
      if (rows[0]!.left === 0) return
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

async function fetchToken(port: number, databaseUrl: string): Promise<string> {
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const { clientId, clientSecret } = await openKeys(pool)
  await pool.end()
  const answer = await fetch(`http://localhost:${port}/sandbox/paypal/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Fetches an answer as sent: head and compressed bytes. */
function fetchRaw(port: number, path: string): Promise<{ headers: Record<string, string>; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, path, headers: { 'accept-encoding': 'gzip, deflate, br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const own = /^(date|connection|keep-alive|transfer-encoding)$/
        const headers = Object.entries(response.headers).filter(([name]) => !own.test(name)) as [string, string][]
        resolve({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString('base64') })
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Measures starts like `npm start`, with the embedded database: on an empty folder and afterwards. */
async function measureStarts() {
  progress('cold start')
  const dataDir = await mkdtemp(join(tmpdir(), 'primo-bench-start-'))
  const starts: number[] = []
  let idleMb = 0
  for (let i = 0; i < 4; i++) {
    const shop = await startShop(
      await findFreePort(),
      { DATA_DIR: dataDir, NODE_ENV: 'development', LOG_LEVEL: 'warn' },
      { readyPath: '/', patienceMs: 120_000 },
    )
    starts.push(shop.startedInMs)
    if (i === 3) {
      await pause(3000)
      idleMb = residentMb(shop.pid)
    }
    // After the first start the shop still seeds the demo store.
    await pause(i === 0 ? 10_000 : 500)
    await shop.stop()
  }
  await rm(dataDir, { recursive: true, force: true })
  return { first: starts[0]!, second: starts.slice(1).sort((a, b) => a - b)[1]!, idleMb }
}

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value >= 10 ? value.toFixed(1) : value.toFixed(2)

function describe(
  { rows, loadedMb, sessions }: Awaited<ReturnType<typeof measureAll>>,
  starts: { first: number; second: number; idleMb: number },
  postgresVersion: string,
): string {
  const table = rows.map(({ name, ours, limit, kind }) => {
    const ratio = limit ? (ours.perSecond / limit.perSecond).toFixed(2) : ''
    const cost = (figures: Figures) => figures.ownMs + (kind === 'SQL' ? figures.postgresMs : 0)
    return `| ${[
      name,
      number(ours.perSecond),
      ours.p50.toFixed(1),
      ours.p99.toFixed(1),
      Math.round(ours.bytes).toLocaleString('en'),
      ours.ownMs.toFixed(3),
      ours.postgresMs.toFixed(3),
      limit ? `${number(limit.perSecond)} (${kind})` : '',
      ratio,
      limit ? (cost(limit) / cost(ours)).toFixed(2) : '',
    ].join(' | ')} |`
  })
  const find = (name: string) => rows.find((row) => row.name === name)!
  const whole = find('full checkout')
  const withWebhooks = find('full checkout and its webhooks').ours
  const sandbox = find("the sandbox's calls alone").ours
  const share = (ms: number) => `${Math.round((ms / whole.ours.ownMs) * 100)} %`
  return `# Benchmark

\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]!.model.trim()}, Node ${process.version}, ${postgresVersion} with fsync on, one server process, 1,067 products.
${CONNECTIONS} connections (checkout: ${SHOPPERS} shoppers), warm-up ${WARM_UP_SECONDS} s, medians of ${ROUNDS} rounds of ${ROUND_SECONDS} s, both sides in turns; the load, the server and PostgreSQL share the machine.

| | per second | p50 ms | p99 ms | bytes | server CPU ms | PostgreSQL CPU ms | limit per second | of the limit | of the limit by CPU |
|---|---|---|---|---|---|---|---|---|---|
${table.join('\n')}

- The limit is bare \`node:http\` that sends the same head and bytes from memory, or the same SQL through the bare \`pg\` driver with the same pool. The last column compares CPU time per request (for SQL: the process and PostgreSQL), which a busy machine distorts less.
- A full checkout is: add to cart, \`POST /order\`, approval at the sandbox, capture, settle; its limit is the replayed SQL of one real checkout (${whole.note}).
- The payment sandbox runs inside the same server process, so its work counts against the checkout: of ${whole.ours.ownMs.toFixed(1)} ms an order, ${sandbox.ownMs.toFixed(1)} ms (${share(sandbox.ownMs)}) are its own calls (create, approve, capture). The two webhooks of an order (sign, send, verify, store, process) take ${(withWebhooks.ownMs - whole.ours.ownMs).toFixed(1)} ms more, afterwards.
- From the start of the process to the first page: ${number(starts.first)} ms on an empty folder (creates and fills a database), ${number(starts.second)} ms afterwards.
- Session lookup: ${sessions.byStatement.toFixed(2)} ms by its one statement, ${sessions.fromMemory.toFixed(3)} ms from memory (medians).
- Resident memory of the server: ${Math.round(starts.idleMb)} MB idle (with compiled sources cached by an earlier start), ${Math.round(loadedMb)} MB after the load.
`
}

const stage = await openBenchStage({ members: MEMBERS })
try {
  const measured = await measureAll(stage)
  const version = await onDatabase(stage.databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
    return `PostgreSQL ${rows[0]!.server_version}`
  })
  const starts = await measureStarts()
  const text = describe(measured, starts, version)
  await writeFile(join(import.meta.dirname, 'results.md'), text)
  console.log(text)
} finally {
  await stage.close()
}
