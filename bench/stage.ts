import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnServer, openServer } from '../drill/postgres.ts'
import { startShop } from '../drill/shopProcess.ts'
import { seedDemo, seedMore } from '../demo/seed.ts'
import { openIdentity } from '../src/identity/identity.server.ts'
import { openBus } from '../src/kit/bus.server.ts'
import { readConfig } from '../src/app/settings.server.ts'
import { openDatabase } from '../src/kit/database.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { type Member, recordShop, SECRET } from './recordings.ts'
import { findFreePort } from '../src/kit/port.server.ts'
import { openDiskStorage } from '../src/uploads/storage.disk.server.ts'

// The bench runs on a separate PostgreSQL, the demo store with more products, and the shop in its own process.

const MORE_PRODUCTS = 1000

export type BenchStage = Awaited<ReturnType<typeof openBenchStage>>

export async function openBenchStage(
  { members: count }: { members: number },
  { flags = [] as string[], settings: serverSettings = {} as Record<string, string> } = {},
) {
  setLogLevel('silent')
  const postgres = await openServer(serverSettings)
  const databaseUrl = await postgres.createDatabase('primo')
  const dataDir = await mkdtemp(join(tmpdir(), 'primo-bench-'))
  const port = await findFreePort()
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRET, LOG_LEVEL: 'warn' }
  const members = await fill(databaseUrl, dataDir, `http://localhost:${port}`, count)
  const { productIds, searches } = await look(databaseUrl)
  const recordings = await recordShop(databaseUrl, dataDir, {
    member: members[0]!,
    productId: productIds[0]!,
    searches,
  })
  const shop = await startShop(port, settings, { flags })
  return {
    postgres,
    databaseUrl,
    dataDir,
    port,
    members,
    productIds,
    searches,
    recordings,
    shop,
    close: async () => {
      await shop.stop()
      await postgres.remove()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function fill(databaseUrl: string, dataDir: string, publicUrl: string, count: number): Promise<Member[]> {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir })
  const database = openDatabase(databaseUrl)
  const bus = await openBus(databaseUrl)
  const identity = await openIdentity({ config, database, bus, secret: SECRET, publicUrl })
  const storage = openDiskStorage(join(dataDir, 'objects'))
  const parts = { database, identity, storage, accountsFile: join(dataDir, 'demo-accounts.json') }
  await seedDemo(parts)
  await seedMore(parts, { products: MORE_PRODUCTS, users: 0, orders: 0 })
  const members: Member[] = []
  for (let i = 0; i < count; i++) {
    const email = `member${i}@bench.example`
    const id = await identity.createUser({ email })
    members.push({ id, email, cookie: await identity.createSession(email) })
  }
  await database.pool.query('VACUUM ANALYZE')
  await bus.close()
  await database.db.destroy()
  return members
}

/** Picks products to buy and two-word searches. */
async function look(databaseUrl: string) {
  const { db } = openDatabase(databaseUrl, { size: 1 })
  const products = await db
    .selectFrom('products')
    .select(['id', 'title'])
    .where('isListed', '=', true)
    .where('delivery', '=', 'file')
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(100)
    .execute()
  await db.destroy()
  const words = products.map(({ title }) => title.toLowerCase().match(/[a-z]{5,}/g) ?? [])
  return {
    productIds: products.map(({ id }) => id),
    searches: [...new Set(words.filter((found) => found.length > 1).map(([one, two]) => `${one} ${two}`))].slice(0, 20),
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
  return { pid: child.pid!, ask, close: () => child.kill() }
}

const TICKS_PER_SECOND = 100

/** Milliseconds of CPU time that a process has used. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

/** Milliseconds of CPU time of a PostgreSQL server and all its processes, including ended ones. */
export async function postgresCpuMs(server: OwnServer): Promise<number> {
  const postmaster = await server.pid()
  let total = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      const isServer = Number(name) === postmaster
      if (!isServer && Number(fields[1]) !== postmaster) continue
      total += Number(fields[11]) + Number(fields[12]) + (isServer ? Number(fields[13]) + Number(fields[14]) : 0)
    } catch {
      // the process has ended
    }
  }
  return (total * 1000) / TICKS_PER_SECOND
}

/** Resident memory in megabytes. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
