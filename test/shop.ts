import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openShop, type Shop } from '../src/app/shop.server.ts'
import { type CallOptions, send } from '../src/kit/call.ts'
import { readConfig } from '../src/app/settings.server.ts'
import type { Endpoint, Input, Reply, Role } from '../src/kit/contract.ts'
import { setLogLevel } from '../src/kit/log/log.server.ts'
import type { OpenProvider } from '../src/providers/openProvider.server.ts'
import type { Close } from '../src/kit/serve/serve.server.ts'
import { createTestDatabase } from './database.ts'

export type Person = { id: string; email: string; cookie: string; call: Call }
export type Call = <E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions) => Promise<Reply<E>>

export type TestShop = Shop & {
  url: string
  /** Connects as the owner of the database; the shop uses another role. */
  databaseUrl: string
  /** Connects as the role of the shop, which can see only its own statements in PostgreSQL's statistics. */
  shopUrl: string
  /** Runs SQL as the role that owns the tables. */
  asOwner: (text: string) => Promise<void>
  dataDir: string
  /** Calls the shop signed out. Every reply is checked against its contract. */
  call: Call
  /** Returns a new member, or staff, with a session. */
  join: (options?: { isAdmin?: boolean; role?: Role; firstName?: string }) => Promise<Person>
}

type Joining = Parameters<TestShop['join']>[0]

export const SECRET = 'a secret that only tests know, 32+ characters'

/** A whole shop with a separate database: real HTTP, real PostgreSQL. Limits are off unless a test sets them. */
export async function openTestShop(
  env: Record<string, string> = {},
  { hasJobs = false, providers }: { hasJobs?: boolean; providers?: OpenProvider[] } = {},
): Promise<TestShop> {
  setLogLevel('silent')
  const testDatabase = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'primo-shop-'))
  const config = readConfig({
    PORT: '0',
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    RATE_LIMIT_SCALE: '0',
    DATABASE_POOL: '10',
    // no embedding model: it would take ten seconds of a core per shop; demo/assistant.test.ts measures it
    ASSISTANT: 'words',
    ...env,
  })
  const shop = await openShop({ config, databaseUrl: testDatabase.shopUrl, secret: SECRET, hasJobs, providers })
  const { url } = shop.server
  const call: Call = (endpoint, input, options = {}) =>
    send(endpoint, input, { base: url, checkReply: true, ...options })
  let people = 0

  async function joinShop({ isAdmin = false, role, firstName = 'Test' }: Joining = {}): Promise<Person> {
    const email = `person${++people}@test.example`
    const id = await shop.identity.createUser({
      email,
      password: `correct horse ${people}`,
      firstName,
      lastName: 'Person',
      role: role ?? (isAdmin ? 'admin' : 'member'),
      emailVerified: true,
    })
    const cookie = await shop.identity.createSession(email)
    const callAs: Call = (endpoint, input, options = {}) =>
      call(endpoint, input, { ...options, headers: { cookie, ...options.headers } })
    return { id, email, cookie, call: callAs }
  }

  async function asOwner(text: string) {
    const owner = new pg.Client({ connectionString: testDatabase.url })
    await owner.connect()
    await owner.query(text).finally(() => owner.end())
  }

  const close: Close = async (options) => {
    await shop.close(options)
    await testDatabase.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    ...shop,
    close,
    url,
    databaseUrl: testDatabase.url,
    shopUrl: testDatabase.shopUrl,
    asOwner,
    dataDir,
    call,
    join: joinShop,
  }
}

/** Opens one shop before the tests of a file and closes it after them. */
export function openShopForTests(
  env: Record<string, string> = {},
  options: { hasJobs?: boolean } = {},
): { get shop(): TestShop } {
  let shop: TestShop | undefined
  beforeAll(async () => {
    shop = await openTestShop(env, options)
  })
  afterAll(() => shop?.close())
  return {
    get shop() {
      if (!shop) throw new Error('the shop is not open yet')
      return shop
    },
  }
}
