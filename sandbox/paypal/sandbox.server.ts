import type { Config } from '../../src/kit/config.server.ts'
import type { PaypalConfig } from '../../src/providers/paypal/paypal.settings.server.ts'
import type { Database } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import type { Route } from '../../src/kit/handle.server.ts'
import type { Job } from '../../src/kit/jobs.server.ts'
import { startDeliveries } from '../deliveries.server.ts'
import { openFaults } from '../faults.server.ts'
import { ensureSchema, removeExpired } from '../store.server.ts'
import { ROOT, type Sandbox } from './call.server.ts'
import { disputeRoutes } from './disputes.server.ts'
import { eventRoutes, sendTestEvent } from './events.server.ts'
import { openKeys, signEvent } from './keys.server.ts'
import { orderRoutes } from './orders.server.ts'
import { payoutRoutes } from './payouts.server.ts'
import { popupRoutes } from './popup.server.ts'
import { refundRoutes } from './refunds.server.ts'
import { reportingRoutes } from './reporting.server.ts'
import { setupRoutes } from './setups.server.ts'
import { testRoutes } from './testRoutes.server.ts'
import { tokenRoutes } from './tokens.server.ts'
import { walletRoutes } from './wallets.server.ts'

// Simulates PayPal with its wire format, so that development and tests use the production client.

type SandboxOptions = {
  config: Pick<Config & PaypalConfig, 'mode' | 'isSandboxOn' | 'paypal' | 'storeName'>
  database: Database
  publicUrl: string
  webhookUrl: string
}

export async function openSandbox({ config, database, publicUrl, webhookUrl }: SandboxOptions) {
  if (config.paypal || !config.isSandboxOn) {
    throw new Failure(
      500,
      'PAYMENTS_SANDBOX: the payment sandbox does not run beside live credentials, nor in production unless set to 1.',
    )
  }
  const { pool } = database
  await ensureSchema((text) => pool.query(text))
  const [keys, faults] = await Promise.all([openKeys(pool), openFaults(pool, 'faults')])
  const base = publicUrl + ROOT
  const sign = (body: string) => signEvent(keys, base, body)
  const deliveries = startDeliveries({ pool, idPrefix: 'WH-', faults, webhookUrl, sign })
  const { storeName, mode } = config
  const sandbox: Sandbox = { pool, keys, faults, storeName, base, wakeDeliveries: deliveries.wake }
  const routes: Route[] = [
    ...tokenRoutes(sandbox),
    ...orderRoutes(sandbox),
    ...refundRoutes(sandbox),
    ...disputeRoutes(sandbox),
    ...walletRoutes(sandbox),
    ...setupRoutes(sandbox),
    ...payoutRoutes(sandbox),
    ...reportingRoutes(sandbox),
    ...eventRoutes(sandbox),
    ...popupRoutes(sandbox),
    ...testRoutes(sandbox, mode === 'production'),
  ]
  const forget: Job = { name: 'sandbox_forget', pool: 'other', cron: '23 4 * * *', run: () => removeExpired(pool) }
  const { clientId, clientSecret, webhookId } = keys
  return {
    routes,
    jobs: [forget],
    credentials: { clientId, clientSecret, webhookId },
    testWebhook: () => sendTestEvent(sandbox),
    stop: deliveries.stop,
  }
}
