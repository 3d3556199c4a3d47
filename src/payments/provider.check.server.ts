import { fail, type Finding, ok, warn } from '../kit/health/finding.rules.ts'
import type { Provider } from './provider.ts'
import { firstOf } from '../kit/values/required.ts'

type Checked = Pick<Provider, 'label' | 'mode' | 'credentials' | 'probe' | 'canVerifyEvents'>

export async function checkProviders(providers: Checked[]): Promise<Finding> {
  const findings = await Promise.all(providers.map(checkProvider))
  const graded = (grade: Finding['grade']) => findings.find((finding) => finding.grade === grade)
  return graded('fail') ?? graded('warn') ?? firstOf(findings)
}

async function checkProvider(provider: Checked): Promise<Finding> {
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
