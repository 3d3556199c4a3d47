import './reviews.css'
import type { ReactNode } from 'react'
import type { ListOptions } from '../kit/query/list.client.ts'
import { useList } from '../kit/query/useList.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { ReviewItem } from './ReviewItem.tsx'
import type { Review } from './reviews.contract.ts'

type ReviewListProps<R extends Review> = {
  of: ListOptions<R[]>
  count: number
  leaveOut?: (string | undefined)[]
  foot?: (review: R) => ReactNode
}

export function ReviewList<R extends Review>({ of, count, leaveOut = [], foot }: ReviewListProps<R>) {
  const { items, isPending, hasError, isFetching, refetch, readMore } = useList<R>(of)
  if (hasError) return <ErrorState title="Couldn’t load the reviews" onRetry={refetch} />
  const reviews = items.filter(({ id }) => !leaveOut.includes(id))
  if (!isPending && reviews.length === 0) return null
  return (
    <>
      <ul className="list" aria-busy={isPending}>
        {isPending
          ? Array.from({ length: count }, (_, i) => (
              <li key={i} className="review" aria-hidden>
                <Skeleton height="1rem" width="60%" />
                <Skeleton height="1rem" />
              </li>
            ))
          : reviews.map((review) => (
              <li key={review.id} className="review">
                <ReviewItem review={review}>{foot?.(review)}</ReviewItem>
              </li>
            ))}
      </ul>
      {readMore && (
        <div className="row row--center">
          <Button isBusy={isFetching} onClick={() => void readMore().catch(() => undefined)}>
            Show more reviews
          </Button>
        </div>
      )}
    </>
  )
}
