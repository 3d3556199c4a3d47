import { toCents } from '../../kit/money.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { Bonus } from '../credit.contract.ts'
import { anyOf, BONUS_HOLD_DAYS } from '../credit.rules.ts'
import { methodLabel } from '../methods.ts'

export const bonusTitle = (percent: number): string => `${percent}% bonus on the first purchase`

const noBonusWith = (methods: string[]) =>
  `A first purchase with ${anyOf(methods.map(methodLabel))} earns no bonus, and no later purchase earns one.`

export function bonusRule({ percent, cap, excluded, cash, anonymousMethods = [] }: Omit<Bonus, 'excludedIds'>): string {
  const what = new Intl.ListFormat('en').format([...excluded, 'anything paid with store credit'])
  return (
    `Get ${percent}% of its price back as store credit, up to ${usd(toCents(cap))}, as soon as it’s paid. Excludes ${what}. ` +
    'One per person, with a verified email. A refund takes back its share.' +
    (cash.length > 0 ? ` For ${BONUS_HOLD_DAYS} days it doesn’t pay for ${anyOf(cash)}.` : '') +
    (anonymousMethods.length > 0 ? ` ${noBonusWith(anonymousMethods)}` : '')
  )
}

type BonusPromiseInput = Pick<Bonus, 'cap' | 'anonymousMethods'> & { needsVerifiedEmail: boolean }

/** What the bonus brings, in one sentence; without `earnedCents` for any order. */
export function bonusGain(
  { cap, anonymousMethods, needsVerifiedEmail }: BonusPromiseInput,
  earnedCents?: number,
  method?: string,
) {
  if (method !== undefined && anonymousMethods?.includes(method)) return noBonusWith([method])
  if (earnedCents === 0) return 'This cart earns no bonus.'
  const gain =
    earnedCents === undefined
      ? `Up to ${usd(toCents(cap))} back as store credit`
      : `This order earns ${usd(earnedCents)}`
  return needsVerifiedEmail ? `${gain}, once your email is verified.` : `${gain}.`
}
