import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../../src/app/settings.server.ts'
import type { Database, Db, Tx } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { handleRaw, type Route } from '../../src/kit/handle.server.ts'
import type { Job } from '../../src/kit/jobs.server.ts'
import { browserRoutes } from './browser.server.ts'
import { dropConnection, type Sandbox } from './call.server.ts'
import { startDeliveries } from './deliveries.server.ts'
import { doorRoutes } from './doors.server.ts'
import { openFaults } from './faults.server.ts'
import { openKeys } from './keys.server.ts'
import { notificationRoutes } from './notifications.server.ts'
import { orderRoutes } from './orders.server.ts'
import { rehearseWebhook } from './testEvent.server.ts'
import { refundRoutes } from './refunds.server.ts'
import { ensureSchema } from '../schema.server.ts'
import { answerTokenCall } from './tokens.server.ts'
import { vaultRoutes } from './vault.server.ts'
import { nowText, type PaymentToken } from './wire.server.ts'

// The payment provider for those who have none: its wire format over our own books, so that the shop's client and its
// tests are the ones that production uses.

export type SandboxOptions = {
  config: Pick<Config, 'mode' | 'isSandboxOn' | 'paypal' | 'storeName'>
  database: Database
  /** The shop's address as customers know it; the provider's links and its certificate are there. */
  publicUrl: string
  /** Where events go. */
  webhookUrl: string
}

/**
 * Opens the sandbox on the books in the database: what it knew before a restart it still knows. Throws a Failure when the
 * settings do not allow it. `stop` ends the deliveries of webhooks.
 */
export async function openSandbox({ config, database, publicUrl, webhookUrl }: SandboxOptions) {
  if (config.paypal || !config.isSandboxOn) {
    throw new Failure(
      500,
      'PAYMENTS_SANDBOX: the payment sandbox does not run beside live credentials, nor in production unless set to 1.',
    )
  }
  const { pool } = database
  await ensureSchema((text) => pool.query(text))
  const [keys, faults] = await Promise.all([openKeys(pool), openFaults(pool)])
  const base = `${publicUrl}/sandbox/paypal`
  const deliveries = startDeliveries({ pool, keys, faults, base, webhookUrl })
  const { storeName, mode } = config
  const sandbox: Sandbox = { pool, keys, faults, storeName, base, wakeDeliveries: deliveries.wake }
  const routes: Route[] = [
    tokenRoute(sandbox),
    ...orderRoutes(sandbox),
    ...refundRoutes(sandbox),
    ...vaultRoutes(sandbox),
    ...notificationRoutes(sandbox),
    ...browserRoutes(sandbox),
    ...doorRoutes(sandbox, mode === 'production'),
  ]
  const { clientId, clientSecret, webhookId } = keys
  return {
    routes,
    jobs: [forgetJob(pool)],
    credentials: { clientId, clientSecret, webhookId },
    testWebhook: () => rehearseWebhook(sandbox),
    stop: deliveries.stop,
  }
}

/** The provider forgets request ids after hours and events after a month, and so do we. */
const forgetJob = (pool: Database['pool']): Job => ({
  name: 'sandbox_forget',
  cron: '23 4 * * *',
  run: async () => {
    await pool.query(`DELETE FROM sandbox.replays WHERE created_at < now() - interval '1 day'`)
    await pool.query(`DELETE FROM sandbox.events WHERE created_at < now() - interval '30 days'`)
  },
})

function tokenRoute({ keys, faults }: Sandbox): Route {
  return handleRaw(
    'POST /sandbox/paypal/v1/oauth2/token',
    {
      access: 'public',
      about: "A token for the shop's server, or one for its pages.",
      body: 'bytes',
      bodyLimit: 8192,
      isFromBrowser: false,
    },
    async (page) => {
      const fault = faults.roll('error', 'lost')
      if (fault === 'lost') dropConnection(page)
      if (fault === 'error') {
        const body = JSON.stringify({ error: 'server_error', error_description: 'Internal server error' })
        return { status: 503, headers: { 'content-type': 'application/json' }, body }
      }
      return answerTokenCall(keys, page)
    },
  )
}

/** Puts a wallet into the vault as if its owner had saved it; the same e-mail address has the same wallet. */
export async function saveSandboxWallet(
  db: Db | Tx,
  { email }: { email: string },
): Promise<{ vaultId: string; label: string }> {
  const mark = createHash('sha256').update(email.toLowerCase()).digest('hex')
  const token: PaymentToken = {
    id: mark.slice(0, 16),
    customerId: `customer_${mark.slice(16, 26)}`,
    payer: { email, payerId: mark.slice(26, 39).toUpperCase() },
    createTime: nowText(),
  }
  // seeding may run before the sandbox has opened on this database
  await ensureSchema((text) => sql.raw(text).execute(db))
  await sql`INSERT INTO sandbox.records (kind, id, body) VALUES ('payment_token', ${token.id}, ${JSON.stringify(token)}::json)
    ON CONFLICT DO NOTHING`.execute(db)
  return { vaultId: token.id, label: email }
}
