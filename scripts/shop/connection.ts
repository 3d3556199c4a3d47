import { join } from 'node:path'
import pg from 'pg'
import { prepareSchema } from '../../src/app/schema.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import { type Identity, openIdentity } from '../../src/identity/identity.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import type { Bus } from '../../src/kit/bus.server.ts'
import { closeDatabase, type Database, openDatabase } from '../../src/kit/database.server.ts'
import { AlreadyRunning, findRunningEmbedded, startEmbedded } from '../../src/kit/embedded/embedded.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { listMigrations, refuseUnreleased } from '../../src/kit/schema/migrate.server.ts'
import { areViewsCurrent } from '../../src/kit/schema/views.server.ts'
import type { Addresses } from '../../src/kit/schema/roles.server.ts'
import { firstOf, only } from '../../src/kit/values/required.ts'

const EMBEDDED_WAIT_MS = 30_000

type CleanUp = () => Promise<void>

const pending = new Set<CleanUp>()

/** Runs `cleanUp` after the work, even if it fails or a signal stops it. */
export async function withCleanUp<T>(cleanUp: CleanUp, work: () => Promise<T>): Promise<T> {
  pending.add(cleanUp)
  try {
    return await work()
  } finally {
    if (pending.delete(cleanUp)) await cleanUp()
  }
}

export async function cleanUpAll() {
  for (const cleanUp of [...pending].toReversed()) if (pending.delete(cleanUp)) await cleanUp()
}

export async function withServer<T>(config: Config, work: (addresses: Addresses) => Promise<T>): Promise<T> {
  if (config.addresses) return work(config.addresses)
  const { stop, ...addresses } = await openEmbedded(config.dataDir)
  return withCleanUp(stop, () => work(addresses))
}

/** Connects to the server of a running shop, or starts one. Waits while another command uses the same folder. */
async function openEmbedded(dataDir: string) {
  const until = Date.now() + EMBEDDED_WAIT_MS
  for (;;) {
    const running = await findRunningEmbedded(dataDir)
    if (running && (await isShopOn(running.url))) return { ...running, stop: async () => undefined }
    try {
      return await startEmbedded({ dataDir, say: () => undefined })
    } catch (error) {
      if (!(error instanceof AlreadyRunning) || Date.now() > until) throw error
    }
  }
}

async function isShopOn(url: string): Promise<boolean> {
  try {
    return await withClient(url, async (client) => (await countNodes(client)) > 0)
  } catch {
    // The server of a killed shop may be shutting down. `startEmbedded` then adopts it or reports the problem.
    return false
  }
}

export function withServerAlone<T>(config: Config, work: (addresses: Addresses) => Promise<T>): Promise<T> {
  return withServer(config, async (addresses) => {
    await withClient(addresses.ownerUrl, refuseWhileRunning)
    return work(addresses)
  })
}

/** Opens the database at the schema of this version. Migrates an empty database and rejects an older one. */
export function withDatabase<T>(
  config: Config,
  work: (database: Database, addresses: Addresses) => Promise<T>,
): Promise<T> {
  return withServer(config, async (addresses) => {
    await ensureSchema(config, addresses)
    const database = openDatabase(addresses.url, { size: 4 })
    try {
      return await work(database, addresses)
    } finally {
      await closeDatabase(database)
    }
  })
}

/** Opens one connection without the shop's time limits, for long work. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'primo command', keepAlive: true })
  // The running query reports the same error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('SET statement_timeout = 0')
    await client.query('SET idle_in_transaction_session_timeout = 0')
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Counts the nodes on this database, on all machines, by the name of the connection that each holds open. */
export async function countNodes(client: pg.ClientBase | pg.Pool, kind: 'serving' | 'working' = 'serving') {
  const { rows } = await client.query<{ nodes: number }>(
    'SELECT count(*)::int AS nodes FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
    [kind === 'serving' ? 'primo bus' : 'primo node'],
  )
  return only(rows).nodes
}

export async function refuseWhileRunning(client: pg.ClientBase) {
  const nodes = (await countNodes(client)) || (await countNodes(client, 'working'))
  if (nodes > 0) throw new Failure(409, 'The shop is running on this database. Stop it first (on every machine).')
}

/**
 * Compares the database with this release. `open` lists changes to apply: `openFiles`, and `views`. `unknown` lists
 * files of a newer release. Throws a Failure for a database from before version 1.0.0.
 */
export async function readSchema(client: pg.ClientBase) {
  const known = listMigrations()
  const applied = await readApplied(client)
  refuseUnreleased(applied)
  const openFiles = known.filter((name) => !applied.includes(name))
  const hasOpenViews = applied.length > 0 && !(await areViewsCurrent(client))
  return {
    applied,
    openFiles,
    open: hasOpenViews ? [...openFiles, 'views'] : openFiles,
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

export async function readApplied(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('public.migrations') IS NOT NULL AS exists`,
  )
  if (!firstOf(found).exists) return []
  const { rows } = await client.query<{ name: string }>('SELECT name FROM public.migrations ORDER BY name COLLATE "C"')
  return rows.map(({ name }) => name)
}

async function ensureSchema(config: Config, addresses: Addresses) {
  const { applied, open, unknown } = await withClient(addresses.ownerUrl, readSchema)
  refuseNewer(unknown)
  if (open.length === 0) return
  if (applied.length > 0)
    throw new Failure(
      409,
      `The database lacks migrations (${open.join(', ')}). Make a backup, then: npm run shop -- migrate`,
    )
  await prepareSchema(config, addresses)
}

export function refuseNewer([name]: string[]) {
  if (name)
    throw new Failure(409, `The database has migration ${name} of a newer version of the shop. Use that version.`)
}

export const accountsFile = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'demo-accounts.json')
export const secretFile = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'secret')

export const addressOf = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>) =>
  publicUrl ?? `http://localhost:${port}`

/** Opens the identity room with the secret and address of the shop, so that the shop accepts its cookies. */
export const openAccounts = (config: Config, database: Database): Promise<Identity> =>
  openIdentity({ config, database, bus: noBus, secret: readSecret(config), publicUrl: addressOf(config) })

// A command caches nothing, so it needs no invalidation.
const noBus: Bus = { listen: async () => undefined, isUp: () => false, close: async () => undefined }
