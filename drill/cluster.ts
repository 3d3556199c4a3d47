import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startS3 } from '../sandbox/s3/server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { countAnswers, startLoad, type Tally } from './clusterLoad.ts'
import { missingForDatabase, openClusterDatabase } from './clusterDatabase.ts'
import { type FormerRelease, migrateBy, openFormerRelease } from './formerRelease.ts'
import { openGate } from './gate.ts'
import { findMissingLetters, openMailServer } from './letters.ts'
import { lookAtOwnOrders } from './ownOrders.ts'
import { hasPgbouncer, openPgbouncer } from './pgbouncer.ts'
import { missingForNginx, openNginx, openTurns } from './proxies.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'
import { DRILL_PROVIDERS } from './provider.ts'
import { openWorld, type ShopNode } from './world.ts'
import { firstOf, only, required } from '../src/kit/values/required.ts'

// Two nodes behind nginx with TLS, a database of Patroni behind HAProxy and PgBouncer, a bucket and a mail server. Under
// shoppers and readers each part breaks something; after each part the books must be right.

export const missingForCluster = () =>
  [
    { packages: missingForNginx(), instead: 'connections to the nodes take turns, without TLS' },
    {
      packages: missingForDatabase(),
      instead: 'one standby of an own server; no fail-overs, no full disk',
    },
    { packages: hasPgbouncer ? [] : ['pgbouncer'], instead: 'requests reach the database without a pooler' },
  ].filter(({ packages }) => packages.length > 0)

export const CLUSTER_PARTS = [
  'restarts',
  'kills',
  'fail-overs',
  'replica behind',
  'lost notifications',
  'node cut off',
  'bucket away',
  'disk full',
  'wrong clocks',
] as const
export type ClusterPart = (typeof CLUSTER_PARTS)[number]
export type ClusterRound = {
  parts: readonly ClusterPart[]
  kills: number
  restarts: number
  failOvers: number
  shoppers: number
  readers: number
  perSecond: number
}
export type PartResult = {
  part: ClusterPart
  done: string
  tally: Tally
  seconds: number
  violations: string[]
  orders: { completed: number; told: number }
  /** Letters that came again, because a node died after it had sent them. Mail programs show one. */
  lettersTwice: number
}

const ADDED = 2_000
const BOOKS = 100

export async function* runCluster({
  parts,
  kills,
  restarts,
  failOvers,
  shoppers: count,
  readers,
  perSecond,
}: ClusterRound): AsyncGenerator<PartResult> {
  const closing: (() => unknown)[] = []
  const trusted = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  closing.push(() => {
    if (trusted === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusted
  })
  try {
    const database = await openClusterDatabase('cluster')
    closing.push(database.stop)
    const { patroni } = database
    const former = parts.includes('restarts') ? openFormerRelease('built') : null
    if (former) closing.push(former.remove)
    migrateBy(former?.root ?? join(import.meta.dirname, '..'), database.url)

    const pooler = hasPgbouncer ? await openPgbouncer(database.url, { size: 30 }) : null
    if (pooler) closing.push(pooler.stop)
    const folder = mkdtempSync(join(tmpdir(), 'primo-drill-s3-'))
    const s3 = await startS3({ folder })
    closing.push(async () => {
      await s3.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const post = await openMailServer()
    closing.push(post.close)
    const ports: [number, number] = [await findFreePort(), await findFreePort()]
    const hasNginx = missingForNginx().length === 0
    const proxy = await (hasNginx ? openNginx(ports) : openTurns(ports))
    closing.push(proxy.stop)
    const publicUrl = `${hasNginx ? 'https' : 'http'}://localhost:${proxy.port}`
    const settings = {
      ...{ PUBLIC_URL: publicUrl, TRUST_PROXY: '1', PAYMENTS_SANDBOX: '1', SMTP_URL: post.url },
      ...(pooler && { POOLER_DATABASE_URL: pooler.url }),
      READ_DATABASE_URL: database.replicaUrl,
      ...{ S3_ENDPOINT: s3.endpoint, S3_REGION: s3.region, S3_BUCKET: s3.bucket, S3_KEY: s3.key },
      ...{ S3_SECRET: s3.secret, S3_FORCE_PATH_STYLE: '1', S3_DOWNLOADS: 'stream' },
    }
    const world = await openWorld(database.url, settings, DRILL_PROVIDERS.paypal, publicUrl)
    closing.push(world.close)
    world.database.pool.on('error', () => undefined)
    const products: string[] = []
    // few shoppers buy the same book twice
    for (let n = 0; n < BOOKS; n++) products.push(await world.offer({ priceCents: n % 2 === 0 ? 999 : 1250 }))
    const card = await world.offer({ priceCents: 2500, codes: ADDED })
    products.push(...Array.from({ length: BOOKS / 2 }, () => card))
    const shoppers = await world.invite(count, { wallets: 0.3 })

    const gates = await Promise.all(
      [database.url, database.replicaUrl, ...(pooler ? [pooler.url] : [])].map((url) =>
        openGate(Number(new URL(url).port)),
      ),
    )
    closing.push(() => gates.forEach((gate) => gate.close()))
    const [direct, read, pooled] = gates
    const through = (url: string, gate: { port: number }) =>
      Object.assign(new URL(url), { port: String(gate.port) }).href
    const ownOf: Record<string, string>[] = [
      {},
      {
        DATABASE_URL: through(database.url, required(direct, 'the gate to the primary')),
        ...(pooler && { POOLER_DATABASE_URL: through(pooler.url, required(pooled, 'the gate to the pooler')) }),
        READ_DATABASE_URL: through(database.replicaUrl, required(read, 'the gate to the standby')),
      },
    ]
    const nodes: ShopNode[] = []
    const errors: string[] = []
    const startNode = async (at: number, { minutesOff = 0, release = null as FormerRelease | null } = {}) => {
      const own = {
        port: required(ports[at], 'an entry of ports'),
        settings: required(ownOf[at], 'an entry of own of'),
        ...(release && { root: release.root }),
      }
      nodes[at] = await world.startBeside(minutesOff, own)
    }
    const stopNode = async (at: number) => {
      const code = await required(nodes[at], 'an entry of nodes').shop.stop()
      errors.push(
        ...required(nodes[at], 'an entry of nodes').shop.errors(),
        ...(code === 0 ? [] : [`node ${at + 1} did not stop in order: ${code}`]),
      )
    }
    await Promise.all([startNode(0, { release: former }), startNode(1, { release: former })])

    const breaking: Record<ClusterPart, () => Promise<string>> = {
      restarts: async () => {
        if (former) migrateBy(join(import.meta.dirname, '..'), database.url)
        for (let i = 0; i < restarts; i++) {
          // forward, back and forward again: both releases serve side by side meanwhile
          const release = i % 2 === 0 ? null : former
          for (const at of [0, 1]) {
            // waits until nginx uses the last restarted node again (docs/operating/upgrades.md)
            await pause(3_000)
            await stopNode(at)
            await startNode(at, { release })
          }
        }
        if (former && restarts % 2 === 0) for (const at of [0, 1]) await stopNode(at).then(() => startNode(at))
        return former
          ? `${restarts} rolling restarts between release ${former.name} and this one, ${former.missing.length} migrations between them`
          : `${restarts} rolling restarts; SKIPPED: the former release, because there is none whose schema this one follows`
      },
      kills: async () => {
        for (let i = 0; i < kills; i++) {
          // one node is back behind nginx before the other one dies
          await pause(3_000)
          await required(nodes[i % 2], 'an entry of nodes').shop.kill()
          errors.push(...required(nodes[i % 2], 'an entry of nodes').shop.errors())
          await startNode(i % 2)
        }
        return `${kills} nodes killed`
      },
      'fail-overs': async () => {
        if (!patroni) return 'SKIPPED: nothing replaces a primary without Patroni, etcd and HAProxy'
        const took: number[] = []
        for (let i = 0; i < failOvers; i++) {
          await pause(3_000)
          const { old, ms } = await patroni.failOver()
          took.push(ms)
          await pause(5_000)
          await patroni.rejoin(old)
        }
        return `${failOvers} primaries killed, another one led after ${took.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`
      },
      'replica behind': async () => {
        const standbys = await database.standbyUrls()
        const delay = async (urls: string[], forMs: number, meanwhile: () => Promise<unknown>) => {
          for (const url of urls)
            await ask(url, `ALTER SYSTEM SET recovery_min_apply_delay = '10s'`, 'SELECT pg_reload_conf()')
          await Promise.all([meanwhile(), pause(forMs)])
          for (const url of urls)
            await ask(url, 'ALTER SYSTEM RESET recovery_min_apply_delay', 'SELECT pg_reload_conf()')
          await pause(3_000)
        }
        await delay(standbys, 25_000, async () => undefined)
        const buyer = only(await world.invite(1))
        const product = { id: firstOf(products), price: '9.99' }
        let lists = 0
        for (const url of standbys) {
          await delay([url], 12_000, async () => {
            const looks = await lookAtOwnOrders({ base: publicUrl, buyer, product }, 12_000)
            lists += looks.lists
            if (looks.missed > 0) errors.push(`${looks.missed} lists of orders lacked the order just made`)
          })
        }
        if (lists < 5) errors.push(`only ${lists} lists of orders were read after a write`)
        return `all standbys 10 s behind for 25 s, then one after the other; ${lists} lists read after a write`
      },
      'lost notifications': async () => {
        const took: number[] = []
        for (let i = 0; i < 3; i++) {
          await pause(3_000)
          // the node keeps the product in its memory
          await askNode(required(nodes[1], 'an entry of nodes').url, `/api/products/${products[0]}`, publicUrl)
          required(direct, 'the gate to the primary').freeze()
          const title = `A small book, edition ${i}`
          await world.database.pool.query('UPDATE products SET title = $1 WHERE id = $2', [title, products[0]])
          const changedAt = performance.now()
          while (
            !(
              await askNode(required(nodes[1], 'an entry of nodes').url, `/api/products/${products[0]}`, publicUrl)
            ).includes(title)
          ) {
            if (performance.now() - changedAt > 20_000) throw new Error('a node never saw a change')
            await pause(50)
          }
          took.push(performance.now() - changedAt)
          required(direct, 'the gate to the primary').open()
        }
        if (Math.max(...took) > 6_000) errors.push(`a node showed a stale product for ${Math.max(...took)} ms`)
        return `3 changes on silent connections, seen after ${took.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`
      },
      'node cut off': async () => {
        await pause(3_000)
        for (const gate of gates) gate.cut()
        await pause(15_000)
        for (const gate of gates) gate.open()
        await pause(5_000)
        return 'a node without its database for 15 s'
      },
      'bucket away': async () => {
        await pause(5_000)
        for (const method of ['GET', 'HEAD', 'PUT']) s3.faults.push({ method, path: /./, status: 0, times: Infinity })
        await pause(15_000)
        s3.faults.length = 0
        await pause(5_000)
        return 'the bucket away for 15 s'
      },
      'disk full': async () => {
        if (!patroni?.hasDisks) return 'SKIPPED: this account may not mount a disk to fill'
        await pause(3_000)
        const { isReplaced } = await patroni.fillDisk(20_000)
        await pause(5_000)
        return `the disk of the primary full for 20 s, ${isReplaced ? 'another one led' : 'it went on as the primary'}`
      },
      'wrong clocks': async () => {
        for (const [at, minutesOff] of [10, -10].entries()) {
          await stopNode(at)
          await startNode(at, { minutesOff })
          await pause(3_000)
        }
        await pause(15_000)
        for (const at of [0, 1]) {
          await stopNode(at)
          await startNode(at)
          await pause(3_000)
        }
        return 'one clock 10 minutes fast, the other one slow'
      },
    }

    const answers = countAnswers(publicUrl)
    closing.push(answers.end)
    for (const part of CLUSTER_PARTS.filter((one) => parts.includes(one))) {
      const tally = answers.begin()
      const startedAt = performance.now()
      const load = startLoad(world, products, shoppers, { readers, perSecond, seed: startedAt })
      let done: string
      try {
        done = await breaking[part]()
      } finally {
        await load.stop()
      }
      const seconds = (performance.now() - startedAt) / 1000
      answers.begin()
      await comeToRest(world, { seconds: 180 })
      errors.push(...nodes.flatMap(({ shop }) => shop.errors()))
      const violations = [
        ...(await findViolationsAtRest(world, shoppers)),
        ...(await findMissingLetters(world, post.names)),
        ...new Set(errors.splice(0)),
      ]
      const told = shoppers.reduce((sum, { seen }) => sum + new Set(seen.completed).size, 0)
      yield {
        part,
        done,
        tally,
        seconds,
        violations,
        orders: { completed: (await countOrders(world)).completed, told },
        lettersTwice: post.names.length - new Set(post.names).size,
      }
    }
  } finally {
    for (const close of closing.toReversed()) await Promise.resolve(close()).catch(() => undefined)
  }
}

/** Asks a node itself, as nginx does: with the host that the shop is known by. */
async function askNode(nodeUrl: string, path: string, publicUrl: string): Promise<string> {
  const asked = get(new URL(path, nodeUrl), { headers: { host: new URL(publicUrl).host } })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return readText(answer)
}

async function ask(url: string, ...texts: string[]) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}
