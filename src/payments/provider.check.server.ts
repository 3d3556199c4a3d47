import { fail, type Finding, ok } from '../monitoring/health/finding.rules.ts'
import type { Provider } from './provider.ts'

/** Probes the provider that takes new payments. */
export async function checkProvider(
  provider: Pick<Provider, 'label' | 'mode' | 'credentials' | 'probe'>,
): Promise<Finding> {
  const { label, mode, credentials } = provider
  const probed = await provider.probe()
  if (probed === 'refused') return fail('payments', `${label} refuses the credentials`, `correct ${credentials}`)
  if (probed === 'away')
    return fail('payments', `${label} does not answer`, 'look at its status page; orders wait and nothing is lost')
  return ok('payments', mode === 'live' ? `${label} answers` : 'the sandbox answers; no real money')
}
