import { Badge } from '../ui/Badge.tsx'
import { RULE_LABELS } from './riskReview.rules.ts'
import type { Reason } from './score.rules.ts'

type RiskReasonsProps = { isPassed: boolean; verdict: string; reasons: Reason[] }

export const RiskReasons = ({ isPassed, verdict, reasons }: RiskReasonsProps) => (
  <ul className="row gap-2" aria-label="Reasons">
    <li>
      <Badge look={isPassed ? 'completed' : 'pending'}>{verdict}</Badge>
    </li>
    {reasons.map(({ rule, points }) => (
      <li key={rule}>
        <Badge>
          +{points} {RULE_LABELS[rule]}
        </Badge>
      </li>
    ))}
  </ul>
)
