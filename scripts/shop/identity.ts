import { type Identity, openIdentity } from '../../src/identity/identity.server.ts'
import type { Bus } from '../../src/kit/bus.server.ts'
import { readSecret } from '../../src/kit/config.server.ts'
import type { Config } from '../../src/app/settings.server.ts'
import type { Database } from '../../src/kit/database.server.ts'
import { addressOf } from './connection.ts'

// a command remembers nothing, so it needs no news
const noNews: Bus = { listen: async () => undefined, isUp: () => false, close: async () => undefined }

/** The identity room as a command needs it; cookies are those of the running shop. */
export const openAccounts = (config: Config, database: Database): Promise<Identity> =>
  openIdentity({ config, database, bus: noNews, secret: readSecret(config), publicUrl: addressOf(config) })
