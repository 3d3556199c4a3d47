import './bonus.css'
import { Gift } from 'lucide-react'
import { Note } from '../ui/Note.tsx'
import type { Bonus } from './credit.contract.ts'
import { bonusGain, bonusRule, bonusTitle } from './bonus/promise.rules.ts'

type BonusPromiseProps = {
  bonus: Bonus & { needsVerifiedEmail: boolean }
  earnedCents?: number
  method?: string | undefined
}

export const BonusPromise = ({ bonus, earnedCents, method }: BonusPromiseProps) => (
  <div>
    <Note Icon={Gift} title={bonusTitle(bonus.percent)}>
      {bonusGain(bonus, earnedCents, method)}
    </Note>
    <details className="conditions">
      <summary>Conditions</summary>
      <p>{bonusRule(bonus)}</p>
    </details>
  </div>
)
