import type { Config } from '../../kit/config.server.ts'
import type { Route } from '../../kit/handle.server.ts'
import type { SharedLimiter } from '../../kit/serve/sharedLimit.server.ts'
import { licenseApiRoutes } from './licenseApi.server.ts'
import { ownedLicenseRoutes } from './ownedLicense.server.ts'
import { soldLicensesRoutes } from './soldLicenses.server.ts'
import { openLicenseVault } from './vault.server.ts'

export type LicenseOptions = {
  secret: string
  limiter: Pick<SharedLimiter, 'take'>
  config: Pick<Config, 'storeName'>
  publicUrl: string
}

export function licenseRoutes({ secret, limiter, config, publicUrl }: LicenseOptions): Route[] {
  const vault = openLicenseVault(secret)
  return [
    ...licenseApiRoutes({ vault, limiter }),
    ...ownedLicenseRoutes({ vault }),
    ...soldLicensesRoutes({ vault, limiter, config, publicUrl }),
  ]
}
