import { Gift } from 'lucide-react'
import { useState } from 'react'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { formatClock } from '../../localisation/dates.rules.ts'
import { endOf } from '../../localisation/sentence.rules.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { describeCopies } from '../../aftersale/gifts/gift.texts.rules.ts'
import { describeReport } from '../../delivery/cases/case.texts.rules.ts'
import { isFrozen } from '../../purchases/order.rules.ts'
import type { Order, OrderLine } from '../../purchases/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const LineReview = lazyPart(() => import('../../reviews/LineReview.tsx'), 'LineReview', <Skeleton height="5rem" />)

const GiftDialog = lazyDialog(() => import('../../aftersale/gifts/GiftDialog.tsx'), 'GiftDialog')

const answers = {
  open: 'You asked for a refund. We’ll answer by email and here.',
  granted: 'We refunded ',
  declined: 'We declined your refund: ',
}

type AfterPurchaseProps = { order: Order; line: OrderLine; refundedCents: number }

export function AfterPurchase({ order, line, refundedCents }: AfterPurchaseProps) {
  const { id, productId, refundRequest, isReviewed } = line
  const refresh = useFreshOrders()
  const [isWriting, setWriting] = useState(false)
  const [isGiving, setGiving] = useState(false)
  const toGive = copiesToGive(line)
  const canGive = !line.isFree && !isFrozen(order) && line.refunded < line.quantity
  return (
    <>
      {toGive > 0 && !isFrozen(order) && <p className="small">{describeCopies(toGive, line.isToGive ?? false)}</p>}
      {order.giver && <p className="small">A gift from {endOf(order.giver)}</p>}
      {line.delivery?.kind === 'code' && line.delivery.supplyBy && (
        <p className="small" role="status">
          On its way. If it isn’t here by {formatClock(Date.parse(line.delivery.supplyBy))}, we return the money.
        </p>
      )}
      {line.delivery?.kind === 'code' &&
        line.delivery.reports?.map((report, i) => (
          <p key={i} className="small muted" role="status">
            {describeReport(report)}
          </p>
        ))}
      {refundRequest && (
        <p className="small muted" role="status">
          {answers[refundRequest.state]}
          {refundRequest.state === 'granted' ? `${usd(refundedCents)} of this order.` : refundRequest.answer}
        </p>
      )}
      {isWriting ? (
        <LineReview productId={productId} lineId={id} onChange={() => void refresh()} />
      ) : (
        (isReviewed !== null || canGive) && (
          <div className="row gap-2">
            {canGive && (
              <Button
                tone={toGive > 0 ? 'soft' : 'quiet'}
                icon={<Gift className="icon" aria-hidden />}
                aria-label={`${line.given ? 'Gifts of' : 'Give'} ${line.title}`}
                onPointerEnter={() => void GiftDialog.preload()}
                onClick={() => setGiving(true)}
              >
                {line.given ? 'Gifts' : 'Give'}
              </Button>
            )}
            {isReviewed !== null && (
              <Button tone="quiet" onClick={() => setWriting(true)}>
                {isReviewed ? 'Your review' : 'Write a review'}
              </Button>
            )}
          </div>
        )
      )}
      {isGiving && <GiftDialog orderId={order.id} line={line} onClose={() => setGiving(false)} />}
    </>
  )
}

/** Counts the copies to give away: all but the buyer's own copy, or all copies of a purchase as a gift. */
function copiesToGive({ quantity, refunded, given = 0, isToGive, delivery }: OrderLine): number {
  const left = quantity - refunded - given
  if (isToGive) return left
  return delivery?.kind === 'file' ? left - 1 : 0
}
