import { Check, ChevronDown, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { toCents } from '../kit/money.ts'
import { formatMoment } from '../localisation/dates.rules.ts'
import { usd } from '../localisation/usd.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import type { RiskCase } from './riskReview.contract.ts'
import { describeFacts, RESOLVED, RULE_LABELS, timeLeft } from './riskReview.rules.ts'

type RiskCaseCardProps = { held: RiskCase; now: number; onDecide: (isApproved: boolean) => void }

export function RiskCaseCard({ held, now, onDecide }: RiskCaseCardProps) {
  const { orderId, buyer, total, lines, score, reasons, facts, createdAt, endsAt, resolvedHow } = held
  const short = orderId.slice(-8)
  return (
    <article className="card stack" aria-label={`Order ${short}`}>
      <div className="row row--top row--between">
        <div className="grow wrap-anywhere">
          <h2 className="text-16">{buyer}</h2>
          <p className="muted small">
            <Link className="text-link" href={`/admin/orders/${orderId}`}>
              Order #<span className="mono">{short}</span>
            </Link>{' '}
            · {formatMoment(createdAt)}
          </p>
        </div>
        <strong className="money">{usd(toCents(total))}</strong>
      </div>
      <p className="small wrap-anywhere">
        {lines.map(({ title, quantity }) => (quantity > 1 ? `${quantity} × ${title}` : title)).join(', ')}
      </p>
      <ul className="row gap-2" aria-label="Reasons">
        <li>
          <Badge look="pending">Score {score}</Badge>
        </li>
        {reasons.map(({ rule, points }) => (
          <li key={rule}>
            <Badge>
              +{points} {RULE_LABELS[rule]}
            </Badge>
          </li>
        ))}
      </ul>
      <details className="panel">
        <summary>
          All facts
          <ChevronDown className="icon icon--sm" aria-hidden />
        </summary>
        <Pairs pairs={describeFacts(facts)} />
      </details>
      {resolvedHow ? (
        <p className="muted small">{RESOLVED[resolvedHow]}.</p>
      ) : (
        <>
          <p className="muted small num">
            Goes back to its buyer by itself in {timeLeft(Date.parse(endsAt) - now)} ({formatMoment(endsAt)}).
          </p>
          <div className="row">
            <Button tone="primary" icon={<Check className="icon" aria-hidden />} onClick={() => onDecide(true)}>
              Approve
            </Button>
            <Button tone="bad-line" icon={<Undo2 className="icon" aria-hidden />} onClick={() => onDecide(false)}>
              Refuse
            </Button>
          </div>
        </>
      )}
    </article>
  )
}

const Pairs = ({ pairs }: { pairs: [string, ReactNode][] }) => (
  <dl className="pairs">
    {pairs.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
