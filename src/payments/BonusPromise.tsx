import { Gift } from 'lucide-react'
import type { Bonus } from './credit.contract.ts'
import { bonusRule, bonusTitle } from './credit.rules.ts'

/** The bonus of a first purchase, with its rule. */
export const BonusPromise = ({ bonus }: { bonus: Bonus & { needsVerifiedEmail: boolean } }) => (
  <p className="secure">
    <Gift className="icon" aria-hidden />
    <span>
      <b>{bonusTitle(bonus.percent)}</b>
      {bonusRule(bonus)}
      {bonus.needsVerifiedEmail && ' Yours is not verified yet.'}
    </span>
  </p>
)
