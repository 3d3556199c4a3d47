import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Home, openHome } from './embedded.home.server.ts'
import { type Settings, bringUp, stopServer } from './embedded.postmaster.server.ts'
import { Failure } from './failure.ts'
import { log } from './log.server.ts'

// The PostgreSQL that comes with Primo, for everybody who gives no DATABASE_URL.

export type Embedded = {
  /** Opens the database `primo` as its owner, who is not a superuser. */
  url: string
  /** For tools and tests that make databases; the shop itself has no use for it. */
  superuserUrl: string
  pgDir: string
  /** Lets the server finish what it is writing, and waits for its end. */
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  /** PostgreSQL settings on top of ours. */
  settings?: Settings
  /** Gets the lines an operator should read. */
  say?: (line: string) => void
  leastFreeBytes?: number
}

const LEAST_FREE_BYTES = 200 * 1024 * 1024

// held for the life of the process, on the database `postgres`, so that a folder serves one shop at a time
const LOCK = 5_077_466
const LOCK_PATIENCE_MS = 1500

/** Starts the embedded database, making it on the first start. Throws a Failure of one line that names the mend. */
export async function startEmbedded(options: Options): Promise<Embedded> {
  const { settings = {}, say = (line: string) => log.info(line), leastFreeBytes = LEAST_FREE_BYTES } = options
  const dataDir = resolve(options.dataDir)
  const home = await openHome({ dataDir, say, leastFreeBytes, isSafe: settings.fsync !== 'off' })
  const { port, isAdopted } = await bringUp(home, settings)
  const superuserUrl = `postgres://postgres:${home.password}@127.0.0.1:${port}/postgres`
  const ownerPassword = createHash('sha256').update(`primo ${home.password}`).digest('base64url')
  let client: pg.Client
  try {
    client = await connect(superuserUrl, home)
    if (!(await takeLock(client))) {
      await client.end()
      throw new AlreadyRunning(dataDir)
    }
    await prepare(client, ownerPassword)
  } catch (error) {
    // what this start began it ends again, unless another shop works with it already
    if (!isAdopted && !(error instanceof AlreadyRunning)) await stopServer(home)
    throw error
  }
  const guard = guardLock(client, () => regain(home, settings, port, superuserUrl))
  return {
    url: `postgres://primo:${ownerPassword}@127.0.0.1:${port}/primo`,
    superuserUrl,
    pgDir: home.pgDir,
    stop: once(async () => {
      await guard.release()
      await stopServer(home)
    }),
  }
}

function once(work: () => Promise<void>) {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

class AlreadyRunning extends Failure {
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
    throw new Failure(
      500,
      `The database in ${home.pgDir} runs but lets nobody in: ${(error as Error).message}. Nothing was changed; see ${home.logFile}.`,
    )
  }
}

/** A shop that was killed a moment ago may still hold the lock, so a few tries are made. */
async function takeLock(client: pg.Client): Promise<boolean> {
  const until = Date.now() + LOCK_PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])
    if (rows[0]?.taken || Date.now() > until) return rows[0]?.taken ?? false
    await sleep(100)
  }
}

/** The shop's role owns its database and nothing else. */
async function prepare(client: pg.Client, password: string) {
  const found = await client.query("SELECT 1 FROM pg_roles WHERE rolname = 'primo'")
  const verb = found.rowCount ? 'ALTER' : 'CREATE'
  await client.query(`${verb} ROLE primo LOGIN PASSWORD ${client.escapeLiteral(password)}`)
  const database = await client.query("SELECT 1 FROM pg_database WHERE datname = 'primo'")
  if (!database.rowCount) await client.query('CREATE DATABASE primo OWNER primo')
}

async function regain(home: Home, settings: Settings, port: number, url: string): Promise<pg.Client> {
  await bringUp(home, settings, port)
  const client = await connect(url, home)
  if (await takeLock(client)) return client
  await client.end()
  throw new Failure(500, 'another shop took the data folder over')
}

/** When the server dies under a running shop, it is started again on the same port and the lock taken anew. */
function guardLock(first: pg.Client, regainLock: () => Promise<pg.Client>) {
  let client = first
  const released = new AbortController()
  let regaining = Promise.resolve()
  const watch = () => client.once('end', () => (regaining = again()))

  async function again() {
    if (!released.signal.aborted) log.warn('the embedded database went away; it is started again')
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
    release: async () => {
      released.abort()
      await regaining
      await client.end()
    },
  }
}
