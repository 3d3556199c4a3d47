import type { Db } from '../kit/database.server.ts'
import { operatorFailure } from '../kit/failure.ts'
import type { Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { codeRoutes } from './codes/codes.server.ts'
import { stockRoutes } from './codes/stock.server.ts'
import { findSamples, stockJobs, voidUnreadable } from './codes/stock.store.server.ts'
import { type CodeVault, openCodes, SealedOtherwise } from './codes/vault.server.ts'
import { courseRoutes } from './courses/courses.server.ts'
import type { CodeSecrets } from './delivery.settings.server.ts'
import { waitJobs, waitRoutes } from './codes/waits.server.ts'
import { downloadRoutes } from './files/downloads.server.ts'
import { versionJobs } from './files/version.mail.server.ts'
import { type LicenseOptions, licenseRoutes } from './licenses/licenses.server.ts'
import { libraryRoutes } from './library/library.server.ts'
import { readingRoutes } from './reading/reading.server.ts'
import type { Stamps } from './stamp/stamps.server.ts'

type DeliveryOptions = LicenseOptions & { storage: Storage; stamps: Stamps; vault: CodeVault }

/**
 * Opens the vault of the codes. Throws if stored codes cannot be decrypted, before a buyer pays for one. With
 * LOST_CODES their secret is lost, so codes for sale are withdrawn.
 */
export async function openVault(
  db: Db,
  config: CodeSecrets & { hasLostCodes: boolean },
  secret: string,
): Promise<CodeVault> {
  const vault = openCodes(config, secret)
  if (config.hasLostCodes) {
    const withdrawn = await voidUnreadable(db, vault.marks)
    if (withdrawn > 0) log.warn('codes that no secret opens were withdrawn', { codes: withdrawn })
    return vault
  }
  try {
    for (const sample of await findSamples(db, vault.marks)) vault.open(sample)
  } catch (error) {
    if (!(error instanceof SealedOtherwise)) throw error
    throw operatorFailure(
      'CODES_SECRET: codes in the database are sealed under another secret (without CODES_SECRET, under SECRET). Give that one as CODES_SECRET; to change it, as FORMER_CODES_SECRET beside the new one, and run `npm run shop -- codes rotate`. If it is lost for good, LOST_CODES=on withdraws those codes.',
    )
  }
  return vault
}

export const deliveryRoutes = ({ storage, stamps, secret, vault, ...options }: DeliveryOptions): Route[] => [
  ...downloadRoutes({ storage, stamps, secret }),
  ...codeRoutes(vault),
  ...stockRoutes(vault),
  ...waitRoutes,
  ...licenseRoutes({ secret, ...options }),
  ...courseRoutes({ storage, ...options }),
  ...readingRoutes({ secret }),
  ...libraryRoutes,
]

export const deliveryJobs = (mailing: Parameters<typeof versionJobs>[0]): Job[] => [
  ...versionJobs(mailing),
  ...stockJobs(mailing.db),
  ...waitJobs(mailing.db, mailing),
]
