import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSchema } from '../src/app/schema.server.ts'
import { openShop, type Shop } from '../src/app/shop.server.ts'
import { readConfig } from '../src/app/settings.server.ts'
import { openBus } from '../src/kit/bus.server.ts'
import { openReplica } from '../src/kit/cluster/replica.server.ts'
import { closeDatabase, openDatabase } from '../src/kit/database.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { openGate } from './gate.ts'
import { openServer, openStandby, type OwnServer } from './postgres.ts'

// Two nodes with a primary and a real streaming replica. The tests pause its replay.

const SETTINGS = { fsync: 'off', shared_buffers: '32MB', wal_level: 'replica', max_wal_senders: 4 }

let primary: OwnServer
let standby: OwnServer
let otherStandby: OwnServer
let onStandby: pg.Client
let onPrimary: pg.Client
let nodes: Shop[] = []
let sellerId: string
let cookie: string
const dataDir = mkdtempSync(join(tmpdir(), 'primo-replica-'))

beforeAll(async () => {
  setLogLevel('silent')
  primary = await openServer(SETTINGS)
  const ownerUrl = await primary.createDatabase('shop')
  const roleOf = (url: string) => Object.assign(new URL(url), { username: 'shop_app', password: 'secret' }).href
  const databaseUrl = roleOf(ownerUrl)
  const open = (seconds: string) => {
    const config = readConfig({
      ...{ NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_SCALE: '0', ASSISTANT: 'words' },
      ...{ DATABASE_URL: databaseUrl, READ_DATABASE_URL: roleOf(standby.urlOf('shop')), DATABASE_POOL: '4' },
      READ_DATABASE_SECONDS: seconds,
    })
    return openShop({ config, databaseUrl, secret: 'a secret that only tests know, 32+', hasJobs: false })
  }
  // the standbys copy the role and the tables
  await prepareSchema({ isSandboxOn: true }, { url: databaseUrl, ownerUrl })
  standby = await openStandby(primary)
  otherStandby = await openStandby(primary)
  onPrimary = await connect(ownerUrl)
  onStandby = await connect(standby.urlOf('shop'))
  nodes = [await open('60'), await open('1')]
  const [email, name] = ['ada@shop.example', { firstName: 'Ada', lastName: 'Shop' }]
  const { identity } = nodes[0]!
  sellerId = await identity.createUser({
    ...{ email, ...name, password: 'correct horse', role: 'member', emailVerified: true },
  })
  cookie = await identity.createSession(email)
}, 60_000)

afterAll(async () => {
  await Promise.all([onPrimary?.end(), onStandby?.end().catch(() => undefined)])
  await Promise.all(nodes.map((node) => node.close()))
  await Promise.all([primary?.remove(), standby?.remove(), otherStandby?.remove()])
  rmSync(dataDir, { recursive: true, force: true })
}, 60_000)

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

type Answer = { name?: string; grade?: string; title?: string; [at: number]: { title?: string } }

async function get<T = Answer>(node: number, path: string, cookies = ''): Promise<T> {
  const answer = await fetch(`${nodes[node]!.server.url}${path}`, { headers: { cookie: cookies } })
  expect([path, answer.status]).toEqual([path, 200])
  return (await answer.json()) as T
}

let made = 0
async function addProduct() {
  const { rows } = await onPrimary.query<{ id: string }>(
    `INSERT INTO products (seller_id, category_id, title, price_cents, delivery)
     VALUES ($1, 'software', $2, 1000, 'code') RETURNING id`,
    [sellerId, `Product ${++made}`],
  )
  return rows[0]!.id
}

/** Changes a title. Nodes learn of it only if it is announced; otherwise a title shows which database a node read. */
async function rename(id: string, title: string, { isAnnounced = false } = {}) {
  await onPrimary.query(`SET session_replication_role = ${isAnnounced ? 'origin' : 'replica'}`)
  await onPrimary.query('UPDATE products SET title = $2 WHERE id = $1', [id, title])
  await onPrimary.query('SET session_replication_role = origin')
}

const gradeOn = async (node: number) =>
  (await get<Answer[]>(node, '/api/status')).find(({ name }) => name === 'replica')?.grade
async function becomes(node: number, grade: string) {
  await expect.poll(() => gradeOn(node), { timeout: 15_000, interval: 100 }).toBe(grade)
}
const titleOn = async (node: number, id: string) => (await get(node, `/api/products/${id}`)).title
/** Returns the first title of the seller's own product list, which no node caches. */
const listOn = async (node: number, cookies = cookie) =>
  (await get(node, '/api/account/products?sort=newest', cookies))[0]?.title

/** Waits until both nodes know that the replica has replayed everything. */
async function settle() {
  await becomes(0, 'ok')
  await becomes(1, 'ok')
  await new Promise((done) => setTimeout(done, 1200))
}

test('reads from the replica, and reads announced changes from the primary until the replica has them', async () => {
  const id = await addProduct()
  await settle()
  await onStandby.query('SELECT pg_wal_replay_pause()')
  await rename(id, 'Changed in silence')
  expect([await titleOn(0, id), await listOn(0)]).toEqual(['Product 1', 'Product 1'])
  await rename(id, 'Announced', { isAnnounced: true })
  await expect.poll(() => titleOn(0, id)).toBe('Announced')
  expect(await listOn(0)).toBe('Announced')
  await onStandby.query('SELECT pg_wal_replay_resume()')
  await settle()
  await onStandby.query('SELECT pg_wal_replay_pause()')
  await rename(id, 'Changed again')
  expect(await listOn(0)).toBe('Announced')
  await onStandby.query('SELECT pg_wal_replay_resume()')
  for (const path of ['/api/orders', '/api/library', '/api/account/sales', '/api/products', '/api/categories'])
    await get(0, path, cookie)
})

test('a browser that has written reads its lists from the primary until the replica has the write', async () => {
  await settle()
  const before = await listOn(0)
  await onStandby.query('SELECT pg_wal_replay_pause()')
  const [{ id }] = (await onPrimary.query<{ id: string }>('SELECT id FROM products')).rows as [{ id: string }]
  await rename(id, 'Written')
  const saved = await fetch(`${nodes[1]!.server.url}/api/wishlist/${id}`, {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(saved.status).toBeLessThan(300)
  const seen = saved.headers.getSetCookie().find((one) => one.startsWith('primo-seen='))!
  expect(seen).toMatch(/^primo-seen=\d+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=21$/)
  expect(await listOn(0)).toBe(before)
  expect(await listOn(0, `${cookie}; ${seen.split(';')[0]}`)).toBe('Written')
  expect(await listOn(0, `${cookie}; primo-seen=nonsense`)).toBe('Written')
  await onStandby.query('SELECT pg_wal_replay_resume()')
})

test('repeats a failed read on the primary and stops using the replica only if it is down', async () => {
  const databaseUrl = primary.urlOf('shop')
  const [database, bus] = [openDatabase(databaseUrl), await openBus(databaseUrl)]
  const replica = openReplica({ url: standby.urlOf('shop'), mostSeconds: 60 }, { database, bus })
  const readUnless = (code: string | null) =>
    replica.read({ channels: [] }, database, async (on) => {
      if (on === database) return 'primary'
      if (code !== null) throw Object.assign(new Error('it failed'), { code })
      return 'replica'
    })
  await expect.poll(() => readUnless(null)).toBe('replica')
  const [tooSlow, stopping] = ['57014', '57P01']
  expect([await readUnless(tooSlow), await readUnless(null)]).toEqual(['primary', 'replica'])
  expect([await readUnless(stopping), await readUnless(null)]).toEqual(['primary', 'primary'])
  await expect.poll(() => readUnless(null)).toBe('replica')
  await replica.close()
  await bus.close()
  await closeDatabase(database)
})

test('does not read from a new standby behind the same address before it has measured its lag', async () => {
  const databaseUrl = primary.urlOf('shop')
  const portOf = (server: OwnServer) => Number(new URL(server.urlOf('shop')).port)
  let reached = standby
  const gate = await openGate(() => portOf(reached))
  const url = Object.assign(new URL(standby.urlOf('shop')), { port: String(gate.port) }).href
  const [database, bus] = [openDatabase(databaseUrl), await openBus(databaseUrl)]
  const replica = openReplica({ url, mostSeconds: 60 }, { database, bus })
  const readPort = () =>
    replica.read({ channels: [] }, database, async ({ pool }) => {
      const { rows } = await pool.query<{ port: number }>('SELECT inet_server_port() AS port, pg_sleep(0.05)')
      return rows[0]!.port
    })
  await expect.poll(readPort).toBe(portOf(standby))
  reached = otherStandby
  const ports = await Promise.all(Array.from({ length: 6 }, readPort))
  expect(new Set(ports)).toEqual(new Set([portOf(standby), portOf(primary)]))
  await expect.poll(readPort, { timeout: 5_000 }).toBe(portOf(otherStandby))
  await replica.close()
  await bus.close()
  await closeDatabase(database)
  gate.close()
})

test('reads from the primary while the replica is too far behind, down or promoted', async () => {
  await settle()
  await onStandby.query('SELECT pg_wal_replay_pause()')
  const id = await addProduct()
  await becomes(1, 'warn')
  await rename(id, 'Behind')
  expect(await listOn(1)).toBe('Behind')
  await onStandby.query('SELECT pg_wal_replay_resume()')
  await settle()
  await standby.stop('immediate')
  expect(await listOn(0)).toBe('Behind')
  await becomes(0, 'warn')
  await standby.start()
  await settle()
  onStandby = await connect(standby.urlOf('shop'))
  await onStandby.query('SELECT pg_promote()')
  await becomes(0, 'warn')
  await rename(id, 'After the fail-over')
  expect(await listOn(0)).toBe('After the fail-over')
})
