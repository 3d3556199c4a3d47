import { useState } from 'react'
import { formatDay } from '../localisation/dates.rules.ts'
import { Button } from '../ui/Button.tsx'
import { ReviewForm } from './ReviewForm.tsx'
import { ReviewItem } from './ReviewItem.tsx'
import type { Purchase } from './reviews.contract.ts'
import { useOwnReview } from './useReviews.ts'

/** Writes, edits or deletes the review of one purchase. */
export function OwnReview({ productId, purchase }: { productId: string; purchase: Purchase }) {
  const [isWriting, setWriting] = useState(false)
  const { save, remove } = useOwnReview(productId)
  const { review, boughtAt } = purchase
  return (
    <div className="card stack">
      {isWriting ? (
        <ReviewForm review={review} onSave={(written) => save(purchase, written)} onClose={() => setWriting(false)} />
      ) : review ? (
        <ReviewItem review={review} who="You">
          <div className="row gap-2">
            <Button onClick={() => setWriting(true)}>Edit review</Button>
            <Button tone="quiet" onClick={() => void remove(purchase)}>
              Delete review
            </Button>
          </div>
        </ReviewItem>
      ) : (
        <div className="row row--between">
          <p className="small muted">You bought this on {formatDay(boughtAt)}.</p>
          <Button onClick={() => setWriting(true)}>Write a review</Button>
        </div>
      )}
    </div>
  )
}
