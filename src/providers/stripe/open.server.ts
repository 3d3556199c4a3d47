import type { Config } from '../../kit/config.server.ts'
import type { OpenedProvider, ProviderContext } from '../openProvider.server.ts'
import type { Provider } from '../../payments/provider.ts'
import { createStripe } from './stripe.server.ts'
import type { StripeConfig } from './stripe.settings.server.ts'

export const openRealStripe = (
  { stripe }: Pick<Config & StripeConfig, 'stripe'>,
  publicUrl: string,
): Provider | null => (stripe ? createStripe({ ...stripe, publicUrl }) : null)

export async function openStripe(context: ProviderContext): Promise<OpenedProvider | null> {
  const { config, database, publicUrl, selfUrl } = context
  const real = openRealStripe(config, publicUrl)
  if (real) return { provider: real, routes: [], jobs: [], stop: async () => undefined }
  if (!config.isSandboxOn) return null
  const { openSandbox } = await import('../../../sandbox/stripe/sandbox.server.ts')
  const webhookUrl = `${selfUrl}/api/payments/stripe/webhook`
  const { routes, credentials, testWebhook, stop } = await openSandbox({ config, database, publicUrl, webhookUrl })
  const provider = createStripe({
    ...credentials,
    baseUrl: `${selfUrl}/sandbox/stripe`,
    mode: 'sandbox',
    sendTestEvent: testWebhook,
    publicUrl,
  })
  return { provider, routes, jobs: [], stop }
}
