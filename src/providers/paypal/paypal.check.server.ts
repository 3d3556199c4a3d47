import type { Config } from '../../kit/config.server.ts'
import { fail, type Finding, ok, warn } from '../../kit/health/finding.rules.ts'
import type { Provider } from '../../payments/provider.ts'
import { openRealPaypal } from './open.server.ts'
import type { PaypalConfig } from './paypal.settings.server.ts'

type Settings = Pick<Config & PaypalConfig, 'paypal' | 'isSandboxOn' | 'mode' | 'storeName' | 'publicUrl' | 'port'>

export async function checkPayment(
  config: Settings,
  provider: Pick<Provider, 'probe'> | null = openRealPaypal(
    config,
    config.publicUrl ?? `http://localhost:${config.port}`,
  ),
): Promise<Finding> {
  const isLive = config.mode === 'production'
  if (!config.paypal || !provider) {
    if (!config.isSandboxOn) return fail('payment', 'no provider', 'set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET')
    return warn('payment', 'the built-in sandbox; no real money', 'set PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET')
  }
  const { environment, webhookId } = config.paypal
  const probed = await provider.probe()
  if (probed === 'away')
    return fail('payment', `PayPal ${environment} does not answer`, 'let this machine reach it over https')
  if (probed === 'refused')
    return fail(
      'payment',
      `PayPal ${environment} refuses the credentials`,
      'correct PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PAYPAL_ENVIRONMENT',
    )
  if (!webhookId) {
    const says = 'no webhook: refunds and late captures that happen at PayPal do not reach the shop'
    return warn('payment', says, 'register PUBLIC_URL/api/payments/paypal/webhook there and set PAYPAL_WEBHOOK_ID')
  }
  if (isLive && environment !== 'live') {
    return warn(
      'payment',
      "PayPal's sandbox answers; no real money",
      'set PAYPAL_ENVIRONMENT=live with live credentials',
    )
  }
  return ok('payment', `PayPal ${environment} gives tokens, webhook ${webhookId}`)
}
