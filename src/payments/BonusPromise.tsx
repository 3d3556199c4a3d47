import { Gift } from 'lucide-react'
import type { Bonus } from './credit.contract.ts'
import { bonusRule, bonusTitle } from './credit.rules.ts'

/** What a first purchase earns, with its rule; for those who have not made it. */
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
