import { closeDatabase, openDatabase } from '../kit/database.server.ts'
import { migrate } from '../kit/schema/migrate.server.ts'
import type { Addresses } from '../kit/schema/roles.server.ts'
import type { Config } from './settings.server.ts'

/** Migrates as the owner of the tables and grants access to the shop's role. Returns the applied migrations. */
export async function prepareSchema({ isSandboxOn }: Pick<Config, 'isSandboxOn'>, { url, ownerUrl }: Addresses) {
  // If the role is the owner, the sandboxes create their tables themselves.
  if (isSandboxOn && url !== ownerUrl) {
    const { ensureSchema } = await import('../../sandbox/store.server.ts')
    const owner = openDatabase(ownerUrl, { size: 1 })
    await ensureSchema((text) => owner.pool.query(text)).finally(() => closeDatabase(owner))
  }
  return migrate(ownerUrl, { shopUrl: url })
}
