import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { sized } from '../drill/profile.ts'
import { firstOf, only } from '../src/kit/values/required.ts'
import type { Side } from './measure.ts'
import type { BenchRequest, LoadOrder, LoadResult, SqlOrder } from './orders.ts'
import { type BenchStage, startHelper } from './stage.ts'

// Workloads of a bench row: requests to the shop, the same bytes from memory, the same SQL, and checkouts.

export const CONNECTIONS = 16
// At most as many as members: two checkouts of one cart would disturb each other.
export const SHOPPERS = sized(8, 2)
// Many buyers take turns: the orders of a few busy accounts would distort the risk queries.
export const MEMBERS = sized(2_000, 4)
const POOL = 16

type Statement = { name?: string; text: string; values: unknown[] }
export type Helpers = Awaited<ReturnType<typeof startHelpers>>

export async function startHelpers() {
  const load = await startHelper<LoadOrder, LoadResult>('load.ts', { isReadyTold: false })
  const bareHttp = await startHelper<object, number>('bareHttp.ts')
  const bareSql = await startHelper<SqlOrder, LoadResult>('bareSql.ts')
  return { load, bareHttp, bareSql, close: () => [load, bareHttp, bareSql].forEach((helper) => helper.close()) }
}

/** Sends requests to the shop, different ones in each round. */
export function askShop(
  { port, shop }: BenchStage,
  { load }: Helpers,
  requests: (round: number) => BenchRequest[],
): Side {
  let round = 0
  return {
    pid: shop.pid,
    load: (seconds) =>
      load.ask({ kind: 'requests', connections: CONNECTIONS, port, seconds, requests: requests(round++) }),
  }
}

/** Sends the same requests to a bare server, which returns the shop's answers from memory. */
export function askBareHttp({ port }: BenchStage, { load, bareHttp }: Helpers, requests: BenchRequest[]) {
  let barePort = 0
  const side: Side = {
    pid: bareHttp.pid,
    load: (seconds) => load.ask({ kind: 'requests', connections: CONNECTIONS, port: barePort, seconds, requests }),
  }
  const prepare = async () => {
    const some = requests.slice(0, 100)
    barePort = await bareHttp.ask(await Promise.all(some.map((one) => fetchRaw(port, one))))
  }
  return { side, prepare }
}

export function askBareSql({ databaseUrl: url }: BenchStage, { bareSql }: Helpers, statements: Statement[]): Side {
  return {
    pid: bareSql.pid,
    load: (seconds) =>
      bareSql.ask({ kind: 'statements', url, pool: POOL, connections: CONNECTIONS, seconds, statements }),
  }
}

export function checkOut(
  { port, shop, databaseUrl, members, productIds, recordings }: BenchStage,
  { load }: Helpers,
): Side {
  return {
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
}

export function replayCheckouts({ databaseUrl, members, recordings }: BenchStage, { bareSql }: Helpers): Side {
  return {
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
}

export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
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

export async function setFaults(port: number, faults: { rate: number; kinds: string[] }) {
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
