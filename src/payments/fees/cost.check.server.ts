import { usd } from '../../localisation/usd.rules.ts'
import { type Finding, warn } from '../../kit/health/finding.rules.ts'
import { type FeeTerms, feeOf, toPercent } from '../fee.rules.ts'
import type { Provider } from '../provider.ts'
import { required } from '../../kit/values/required.ts'

const SALE_CENTS = 1000

const costOf = (cents: number, { basisPoints, fixedCents }: FeeTerms): number =>
  Math.ceil((cents * basisPoints) / 10_000) + fixedCents

/** Compares the shop's fee with those of live providers for a sale of $10. Null if it covers all of them. */
export function checkCost(
  providers: Pick<Provider, 'label' | 'mode' | 'cost'>[],
  { fee }: { fee: FeeTerms },
): Finding | null {
  const earned = feeOf(SALE_CENTS, fee)
  const dear = providers.find(({ mode, cost }) => mode === 'live' && cost && costOf(SALE_CENTS, cost) > earned)
  if (!dear) return null
  const { basisPoints, fixedCents } = required(dear.cost, 'the fee of the provider')
  const sums = `a sale of ${usd(SALE_CENTS)} earns the shop ${usd(earned)}, and ${dear.label} takes about ${usd(costOf(SALE_CENTS, required(dear.cost, 'the fee of the provider')))} of it`
  return warn(
    'fees',
    sums,
    `raise FEE_PERCENT and FEE_CENTS; ${dear.label} lists ${toPercent(basisPoints)} % and ${fixedCents} cents a payment in the US, and your contract may differ`,
  )
}
