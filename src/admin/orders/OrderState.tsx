import { Clock } from 'lucide-react'
import { toCents } from '../../kit/money.ts'
import { PartRefundBadge, StatusBadge } from '../../purchases/StatusBadge.tsx'
import { Badge } from '../../ui/Badge.tsx'
import type { FoundOrder } from './adminOrders.contract.ts'
import { WAIT_TEXTS } from './orderWords.rules.ts'

/** The status of an order, with badges for the pending steps. */
export const OrderState = ({ order: { status, refunded, waits } }: { order: FoundOrder }) => (
  <>
    <StatusBadge status={status} />
    <PartRefundBadge status={status} cents={toCents(refunded)} />
    {waits.map((wait) => (
      <Badge key={wait} look="pending" icon={<Clock className="icon" aria-hidden />}>
        {WAIT_TEXTS[wait]}
      </Badge>
    ))}
  </>
)
