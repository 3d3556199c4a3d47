import { createHash } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Home, openHome } from './home.server.ts'
import { type Settings, bringUp, findRunning, stopServer } from './postmaster.server.ts'
import { isDatabaseAway } from '../database.server.ts'
import { Failure, operatorFailure } from '../failure.ts'
import { log } from '../log/log.server.ts'
import type { Addresses } from '../schema/roles.server.ts'

export type Embedded = Addresses & {
  superuserUrl: string
  pgDir: string
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  settings?: Settings
  say?: (line: string) => void
  leastFreeBytes?: number
}

const MIN_FREE_BYTES = 200 * 1024 * 1024

// advisory lock on the database `postgres`, held for the life of the process, so that one shop uses a folder
const LOCK = 5_077_466
const LOCK_TIMEOUT_MS = 1500
const ENDING_TIMEOUT_MS = 30_000

/** Starts the embedded database; the first start creates it. Throws a Failure with one line that explains the fix. */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { settings = {}, say = (line: string) => log.info(line), leastFreeBytes = MIN_FREE_BYTES } = options
  const dataDir = resolve(options.dataDir)
  const home = await openHome({ dataDir, say, leastFreeBytes, isSafe: settings.fsync !== 'off' })
  const { client, port } = await takeServer(home, settings, dataDir)
  const superuserUrl = superuserUrlOf(home, port)
  const guard = guardLock(client, () => regain(home, settings, port, superuserUrl))
  const stop = async () => {
    // hold the lock until the server is down. Otherwise another start could adopt a server that is stopping
    await guard.giveUp()
    await stopServer(home)
    await guard.close()
  }
  let stopped: Promise<void> | undefined
  return { ...addressesOf(home.password, port), superuserUrl, pgDir: home.pgDir, stop: () => (stopped ??= stop()) }
}

/** Starts or adopts the server and acquires its lock. Waits while another shop stops the server. */
async function takeServer(home: Home, settings: Settings, dataDir: string) {
  for (const until = Date.now() + ENDING_TIMEOUT_MS; ; await sleep(100)) {
    const { port, isAdopted } = await bringUp(home, settings)
    let client: pg.Client | undefined
    try {
      client = await connect(superuserUrlOf(home, port), home)
      if (!(await takeLock(client))) throw new AlreadyRunning(dataDir)
      await prepare(client, home.password)
      return { client, port }
    } catch (error) {
      await client?.end()
      const isGone = isDatabaseAway((error as Error).cause ?? error)
      // stop a server that this call started, unless another shop uses it already
      if (!isAdopted && !isGone && !(error instanceof AlreadyRunning)) await stopServer(home)
      if (!isGone || Date.now() > until) throw error
    }
  }
}

/** Returns the addresses of the embedded database if its server runs. Acquires no lock and starts nothing. */
export async function findRunningEmbedded(dataDir: string): Promise<Addresses | null> {
  const home = await realpath(join(resolve(dataDir), 'postgres')).catch(() => null)
  const port = home && (await findRunning(join(home, 'data')))
  if (!home || !port) return null
  const password = await readFile(join(home, 'password'), 'utf8').catch(() => {
    throw operatorFailure(`${join(home, 'password')} cannot be read. Run this as the user that runs the shop.`)
  })
  return addressesOf(password.trim(), port)
}

const ROLES = ['primo', 'primo_app'] as const
const passwordOf = (role: string, password: string) =>
  createHash('sha256').update(`${role} ${password}`).digest('base64url')
function addressesOf(password: string, port: number): Addresses {
  const [ownerUrl, url] = ROLES.map(
    (role) => `postgres://${role}:${passwordOf(role, password)}@127.0.0.1:${port}/primo`,
  ) as [string, string]
  return { url, ownerUrl }
}
const superuserUrlOf = ({ password }: Home, port: number) =>
  `postgres://postgres:${password}@127.0.0.1:${port}/postgres`

/** Another process uses this data folder: a shop, or a command that started the database. */
export class AlreadyRunning extends Failure {
  constructor(dataDir: string) {
    super(500, `Primo is already running on this data folder (${dataDir}). Stop it first, or give another DATA_DIR.`)
  }
}

async function connect(url: string, home: Home): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'primo lock', keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    const message = `The database in ${home.pgDir} runs but accepts no connection: ${(error as Error).message}. Nothing was changed; see ${home.logFile}.`
    throw Object.assign(operatorFailure(message), { cause: error })
  }
}

/** Retries, because a shop that was just killed may still hold the lock. */
async function takeLock(client: pg.Client): Promise<boolean> {
  const until = Date.now() + LOCK_TIMEOUT_MS
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])
    if (rows[0]?.taken || Date.now() > until) return rows[0]?.taken ?? false
    await sleep(100)
  }
}

async function prepare(client: pg.Client, password: string) {
  for (const role of ROLES) {
    const found = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
    const verb = found.rowCount ? 'ALTER' : 'CREATE'
    // `backup check` restores into a separate database
    const rights = role === 'primo' ? 'CREATEDB' : 'NOCREATEDB'
    await client.query(
      `${verb} ROLE ${role} LOGIN ${rights} PASSWORD ${client.escapeLiteral(passwordOf(role, password))}`,
    )
  }
  const database = await client.query("SELECT 1 FROM pg_database WHERE datname = 'primo'")
  if (!database.rowCount) await client.query('CREATE DATABASE primo OWNER primo')
}

async function regain(home: Home, settings: Settings, port: number, url: string): Promise<pg.Client> {
  await bringUp(home, settings, port)
  const client = await connect(url, home)
  if (await takeLock(client)) return client
  await client.end()
  throw operatorFailure('another shop took the data folder over')
}

/** Restarts a server that dies under a running shop, on the same port, and acquires the lock again. */
function guardLock(first: pg.Client, regainLock: () => Promise<pg.Client>) {
  let client = first
  const released = new AbortController()
  let regaining = Promise.resolve()
  const watch = () => client.once('end', () => (regaining = again()))

  async function again() {
    if (!released.signal.aborted) log.warn('the embedded database stopped; restarting it')
    for (let delay = 1000; !released.signal.aborted; delay = Math.min(delay * 2, 30_000)) {
      try {
        client = await regainLock()
        watch()
        return log.info('the embedded database is back')
      } catch (error) {
        log.error('the embedded database is away', { error })
        await sleep(delay, undefined, { signal: released.signal }).catch(() => {})
      }
    }
  }

  watch()
  return {
    giveUp: async () => {
      released.abort()
      await regaining
    },
    close: () => client.end(),
  }
}
