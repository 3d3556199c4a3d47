import { fail, type Finding, ok, warn } from '../monitoring/health/finding.rules.ts'
import type { Provider } from './provider.ts'

/** Probes the provider that takes new payments. */
export async function checkProvider(
  provider: Pick<Provider, 'label' | 'mode' | 'credentials' | 'probe' | 'canVerifyEvents'>,
): Promise<Finding> {
  const { label, mode, credentials } = provider
  const probed = await provider.probe()
  if (probed === 'refused') return fail('payments', `${label} refuses the credentials`, `correct ${credentials}`)
  if (probed === 'away')
    return fail('payments', `${label} does not answer`, 'look at its status page; orders wait and nothing is lost')
  if (mode !== 'live') return warn('payments', 'a sandbox; no real money', `set ${credentials} for live payments`)
  if (!provider.canVerifyEvents)
    return warn(
      'payments',
      'refunds made at the provider do not reach the shop',
      'register the webhook of Settings there',
    )
  return ok('payments', `${label} answers`)
}
