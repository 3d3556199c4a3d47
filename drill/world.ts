import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { type Identity, openIdentity } from '../src/identity/identity.server.ts'
import { openBus } from '../src/kit/bus.server.ts'
import { readConfig } from '../src/app/settings.server.ts'
import type { Role } from '../src/kit/contract.ts'
import { type Database, type Db, openDatabase } from '../src/kit/database.server.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { giveCredit } from '../src/payments/credit.server.ts'
import { saveWallet } from '../src/payments/wallets.store.server.ts'
import type { SandboxCapture } from '../sandbox/capture.contract.ts'
import { openStorage } from '../src/uploads/openStorage.server.ts'
import { DRILL_PROVIDERS, type DrillProvider } from './provider.ts'
import type { Observed } from './seen.ts'
import { type ShopProcess, startShop, wrongClock } from './shopProcess.ts'
import { offerProduct } from './worldProducts.ts'

export type Shopper = { email: string; cookie: string; hasWallet: boolean; seen: Observed }

export type ShopNode = { url: string; shop: ShopProcess }

export type Beside = { port?: number; settings?: Record<string, string>; root?: string }

export type World = {
  provider: DrillProvider
  url: string
  databaseUrl: string
  database: Database
  dataDir: string
  start: (minutesOff?: number) => Promise<ShopProcess>
  /** Where files stand on disk; null for a bucket. */
  objectsDir: string | null
  startBeside: (minutesOff?: number, own?: Beside) => Promise<ShopNode>
  kill: () => Promise<string[]>
  /** Adds members with sessions. `wallets` is the share with a saved wallet. Every second one gets `credit` cents. */
  invite: (count: number, options?: { wallets?: number; credit?: number; role?: Role }) => Promise<Shopper[]>
  offer: (product: { priceCents: number; codes?: number }) => Promise<string>
  captures: () => Promise<SandboxCapture[]>
  storedCaptures: () => Promise<SandboxCapture[]>
  setFaults: (faults: { rate: number; kinds: string[]; latencyMs?: number }) => Promise<void>
  close: () => Promise<void>
}

const POOL_SIZE = 8

export async function openWorld(
  databaseUrl: string,
  settings: Record<string, string> = {},
  provider = DRILL_PROVIDERS.paypal,
  proxyUrl?: string,
): Promise<World> {
  setLogLevel('silent')
  const port = await findFreePort()
  const url = proxyUrl ?? `http://localhost:${port}`
  const dataDir = mkdtempSync(resolve(tmpdir(), 'primo-drill-'))
  const secret = randomBytes(32).toString('base64url')
  const given = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRET: secret, DATABASE_POOL: '10', ...settings }
  const database = openDatabase(databaseUrl, { size: POOL_SIZE })
  const bus = await openBus(databaseUrl)
  const config = readConfig({ NODE_ENV: 'test', ...given })
  const identity = await openIdentity({ config, database, bus, secret, publicUrl: url })
  const storage = await openStorage(config)
  const { db } = database
  const sellerId = await identity.createUser({ email: 'seller@drill.example', firstName: 'Sally' })

  async function setFaults(faults: { rate: number; kinds: string[]; latencyMs?: number }) {
    const response = await fetch(`${url}/sandbox/${provider.name}/test/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    })
    if (!response.ok) throw new Error(`faults: ${response.status} ${await response.text()}`)
  }

  let running: ShopProcess | undefined
  const beside = new Set<ShopProcess>()
  const flagsOf = (minutesOff: number) => ({ flags: minutesOff === 0 ? [] : wrongClock(minutesOff) })
  async function startBeside(minutesOff = 0, { port: wanted, settings: own, root }: Beside = {}): Promise<ShopNode> {
    const at = wanted ?? (await findFreePort())
    const options = { ...flagsOf(minutesOff), patienceMs: 120_000, ...(root && { root }) }
    const shop = await startShop(at, { ...given, ...own }, options)
    beside.add(shop)
    return { url: `http://localhost:${at}`, shop }
  }
  async function kill() {
    await running?.kill()
    return running?.errors() ?? []
  }

  return {
    provider,
    url,
    databaseUrl,
    database,
    dataDir,
    objectsDir: config.s3 ? null : resolve(dataDir, 'objects'),
    invite: openMembers(db, provider, identity),
    offer: (product) => offerProduct({ db, storage, secret, sellerId }, product),
    setFaults,
    kill,
    start: async (minutesOff = 0) => (running = await startShop(port, given, flagsOf(minutesOff))),
    startBeside,
    captures: async () =>
      (await (await fetch(`${url}/sandbox/${provider.name}/test/captures`)).json()) as SandboxCapture[],
    storedCaptures: () => provider.storedCaptures(database.pool),
    close: async () => {
      for (const shop of beside) await shop.kill()
      await kill()
      await bus.close()
      await db.destroy()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function openMembers(db: Db, provider: DrillProvider, { createUser, createSession }: Identity): World['invite'] {
  let people = 0

  async function join(hasWallet: boolean, creditCents: number, role: Role): Promise<Shopper> {
    const email = `shopper${++people}@drill.example`
    const userId = await createUser({ email, firstName: 'Sam', role })
    if (hasWallet) {
      const wallet = await provider.saveMethod(db, { email })
      await saveWallet(db, { userId, provider: provider.name, mode: 'sandbox', ...wallet })
    }
    if (creditCents > 0) {
      await db.transaction().execute((tx) => giveCredit(tx, { userId, amountCents: creditCents, why: 'a drill' }))
    }
    const cookie = await createSession(email)
    return { email, cookie, hasWallet, seen: { userId, adds: [], orders: [], completed: [] } }
  }

  return async (count, { wallets = 0, credit = 0, role = 'member' } = {}) => {
    const shoppers: Shopper[] = []
    // more members at once than connections would time out while they wait for a connection on a slow machine
    for (let start = 0; start < count; start += POOL_SIZE) {
      const numbers = Array.from({ length: Math.min(POOL_SIZE, count - start) }, (_, i) => start + i)
      const joining = numbers.map((i) => join(i < count * wallets, i % 2 === 0 ? credit : 0, role))
      shoppers.push(...(await Promise.all(joining)))
    }
    return shoppers
  }
}
