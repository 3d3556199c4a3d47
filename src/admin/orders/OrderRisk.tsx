import { formatMoment } from '../../localisation/dates.rules.ts'
import { DECISION_LABELS, RESOLVED, RULE_LABELS } from '../../risk/riskReview.rules.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { OrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'

export const OrderRisk = ({ risk }: Pick<OrderFile, 'risk'>) => (
  <OrderPart title="Risk">
    {risk ? (
      <div className="card stack gap-2">
        <ul className="row gap-2" aria-label="Reasons">
          <li>
            <Badge look={risk.decision === 'allow' ? 'completed' : 'pending'}>
              {DECISION_LABELS[risk.decision]}, score {risk.score}
            </Badge>
          </li>
          {risk.reasons.map(({ rule, points }) => (
            <li key={rule}>
              <Badge>
                +{points} {RULE_LABELS[rule]}
              </Badge>
            </li>
          ))}
        </ul>
        {risk.hold && (
          <p className="small">
            {risk.hold.resolvedHow
              ? `${RESOLVED[risk.hold.resolvedHow]}.`
              : `Waits for a second look until ${formatMoment(risk.hold.endsAt)}.`}
          </p>
        )}
      </div>
    ) : (
      <p className="card muted">It was not judged.</p>
    )}
  </OrderPart>
)
