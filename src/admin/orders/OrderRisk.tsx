import { formatMoment } from '../../localisation/dates.rules.ts'
import { RiskReasons } from '../../risk/RiskReasons.tsx'
import { DECISION_LABELS, RESOLVED } from '../../risk/riskReview.rules.ts'
import type { OrderFile } from './adminOrders.contract.ts'
import { OrderPart } from './OrderPart.tsx'

export const OrderRisk = ({ risk }: Pick<OrderFile, 'risk'>) => (
  <OrderPart title="Risk">
    {risk ? (
      <div className="card stack gap-2">
        <RiskReasons
          isPassed={risk.decision === 'allow'}
          verdict={`${DECISION_LABELS[risk.decision]}, score ${risk.score}`}
          reasons={risk.reasons}
        />
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
