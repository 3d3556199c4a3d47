import { useState } from 'react'
import { useFreshOrders } from '../../checkout/useFreshOrders.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { OrderLine } from '../../orders/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const LineReview = lazyPart(() => import('../../reviews/LineReview.tsx'), 'LineReview', <Skeleton height="5rem" />)

const answers = {
  open: 'You asked for a refund. We’ll answer by email and here.',
  granted: 'We refunded ',
  declined: 'We declined your refund: ',
}

type AfterPurchaseProps = { line: OrderLine; refundedCents: number }

/** The refund request and the review of a bought line of an order, of which this was refunded. */
export function AfterPurchase({ line, refundedCents }: AfterPurchaseProps) {
  const { id, productId, refundRequest, isReviewed } = line
  const refresh = useFreshOrders()
  const [isWriting, setWriting] = useState(false)
  return (
    <>
      {refundRequest && (
        <p className="small muted" role="status">
          {answers[refundRequest.state]}
          {refundRequest.state === 'granted' ? `${usd(refundedCents)} of this order.` : refundRequest.answer}
        </p>
      )}
      {isWriting ? (
        <LineReview productId={productId} lineId={id} onChange={() => void refresh()} />
      ) : (
        isReviewed !== null && (
          <Button tone="quiet" onClick={() => setWriting(true)}>
            {isReviewed ? 'Your review' : 'Write a review'}
          </Button>
        )
      )}
    </>
  )
}
