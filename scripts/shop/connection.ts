import { join } from 'node:path'
import type { Config } from '../../src/app/settings.server.ts'
import { closeDatabase, type Database, openDatabase } from '../../src/kit/database.server.ts'
import { AlreadyRunning, findRunningEmbedded, startEmbedded } from '../../src/kit/embedded/embedded.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { migrate } from '../../src/kit/migrate.server.ts'
import { openDiskStorage } from '../../src/uploads/storage.disk.server.ts'
import { withCleanUp } from './cleanUp.ts'
import { countNodes, refuseWhileRunning, withClient } from './running.ts'
import { readSchema } from './schema.ts'

// How a command reaches the store: DATABASE_URL, or else the embedded database of DATA_DIR.

const PATIENCE_MS = 30_000

/** The database's address, for the time of the work. */
export async function withServer<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  if (config.databaseUrl) return work(config.databaseUrl)
  const { url, stop } = await openEmbedded(config.dataDir)
  return withCleanUp(stop, () => work(url))
}

/** Joins a running shop at its server, or starts the server; other commands on the same folder are waited for. */
async function openEmbedded(dataDir: string) {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const url = await findRunningEmbedded(dataDir)
    if (url && (await isShopOn(url))) return { url, stop: async () => undefined }
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
    // a server that a killed shop left may be going down; whoever adopts it finds out
    return false
  }
}

/** The address of a database that no shop works with. */
export function withServerAlone<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  return withServer(config, async (url) => {
    await withClient(url, refuseWhileRunning)
    return work(url)
  })
}

/** The shop's database at this version's schema. An empty one is migrated, an older one is refused. */
export function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  return withServer(config, async (url) => {
    await ensureSchema(url)
    const database = openDatabase(url, { size: 4 })
    try {
      return await work(database)
    } finally {
      await closeDatabase(database)
    }
  })
}

async function ensureSchema(url: string) {
  const { applied, open, unknown } = await withClient(url, readSchema)
  if (unknown.length > 0) throw newerThanWe(unknown)
  if (open.length === 0) return
  if (applied.length > 0) {
    throw new Failure(
      409,
      `The database lacks migrations (${open.join(', ')}). Make a backup, then: npm run shop -- migrate`,
    )
  }
  await migrate(url)
}

export const newerThanWe = (unknown: string[]) =>
  new Failure(409, `The database is newer than this version of the shop (it knows ${unknown[0]}). Use the newer one.`)

export const objectsFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'objects')
export const openStorage = (config: Pick<Config, 'dataDir'>) => openDiskStorage(objectsFolder(config))
export const accountsFile = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'demo-accounts.json')
export const secretFile = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'secret')

/** The address customers use, as far as the settings tell. */
export const addressOf = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>) =>
  publicUrl ?? `http://localhost:${port}`
