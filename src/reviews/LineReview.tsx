import './reviews.css'
import { useEffect, useRef } from 'react'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { OwnReview } from './OwnReview.tsx'
import { usePurchases } from './useReviews.ts'

type LineReviewProps = {
  productId: string
  lineId: string
  /** Changes each time the buyer chooses the review in the menu, which moves the focus here. */
  choice: number
  onChange: () => void
}

export function LineReview({ productId, lineId, choice, onChange }: LineReviewProps) {
  const { purchases, isFetching, refetch } = usePurchases(productId)
  const purchase = purchases.find((each) => each.lineId === lineId)
  const element = useRef<HTMLDivElement>(null)
  const isShown = purchase !== undefined
  useEffect(() => {
    if (isShown) enter(element.current)
  }, [choice, isShown])
  if (purchase)
    return (
      <div ref={element}>
        <OwnReview productId={productId} purchase={purchase} isNew onChange={onChange} />
      </div>
    )
  if (isFetching) return <Skeleton height="5rem" />
  return <ErrorState title="Couldn’t load your review" onRetry={refetch} />
}

function enter(part: HTMLElement | null) {
  const first = part?.querySelector<HTMLElement>('input:checked') ?? part?.querySelector<HTMLElement>('input, button')
  first?.focus({ preventScroll: true })
  part?.scrollIntoView({ block: 'nearest' })
}
