import './reviews.css'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { OwnReview } from './OwnReview.tsx'
import { usePurchases } from './useReviews.ts'

/** The review of one line of an order. */
export function LineReview({ productId, lineId }: { productId: string; lineId: string }) {
  const purchase = usePurchases(productId).purchases.find((each) => each.lineId === lineId)
  return purchase ? <OwnReview productId={productId} purchase={purchase} isNew /> : <Skeleton height="5rem" />
}
