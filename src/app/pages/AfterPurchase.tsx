import { useState } from 'react'
import type { OrderLine } from '../../orders/orders.contract.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazyPart.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'

const LineReview = lazyPart(() => import('../../reviews/LineReview.tsx'), 'LineReview', <Skeleton height="5rem" />)

const answers = {
  open: 'You asked for a refund. We’ll answer by email and here.',
  granted: 'Your refund was granted.',
  declined: 'We declined your refund: ',
}

/** The refund request and the review of a bought line. */
export function AfterPurchase({ line: { id, productId, refundRequest, isReviewed } }: { line: OrderLine }) {
  const [isWriting, setWriting] = useState(false)
  return (
    <>
      {refundRequest && (
        <p className="small muted" role="status">
          {answers[refundRequest.state]}
          {refundRequest.answer}
        </p>
      )}
      {isWriting ? (
        <LineReview productId={productId} lineId={id} />
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
