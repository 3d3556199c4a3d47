import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { ProductImage } from '../catalogue/covers/ProductImage.tsx'
import { toCents } from '../kit/money.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import { priceText } from '../localisation/usd.rules.ts'
import { buyerLabel } from '../payments/methods.ts'
import { Badge } from '../ui/Badge.tsx'
import { LinkButton } from '../ui/Link.tsx'
import { isRefundAsked, namesOf, refundedCents, shownStatus } from './order.rules.ts'
import { shortId } from '../orders/number.rules.ts'
import type { Order, OrderLine } from './orders.contract.ts'
import { PartRefundBadge, RefundAskedBadge, StatusBadge, StatusIcon } from './StatusBadge.tsx'

type Press = { preventDefault: () => void }

type OrderCardProps = {
  order: Order
  onDetails?: (event: Press) => void
  level?: 2 | 3
  action?: ReactNode
  notice?: ReactNode
  note?: ReactNode
  why?: string | null
  /** On the page of the order, which shows the goods beside the card. */
  receipt?: ReactNode
}

const SHOWN_COVERS = 3

export function OrderCard({ order, onDetails, level = 2, action, notice, note, why, receipt }: OrderCardProps) {
  const Title = `h${level}` as const
  const { id, status, createdAt, total, paymentMethod, paymentId, lines } = order
  const shown = shownStatus(order)
  return (
    <article className="ticket">
      <div className="ticket__part order__head">
        <StatusIcon status={shown} />
        <div className="order__main">
          <div>
            <Title className="order__id">
              Order #<span className="mono">{shortId(id)}</span>
            </Title>
            <p className="muted small">{formatDay(createdAt)}</p>
          </div>
          <span className="order__total money">{priceText(toCents(total))}</span>
          {!receipt && (
            <div className="order__state row gap-2">
              <span className="order__covers">
                {lines.slice(0, SHOWN_COVERS).map((line) => (
                  <LineCover key={line.id} line={line} />
                ))}
              </span>
              <strong className="grow grow--column text-14 clamp-2 wrap-anywhere">{namesOf(lines)}</strong>
            </div>
          )}
          <div className="order__state row gap-1">
            <StatusBadge status={shown} />
            <PartRefundBadge status={status} cents={refundedCents(order)} />
            {isRefundAsked(order) && <RefundAskedBadge />}
            {order.declinedAt && (
              <Badge look="failed" icon={<X className="icon" aria-hidden />}>
                Payment declined
              </Badge>
            )}
            {why && <p className="muted small">{why}</p>}
          </div>
        </div>
      </div>
      {notice}
      {receipt}
      <div className="ticket__part order__foot">
        <p>
          Payment: {paymentMethod ? buyerLabel(paymentMethod) : 'N/A'}
          {paymentId && (
            <>
              {' · '}
              <span className="mono">{shortId(paymentId)}</span>
            </>
          )}
          {note}
        </p>
        <div className="row">
          <LinkButton
            tone="ghost"
            href={`/orders/${id}`}
            aria-label={`View Details of order ${shortId(id)}`}
            onClick={onDetails}
          >
            View Details
          </LinkButton>
          {action}
        </div>
      </div>
    </article>
  )
}

/** The product whose image or cover stands for a line. */
export const coverOf = ({ productId, coverId, title, categoryId, imageUrl }: OrderLine) => ({
  id: coverId ?? productId,
  title,
  categoryId,
  imageUrl,
})

export const LineCover = ({ line }: { line: OrderLine }) => (
  <ProductImage product={coverOf(line)} sizes="60px" className="thumb thumb--sm" />
)
