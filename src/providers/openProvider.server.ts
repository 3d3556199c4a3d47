import type { Config } from '../kit/config.server.ts'
import type { Database } from '../kit/database.server.ts'
import type { Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import type { PaypalConfig } from './paypal/paypal.settings.server.ts'
import type { Provider } from '../payments/provider.ts'
import type { StripeConfig } from './stripe/stripe.settings.server.ts'
import type { UsdcConfig } from './usdc/usdc.settings.server.ts'

export type OpenedProvider = { provider: Provider; routes: Route[]; jobs: Job[]; stop: () => Promise<void> }

export type ProviderContext = {
  config: Config & PaypalConfig & StripeConfig & UsdcConfig
  database: Database
  publicUrl: string
  selfUrl: string
}
export type OpenProvider = (context: ProviderContext) => Promise<OpenedProvider | null>
