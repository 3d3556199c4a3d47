import type { Config } from '../../kit/config.server.ts'
import { fail, type Finding, ok, warn } from '../../kit/health/finding.rules.ts'
import type { Provider } from '../../payments/provider.ts'
import { openRealStripe } from './open.server.ts'
import type { StripeConfig } from './stripe.settings.server.ts'

export async function checkStripe(
  config: Pick<Config & StripeConfig, 'stripe' | 'mode' | 'publicUrl'>,
  provider: Pick<Provider, 'probe'> | null = openRealStripe(config, config.publicUrl ?? ''),
): Promise<Finding | null> {
  if (!config.stripe || !provider) return null
  const probed = await provider.probe()
  if (probed === 'away') return fail('cards', 'Stripe does not answer', 'let this machine reach it over https')
  if (probed === 'refused') return fail('cards', 'Stripe refuses the key', 'correct STRIPE_SECRET_KEY')
  if (config.mode === 'production' && config.stripe.mode === 'sandbox')
    return warn('cards', "Stripe's test mode answers; no real money", 'set STRIPE_SECRET_KEY to a live key')
  return ok('cards', `Stripe answers, ${config.stripe.mode === 'live' ? 'live' : 'test mode'}`)
}
