import type { Config } from '../kit/config.server.ts'
import type { PaypalConfig } from './paypal/paypal.settings.server.ts'
import type { Database } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import type { Route } from '../kit/handle.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { createPaypal, type Paypal } from './paypal/client.server.ts'

const HOSTS = {
  live: {
    api: 'https://api-m.paypal.com',
    script: 'https://www.paypal.com/web-sdk/v6/core',
    certificates: ['https://api.paypal.com', 'https://api-m.paypal.com'],
  },
  sandbox: {
    api: 'https://api-m.sandbox.paypal.com',
    script: 'https://www.sandbox.paypal.com/web-sdk/v6/core',
    certificates: ['https://api.sandbox.paypal.com', 'https://api-m.sandbox.paypal.com'],
  },
}
const CERTIFICATES = '/v1/notifications/certs/'
const PROVIDER_HOSTS = ['https://*.paypal.com', 'https://*.paypalobjects.com']

export type Provider = {
  paypal: Paypal
  scriptUrl: string
  /** Sends the webhook a test event; null where only the provider could. */
  testWebhook: (() => Promise<{ eventId: string; answer: string | null }>) | null
  /** The hosts that the content security policy must let in. */
  policy: { scripts: string[]; connects: string[]; frames: string[] }
  routes: Route[]
  jobs: Job[]
  stop: () => Promise<void>
}

/** The client of the real provider, or null when its credentials are not set. */
export function openPaypal({
  config,
  publicUrl,
}: {
  config: Pick<Config & PaypalConfig, 'paypal' | 'storeName'>
  publicUrl: string
}): Paypal | null {
  if (!config.paypal) return null
  const { environment: mode, ...credentials } = config.paypal
  const certificates = HOSTS[mode].certificates.map((host) => ({
    named: host + CERTIFICATES,
    reached: host + CERTIFICATES,
  }))
  const { storeName } = config
  return createPaypal({ ...credentials, certificates, storeName, publicUrl, baseUrl: HOSTS[mode].api, mode })
}

/**
 * The payment provider: the real one when its credentials are set, otherwise the built-in sandbox, which speaks the same
 * wire format to the same client. `selfUrl` is where this process reaches itself.
 */
export async function openProvider({
  config,
  database,
  publicUrl,
  selfUrl,
}: {
  config: Config & PaypalConfig
  database: Database
  publicUrl: string
  selfUrl: string
}): Promise<Provider> {
  const real = openPaypal({ config, publicUrl })
  if (real) {
    const policy = { scripts: PROVIDER_HOSTS, connects: PROVIDER_HOSTS, frames: PROVIDER_HOSTS }
    return {
      paypal: real,
      scriptUrl: HOSTS[real.mode].script,
      testWebhook: null,
      policy,
      routes: [],
      jobs: [],
      stop: async () => undefined,
    }
  }
  if (!config.isSandboxOn) {
    throw new Failure(
      500,
      'PAYPAL_CLIENT_ID: not set; give it with PAYPAL_CLIENT_SECRET, or PAYMENTS_SANDBOX=1 to try the shop without real money.',
    )
  }
  const { openSandbox } = await import('../../sandbox/paypal/sandbox.server.ts')
  const sandbox = await openSandbox({
    config,
    database,
    publicUrl,
    webhookUrl: `${selfUrl}/api/payments/paypal/webhook`,
  })
  const baseUrl = `${selfUrl}/sandbox/paypal`
  const paypal = createPaypal({
    ...sandbox.credentials,
    certificates: [{ named: `${publicUrl}/sandbox/paypal${CERTIFICATES}`, reached: baseUrl + CERTIFICATES }],
    storeName: config.storeName,
    publicUrl,
    baseUrl,
    mode: 'sandbox',
  })
  return {
    paypal,
    scriptUrl: '/sandbox/paypal/web-sdk/v6/core',
    policy: { scripts: [], connects: [], frames: ["'self'"] },
    testWebhook: sandbox.testWebhook,
    routes: sandbox.routes,
    jobs: sandbox.jobs ?? [],
    stop: sandbox.stop,
  }
}
