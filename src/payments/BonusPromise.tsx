import { Gift } from 'lucide-react'
import { usd } from '../localisation/usd.rules.ts'
import { Note } from '../ui/Note.tsx'
import type { Bonus } from './credit.contract.ts'
import { bonusRule, bonusTitle } from './credit.rules.ts'

type BonusPromiseProps = { bonus: Bonus & { needsVerifiedEmail: boolean }; earnedCents?: number }

export const BonusPromise = ({ bonus, earnedCents }: BonusPromiseProps) => (
  <Note Icon={Gift} title={bonusTitle(bonus.percent)}>
    {earnedCents === 0 && 'This cart earns no bonus. '}
    {earnedCents !== undefined &&
      earnedCents > 0 &&
      `This order earns ${usd(earnedCents)}${bonus.needsVerifiedEmail ? ' if your email is verified' : ''}. `}
    {bonusRule(bonus)}
    {bonus.needsVerifiedEmail && ' Yours is not verified yet.'}
  </Note>
)
