import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import type { OwnServer, Stopping } from './postgres.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld, type Shopper, type World } from './world.ts'
import { firstOf, only, required } from '../src/kit/values/required.ts'

export type DatabaseRound = { stops: Stopping[]; shoppers: number; awayMs: number; seed?: number }

export type Meeting = { path: string; status: number; hasRetryAfter: boolean; tookMs: number }

export async function runDatabaseStops(
  server: OwnServer,
  { stops, shoppers: count, awayMs, seed = randomInt(2 ** 31) }: DatabaseRound,
) {
  const world = await openWorld(await server.createDatabase(`drill_${randomInt(2 ** 31)}`))
  try {
    const productIds = await Promise.all([999, 1250].map((priceCents) => world.offer({ priceCents })))
    const shoppers = await world.invite(count, { wallets: 0.2 })
    const witness = only(await world.invite(1))
    const shop = await world.start()
    let isOver = false
    const shopping = shoppers.map(async (shopper, i) => {
      const manners = { random: createRandom(seed + i), tries: 40, pauseMs: 100, patienceMs: 8000 }
      while (!isOver) await visit(shopper, world.url, productIds, manners)
    })
    const rounds = []
    for (const how of stops) {
      await pause(randomInt(300, 1200))
      const usual = await meet(world, witness.cookie, 300)
      await server.stop(how)
      const meanwhile = await meet(world, witness.cookie, awayMs)
      const isAlive = (await ask(world, '', '/healthz')).status === 200
      await server.start()
      const backAt = performance.now()
      await untilWorking(world, witness.cookie, firstOf(productIds))
      const backAfterMs = performance.now() - backAt
      rounds.push({ how, isAlive, usualMs: slowest(usual), meanwhile, backAfterMs })
    }
    isOver = true
    await Promise.all(shopping)
    const stale = await findStaleAnswers(world, witness, firstOf(productIds))
    await comeToRest(world)
    const captures = await world.captures()
    return {
      seed,
      rounds,
      isRunning: shop.isRunning(),
      stale,
      isNodeKnown: await isNodeKnown(world),
      orders: await countOrders(world),
      kept: captures.filter(({ amount, refunded }) => amount !== refunded).length,
      violations: await findViolationsAtRest(world, [...shoppers, witness]),
      errors: shop.errors(),
      exitCode: await shop.stop(),
    }
  } finally {
    await world.close()
  }
}

const PATHS = ['/api/auth/user', '/api/cart', '/api/products?limit=24', '/api/orders', '/readyz']

async function meet(world: World, cookie: string, forMs: number): Promise<Meeting[]> {
  const meetings: Meeting[] = []
  for (const end = performance.now() + forMs; performance.now() < end; await pause(50)) {
    meetings.push(...(await Promise.all(PATHS.map((path) => ask(world, cookie, path)))))
  }
  return meetings
}

/** False for a 503 with Retry-After, and for a public read with 200, which may come from the cache. */
export const isWrong = ({ path, status, hasRetryAfter }: Meeting) =>
  status === 503 ? !hasRetryAfter : !(status === 200 && path.startsWith('/api/products'))

export const slowest = (meetings: Meeting[]) => Math.max(...meetings.map(({ tookMs }) => tookMs))

async function ask({ url }: World, cookie: string, path: string): Promise<Meeting> {
  const askedAt = performance.now()
  const response = await fetch(url + path, { headers: { cookie }, signal: AbortSignal.timeout(10_000) })
  await response.arrayBuffer()
  const hasRetryAfter = Number(response.headers.get('retry-after')) > 0
  return { path, status: response.status, hasRetryAfter, tookMs: performance.now() - askedAt }
}

async function untilWorking(world: World, cookie: string, productId: string) {
  for (;;) {
    const met = await Promise.all([...PATHS, `/api/products/${productId}`].map((path) => ask(world, cookie, path)))
    if (met.every(({ status }) => status === 200)) return
    await pause(20)
  }
}

async function findStaleAnswers(world: World, { cookie, seen }: Shopper, productId: string): Promise<string[]> {
  const { pool } = world.database
  const titleOf = async () =>
    ((await (await fetch(`${world.url}/api/products/${productId}`)).json()) as { title: string }).title
  const before = [await titleOf(), (await ask(world, cookie, '/api/auth/user')).status]
  await pool.query(`UPDATE products SET title = 'Another title' WHERE id = $1`, [productId])
  await pool.query('DELETE FROM sessions WHERE user_id = $1', [seen.userId])
  await pause(250)
  const after = [await titleOf(), (await ask(world, cookie, '/api/auth/user')).status]
  return [
    ...(before[1] === 200 && after[1] === 401 ? [] : ['a session that was ended is remembered']),
    ...(before[0] !== 'Another title' && after[0] === 'Another title' ? [] : ['a product is remembered as it was']),
  ]
}

/** True if other nodes would release the jobs of this node after its death, because it holds its advisory lock. */
async function isNodeKnown({ database: { pool } }: World): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM job_workers w JOIN pg_locks l ON l.locktype = 'advisory' AND l.objid = w.node_lock AND l.granted`,
  )
  return required(rowCount, 'the number of rows') > 0
}
