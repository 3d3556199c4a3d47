import './reviews.css'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { OwnReview } from './OwnReview.tsx'
import { usePurchases } from './useReviews.ts'

type LineReviewProps = { productId: string; lineId: string; onChange: () => void }

export function LineReview({ productId, lineId, onChange }: LineReviewProps) {
  const { purchases, isFetching, refetch } = usePurchases(productId)
  const purchase = purchases.find((each) => each.lineId === lineId)
  if (purchase) return <OwnReview productId={productId} purchase={purchase} isNew onChange={onChange} />
  if (isFetching) return <Skeleton height="5rem" />
  return <ErrorState title="Couldn’t load your review" onRetry={refetch} />
}
