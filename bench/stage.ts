import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startShop } from '../drill/shopProcess.ts'
import { type Load, seedDemo, seedMore } from '../demo/seed.ts'
import { openCodeVault } from '../src/delivery/codes/vault.server.ts'
import { prepareSchema } from '../src/app/schema.server.ts'
import { readConfig } from '../src/app/settings.server.ts'
import { openIdentity } from '../src/identity/identity.server.ts'
import { openBus } from '../src/kit/bus.server.ts'
import { closeDatabase, type Database, openDatabase } from '../src/kit/database.server.ts'
import { startEmbedded } from '../src/kit/embedded/embedded.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { openDiskStorage } from '../src/uploads/disk/storage.disk.server.ts'
import { type Member, recordShop, SECRET } from './recordings.ts'
import { firstOf, required } from '../src/kit/values/required.ts'

// A store of one size on its own PostgreSQL, and the shop in its own process.

export type BenchStage = Awaited<ReturnType<typeof openBenchStage>>
type Options = {
  /** Data folder that stores the data for later runs, such as one that `shop -- seed` has filled. */
  folder?: string | undefined
  members: number
  settings?: Record<string, string>
  shop?: Record<string, string>
}

export async function openBenchStage(
  load: Load,
  { folder, members: count, settings: own = {}, shop: ofShop = {} }: Options,
) {
  setLogLevel('silent')
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'primo-bench-')))
  // If the bench runs as root, the user postgres needs access.
  if (!folder) await chmod(dataDir, 0o755)
  const postgres = await startEmbedded({ dataDir, settings: own, say: () => undefined })
  const { ownerUrl: databaseUrl, pgDir, stop } = postgres
  const port = await findFreePort()
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRET, LOG_LEVEL: 'warn' }
  const config = readConfig({ NODE_ENV: 'test', ...settings })
  await prepareSchema(config, { url: databaseUrl, ownerUrl: databaseUrl })
  const database = openDatabase(databaseUrl)
  const bus = await openBus(databaseUrl)
  const identity = await openIdentity({ config, database, bus, secret: SECRET, publicUrl: `http://localhost:${port}` })
  const storage = openDiskStorage(join(dataDir, 'objects'))
  const parts = {
    database,
    identity,
    storage,
    vault: openCodeVault(SECRET),
    accountsFile: join(dataDir, 'demo-accounts.json'),
  }
  await seedDemo(parts)
  await seedMore(parts, load)
  const members: Member[] = []
  for (const { id, email } of await findBuyers(database, count))
    members.push({ id, email, cookie: await identity.createSession(email) })
  const found = await look(database)
  await database.pool.query('DELETE FROM cart_items')
  await bus.close()
  await closeDatabase(database)
  const recordings = await recordShop(databaseUrl, dataDir, {
    member: firstOf(members),
    productId: firstOf(found.productIds),
    searches: found.searches,
  })
  // VACUUM may exceed the time limits of the shop's connections
  const vacuuming = new pg.Client({ connectionString: databaseUrl })
  await vacuuming.connect()
  await vacuuming.query('VACUUM ANALYZE')
  await vacuuming.end()
  const shop = await startShop(port, { ...settings, ...ofShop })
  return {
    ...found,
    databaseUrl,
    dataDir,
    superuserUrl: postgres.superuserUrl.replace(/[^/]*$/, 'primo'),
    pgDir,
    port,
    members,
    recordings,
    shop,
    close: async () => {
      await shop.stop()
      await stop()
      if (!folder) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Finds people without pending orders: orders left over from an aborted run would change carts when they settle. */
async function findBuyers({ db }: Database, count: number) {
  const buyers = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', 'like', 'load%@primo.example')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('orders').whereRef('orders.userId', '=', 'users.id').where('status', '=', 'pending').select('id'),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return buyers.map(({ id, email }) => ({ id, email: required(email, 'the address of a buyer') }))
}

async function look({ db }: Database) {
  const products = await db
    .selectFrom('products')
    .select(['id', 'title'])
    .where('isListed', '=', true)
    .where('delivery', '=', 'file')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(300)
    .execute()
  const words = products.map(({ title }) => title.toLowerCase().match(/[a-z]{5,}/g) ?? [])
  const searches = words.flatMap(([one, two]) => (two ? [`${one} ${two.slice(0, Math.ceil(two.length / 2))}`] : []))
  return {
    productIds: products.slice(0, 100).map(({ id }) => id),
    searches: [...new Set(searches)].slice(0, 100),
  }
}

export type Helper<Given, Answer> = { pid: number; ask: (given: Given) => Promise<Answer>; close: () => void }

type Reply<Answer> = { result: Answer } | { error: string }

export async function startHelper<Given extends object, Answer>(
  file: string,
  { isReadyTold = true } = {},
): Promise<Helper<Given, Answer>> {
  const child = fork(join(import.meta.dirname, file), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
  })
  if (isReadyTold) await once(child, 'message')
  const ask = async (given: Given) => {
    child.send(given)
    const [reply] = (await once(child, 'message')) as [Reply<Answer>]
    if ('error' in reply) throw new Error(`${file}: ${reply.error}`)
    return reply.result
  }
  return { pid: required(child.pid, 'the process id'), ask, close: () => child.kill() }
}

const TICKS_PER_SECOND = 100

/** Reads proc(5): the parent, and the ticks of the process itself and of its ended children. */
function readStat(pid: number | string) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = text.split(' ').slice(11).map(Number)
  return { parent: Number(text.split(' ')[1]), own: user + system, children: childUser + childSystem }
}

export function cpuMs(pid: number): number {
  const { own } = readStat(pid)
  return (own * 1000) / TICKS_PER_SECOND
}

/** Milliseconds of CPU time of a PostgreSQL server and all its processes, including ended ones. */
export function postgresCpuMs(pgDir: string): number {
  const postmaster = Number(readFileSync(join(pgDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  let total = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const { parent, own, children } = readStat(name)
      const isServer = Number(name) === postmaster
      if (!isServer && parent !== postmaster) continue
      total += own + (isServer ? children : 0)
    } catch {
      // the process has ended
    }
  }
  return (total * 1000) / TICKS_PER_SECOND
}

export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
