import type { Db } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { codeRoutes } from './codes/codes.server.ts'
import { stockRoutes } from './codes/stock.server.ts'
import { findNewest, stockJobs } from './codes/stock.store.server.ts'
import { type CodeVault, openCodes } from './codes/vault.server.ts'
import type { CodeSecrets } from './delivery.settings.server.ts'
import { waitJobs, waitRoutes } from './codes/waits.server.ts'
import { downloadRoutes } from './files/downloads.server.ts'
import { versionJobs } from './files/version.mail.server.ts'
import { type LicenseOptions, licenseRoutes } from './licenses/licenses.server.ts'
import { libraryRoutes } from './library/library.server.ts'

type DeliveryOptions = LicenseOptions & { storage: Storage; vault: CodeVault }

/** The vault of the codes. A wrong secret is logged at the start, before a buyer meets it. */
export async function openVault(db: Db, config: CodeSecrets, secret: string): Promise<CodeVault> {
  const vault = openCodes(config, secret)
  const newest = await findNewest(db)
  try {
    if (newest) vault.open(newest)
  } catch (error) {
    log.error('the codes for sale do not open: give CODES_SECRET and FORMER_CODES_SECRET as they were', { error })
  }
  return vault
}

export const deliveryRoutes = ({ storage, secret, vault, ...options }: DeliveryOptions): Route[] => [
  ...downloadRoutes({ storage, secret }),
  ...codeRoutes(vault),
  ...stockRoutes(vault),
  ...waitRoutes,
  ...licenseRoutes({ secret, ...options }),
  ...libraryRoutes,
]

export const deliveryJobs = (mailing: Parameters<typeof versionJobs>[0]): Job[] => [
  ...versionJobs(mailing),
  ...stockJobs(mailing.db),
  ...waitJobs(mailing.db, mailing),
]
