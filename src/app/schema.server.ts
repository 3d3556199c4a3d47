import { closeDatabase, openDatabase } from '../kit/database.server.ts'
import { migrate } from '../kit/schema/migrate.server.ts'
import type { Addresses } from '../kit/schema/roles.server.ts'
import type { Config } from './settings.server.ts'

/** Migrates as the owner of the tables and lets the shop's role use them. Returns the applied migrations. */
export async function prepareSchema({ isSandboxOn }: Pick<Config, 'isSandboxOn'>, { url, ownerUrl }: Addresses) {
  // with one role the stand-ins create their tables themselves
  if (isSandboxOn && url !== ownerUrl) {
    const { ensureSchema } = await import('../../sandbox/store.server.ts')
    const owner = openDatabase(ownerUrl, { size: 1 })
    await ensureSchema((text) => owner.pool.query(text)).finally(() => closeDatabase(owner))
  }
  return migrate(ownerUrl, { shopUrl: url })
}
