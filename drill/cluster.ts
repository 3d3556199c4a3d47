import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findFreePort } from '../src/kit/port.server.ts'
import { openServer, openStandby } from './postgres.ts'
import { openHaproxy, openNginx } from './proxies.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { createRandom, visit } from './shoppers.ts'
import { openWorld } from './world.ts'

export type ClusterRound = { kills: number; restarts: number; shoppers: number; readers: number; seed?: number }

/** What clients saw during one kind of fault: answers by status, and those without an answer as 'none'. */
export type Tally = Record<string, number>

const PATHS = ['/api/products?limit=24', '/api/categories', '/api/cart', '/api/orders', '/api/auth/user']

/**
 * Two nodes behind nginx with TLS, and a primary with a synchronous standby behind HAProxy. Under shoppers and readers, nodes are killed
 * and restarted in turn, then the primary is killed and the standby promoted.
 */
export async function runCluster({
  kills,
  restarts,
  shoppers: count,
  readers,
  seed = randomInt(2 ** 31),
}: ClusterRound) {
  const settings = { shared_buffers: '64MB', wal_level: 'replica', max_wal_senders: 4 }
  const primary = await openServer(settings)
  const ownUrl = await primary.createDatabase('cluster')
  const standby = await openStandby(primary)
  const closing = [() => primary.remove(), () => standby.remove()]
  // the drill trusts the certificate that it makes
  const trusted = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const realFetch = globalThis.fetch
  closing.push(async () => {
    globalThis.fetch = realFetch
    if (trusted === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusted
  })
  try {
    await ask(ownUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`, 'SELECT pg_reload_conf()')
    const databases = await openHaproxy([ownUrl, standby.urlOf('cluster')])
    closing.push(databases.stop)
    const databaseUrl = Object.assign(new URL(ownUrl), { port: String(databases.port) }).href
    const ports: [number, number] = [await findFreePort(), await findFreePort()]
    const proxy = await openNginx(ports)
    closing.push(proxy.stop)
    const publicUrl = `https://localhost:${proxy.port}`
    const env = { PUBLIC_URL: publicUrl, TRUST_PROXY: '1', PAYMENTS_SANDBOX: '1' }
    const world = await openWorld(databaseUrl, env, DRILL_PROVIDERS.paypal, publicUrl)
    closing.push(world.close)
    world.database.pool.on('error', () => undefined)
    const products = await Promise.all([999, 1250].map((priceCents) => world.offer({ priceCents })))
    products.push(await world.offer({ priceCents: 2500, codes: count * 40 }))
    const shoppers = await world.invite(count, { wallets: 0.3 })
    const [reader] = await world.invite(1)
    const nodes = [await world.startBeside(0, ports[0]), await world.startBeside(0, ports[1])]
    const errors: string[] = []

    let tally: Tally = {}
    globalThis.fetch = async (...asked) => {
      // a node that starts is asked directly, and refuses
      if (!String(asked[0]).startsWith(publicUrl)) return realFetch(...asked)
      const seen = tally
      try {
        const answer = await realFetch(...asked)
        const isPromised = answer.status !== 503 || answer.headers.get('retry-after') !== null
        const name = isPromised ? String(answer.status) : '503 without Retry-After'
        seen[name] = (seen[name] ?? 0) + 1
        return answer
      } catch (error) {
        seen.none = (seen.none ?? 0) + 1
        throw error
      }
    }
    let isOver = false
    const shopping = shoppers.map(async (shopper, i) => {
      const manners = { random: createRandom(seed + i), tries: 20, pauseMs: 200, patienceMs: 15_000 }
      while (!isOver) await visit(shopper, world.url, products, manners)
    })
    const reading = Array.from({ length: readers }, async () => {
      for (let i = 0; !isOver; i++) {
        const path = PATHS[i % PATHS.length]!
        const signal = AbortSignal.timeout(15_000)
        await fetch(world.url + path, { headers: { cookie: reader!.cookie }, signal }).then(
          async (answer) => {
            await answer.arrayBuffer()
            if (answer.status === 503) await pause(250)
          },
          () => pause(50),
        )
      }
    })
    /** Counts what clients see from now on. */
    const begin = () => (tally = {})

    const whileKilled = begin()
    for (let i = 0; i < kills; i++) {
      // one node is back behind nginx before the other one dies
      await pause(randomInt(3000, 4000))
      const at = i % 2
      await nodes[at]!.shop.kill()
      errors.push(...nodes[at]!.shop.errors())
      nodes[at] = await world.startBeside(0, ports[at])
    }
    const whileRestarted = begin()
    const exits: (number | null)[] = []
    for (let i = 0; i < restarts * 2; i++) {
      // so long nginx leaves a node alone that did not answer, as docs/operating.md says
      await pause(3000)
      exits.push(await nodes[i % 2]!.shop.stop())
      errors.push(...nodes[i % 2]!.shop.errors())
      nodes[i % 2] = await world.startBeside(0, ports[i % 2])
    }
    const whileFailing = begin()
    await pause(3000)
    await primary.stop('immediate')
    const awayAt = performance.now()
    await ask(standby.urlOf('cluster'), 'SELECT pg_promote()')
    while (!(await isSelling(realFetch, world.url))) await pause(50)
    const backMs = performance.now() - awayAt
    await pause(5000)
    isOver = true
    await Promise.all([...shopping, ...reading])
    await comeToRest(world, { seconds: 180 })
    return {
      seed,
      tallies: { killed: whileKilled, restarted: whileRestarted, failing: whileFailing },
      exits,
      backMs,
      orders: await countOrders(world),
      told: shoppers.reduce((sum, { seen }) => sum + new Set(seen.completed).size, 0),
      violations: await findViolationsAtRest(world, shoppers),
      errors: [...errors, ...nodes.flatMap(({ shop }) => shop.errors())],
    }
  } finally {
    for (const close of closing.toReversed()) await close().catch(() => undefined)
  }
}

/** Answers of 5xx that are not a 503 with Retry-After. */
export const wrongOf = (tally: Tally) =>
  Object.entries(tally).filter(([status]) => /^5/.test(status) && status !== '503')

/** The share of answers that told the client to come again. */
export const busyShare = (tally: Tally) =>
  (tally['503'] ?? 0) / Object.values(tally).reduce((sum, count) => sum + count, 0)

async function isSelling(fetchOf: typeof fetch, url: string): Promise<boolean> {
  try {
    return (await fetchOf(`${url}/readyz`)).status === 200
  } catch {
    return false
  }
}

async function ask(url: string, ...texts: string[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}
