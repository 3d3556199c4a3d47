import type { Config } from '../../kit/config.server.ts'
import type { Provider } from '../../payments/provider.ts'
import type { OpenedProvider, ProviderContext } from '../openProvider.server.ts'
import type { PaypalConfig } from './paypal.settings.server.ts'
import { createPaypal } from './paypal.server.ts'

const ADDRESSES = {
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
const HOSTS = ['https://*.paypal.com', 'https://*.paypalobjects.com']

export function openRealPaypal(
  { paypal, storeName }: Pick<Config & PaypalConfig, 'paypal' | 'storeName'>,
  publicUrl: string,
): Provider | null {
  if (!paypal) return null
  const { environment: mode, ...credentials } = paypal
  const { api: baseUrl, script: scriptUrl, certificates } = ADDRESSES[mode]
  return createPaypal({
    ...credentials,
    baseUrl,
    scriptUrl,
    certificates: certificates.map((host) => ({ named: host + CERTIFICATES, reached: host + CERTIFICATES })),
    mode,
    hosts: { scripts: HOSTS, connects: HOSTS, frames: HOSTS },
    storeName,
    publicUrl,
  })
}

/** Opens the real service, the built-in sandbox, or nothing, depending on the settings. */
export async function openPaypal(context: ProviderContext): Promise<OpenedProvider | null> {
  const { config, database, publicUrl, selfUrl } = context
  const real = openRealPaypal(config, publicUrl)
  if (real) return { provider: real, routes: [], jobs: [], stop: async () => undefined }
  if (!config.isSandboxOn) return null
  const webhookUrl = `${selfUrl}/api/payments/paypal/webhook`
  const { openSandbox } = await import('../../../sandbox/paypal/sandbox.server.ts')
  const sandbox = await openSandbox({ config, database, publicUrl, webhookUrl })
  const baseUrl = `${selfUrl}/sandbox/paypal`
  const provider = createPaypal({
    ...sandbox.credentials,
    baseUrl,
    scriptUrl: '/sandbox/paypal/web-sdk/v6/core',
    certificates: [{ named: `${publicUrl}/sandbox/paypal${CERTIFICATES}`, reached: baseUrl + CERTIFICATES }],
    mode: 'sandbox',
    hosts: { scripts: [], connects: [], frames: ["'self'"] },
    sendTestEvent: sandbox.testWebhook,
    storeName: config.storeName,
    publicUrl,
  })
  const { routes, jobs, stop } = sandbox
  return { provider, routes, jobs, stop }
}
