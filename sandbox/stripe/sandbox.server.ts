import type { Config } from '../../src/kit/config.server.ts'
import type { PaypalConfig } from '../../src/providers/paypal/paypal.settings.server.ts'
import type { StripeConfig } from '../../src/providers/stripe/stripe.settings.server.ts'
import type { Database } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import type { Route } from '../../src/kit/handle.server.ts'
import { startDeliveries } from '../deliveries.server.ts'
import { openFaults } from '../faults.server.ts'
import { ensureSchema } from '../store.server.ts'
import { ROOT, type Sandbox } from './call.server.ts'
import { cardRoutes } from './cards.server.ts'
import { chargeRoutes } from './charges.server.ts'
import { disputeRoutes } from './disputes.server.ts'
import { eventRoutes, sendTestEvent } from './events.server.ts'
import { intentRoutes } from './intents.server.ts'
import { openKeys, signEvent } from './keys.server.ts'
import { pageRoutes } from './page.server.ts'
import { refundRoutes } from './refunds.server.ts'
import { sessionRoutes } from './sessions.server.ts'
import { testRoutes } from './testRoutes.server.ts'

// Simulates Stripe with its wire format, so that development and tests use Stripe's library as production does.

type SandboxOptions = {
  config: Pick<Config & PaypalConfig & StripeConfig, 'mode' | 'isSandboxOn' | 'stripe' | 'storeName'>
  database: Database
  publicUrl: string
  webhookUrl: string
}

export async function openSandbox({ config, database, publicUrl, webhookUrl }: SandboxOptions) {
  if (config.stripe || !config.isSandboxOn) {
    throw new Failure(
      500,
      'PAYMENTS_SANDBOX: the payment sandbox does not run beside live credentials, nor in production unless set to 1.',
    )
  }
  const { pool } = database
  await ensureSchema((text) => pool.query(text))
  const [keys, faults] = await Promise.all([openKeys(pool), openFaults(pool, 'stripe_faults')])
  const sign = async (body: string) => signEvent(keys, body)
  const deliveries = startDeliveries({ pool, idPrefix: 'evt_', faults, webhookUrl, sign })
  const { storeName, mode } = config
  const base = publicUrl + ROOT
  const sandbox: Sandbox = { pool, keys, faults, storeName, base, wakeDeliveries: deliveries.wake }
  const routes: Route[] = [
    ...sessionRoutes(sandbox),
    ...intentRoutes(sandbox),
    ...chargeRoutes(sandbox),
    ...refundRoutes(sandbox),
    ...cardRoutes(sandbox),
    ...disputeRoutes(sandbox),
    ...eventRoutes(sandbox),
    ...pageRoutes(sandbox),
    ...testRoutes(sandbox, mode === 'production'),
  ]
  return { routes, credentials: keys, testWebhook: () => sendTestEvent(sandbox), stop: deliveries.stop }
}
