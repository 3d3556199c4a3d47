import { type Identity, openIdentity } from '../../src/identity/identity.server.ts'
import type { Bus } from '../../src/kit/bus.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import type { Database } from '../../src/kit/database.server.ts'
import { addressOf } from './connection.ts'

// A command caches nothing, so it needs no invalidation.
const noBus: Bus = { listen: async () => undefined, isUp: () => false, close: async () => undefined }

/** Opens the identity room with the secret and address of the running shop, so that its cookies are valid there. */
export const openAccounts = (config: Config, database: Database): Promise<Identity> =>
  openIdentity({ config, database, bus: noBus, secret: readSecret(config), publicUrl: addressOf(config) })
