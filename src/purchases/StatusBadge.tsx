import { Ban, Check, CircleDashed, Clock, type LucideIcon, Undo2, X } from 'lucide-react'
import { usd } from '../localisation/usd.rules.ts'
import { Badge } from '../ui/Badge.tsx'
import { type OrderStatus, ORDER_STATUSES } from '../orders/states.rules.ts'

const icons: Record<OrderStatus, LucideIcon> = { completed: Check, pending: Clock, failed: X, refunded: Undo2 }

function lookOf(status: string) {
  const look = status === 'taken back' ? 'refunded' : ORDER_STATUSES.find((one) => one === status)
  return { look, Icon: look ? icons[look] : status === 'canceled' ? Ban : CircleDashed }
}

export function StatusBadge({ status }: { status: string }) {
  const { look, Icon } = lookOf(status)
  return (
    <Badge look={look ?? 'neutral'} icon={<Icon className="icon" aria-hidden />} className="badge--status">
      {status}
    </Badge>
  )
}

export const PartRefundBadge = ({ status, cents }: { status: string; cents: number }) =>
  status === 'completed' &&
  cents > 0 && (
    <Badge look="refunded" icon={<Undo2 className="icon" aria-hidden />}>
      Partly refunded: {usd(cents)}
    </Badge>
  )

export const RefundAskedBadge = () => (
  <Badge look="pending" icon={<Clock className="icon" aria-hidden />}>
    Refund requested
  </Badge>
)

export function StatusIcon({ status }: { status: string }) {
  const { look, Icon } = lookOf(status)
  return (
    <span className={`order__icon ${look ? `order__icon--${look}` : ''}`} aria-hidden>
      <Icon className="icon" />
    </span>
  )
}
