import { Gift } from 'lucide-react'
import { Note } from '../ui/Note.tsx'
import type { Bonus } from './credit.contract.ts'
import { bonusRule, bonusTitle } from './credit.rules.ts'

/** The bonus of a first purchase, with its rule. */
export const BonusPromise = ({ bonus }: { bonus: Bonus & { needsVerifiedEmail: boolean } }) => (
  <Note Icon={Gift} title={bonusTitle(bonus.percent)}>
    {bonusRule(bonus)}
    {bonus.needsVerifiedEmail && ' Yours is not verified yet.'}
  </Note>
)
