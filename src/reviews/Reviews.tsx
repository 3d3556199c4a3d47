import './reviews.css'
import type { ProductDetail, StarCounts } from '../catalogue/catalogue.contract.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { averageOf, countOf, describeProduct } from './rating.rules.ts'
import { ReviewItem } from './ReviewItem.tsx'
import type { Purchase } from './reviews.contract.ts'
import { REVIEWS_PER_PAGE, useReviews } from './useReviews.ts'

// loaded only for buyers of the product
const OwnReview = lazyPart(() => import('./OwnReview.tsx'), 'OwnReview', <Skeleton height="5rem" />)

type ReviewsProps = {
  productId: string
  purchases: Purchase[]
  onReport: (reviewId: string) => void
} & Pick<ProductDetail, 'rating' | 'isMine'>

export function Reviews({ productId, purchases, rating, isMine, onReport }: ReviewsProps) {
  const counts = rating.product
  const count = countOf(counts)
  return (
    <section className="section" aria-labelledby="reviews">
      <div className="section__head">
        <h2 id="reviews">Reviews</h2>
        {count > 0 && <span className="muted small num">{describeProduct(count, rating.productSamples)}</span>}
      </div>
      {count > 0 && <RatingBars counts={counts} />}
      {purchases.map((purchase) => (
        <OwnReview key={purchase.lineId} productId={productId} purchase={purchase} />
      ))}
      {count > 0 ? (
        <Others
          productId={productId}
          count={count}
          own={purchases.map(({ review }) => review?.id)}
          onReport={onReport}
        />
      ) : (
        purchases.length === 0 && (
          <p className="card muted small">
            {isMine ? 'No reviews yet. Buyers can write one.' : 'No reviews yet. Buy it and be the first to review it.'}
          </p>
        )
      )}
    </section>
  )
}

type OthersProps = Pick<ReviewsProps, 'productId' | 'onReport'> & { count: number; own: (string | undefined)[] }

function Others({ productId, count, own, onReport }: OthersProps) {
  const { items, isPending, hasError, isFetching, refetch, readMore } = useReviews(productId)
  if (hasError) return <ErrorState title="Couldn’t load the reviews" onRetry={refetch} />
  const reviews = items.filter(({ id }) => !own.includes(id))
  if (!isPending && reviews.length === 0) return null
  return (
    <>
      <ul className="list" aria-busy={isPending}>
        {isPending
          ? Array.from({ length: Math.min(count, REVIEWS_PER_PAGE) }, (_, i) => (
              <li key={i} className="review" aria-hidden>
                <Skeleton height="1rem" width="60%" />
                <Skeleton height="1rem" />
              </li>
            ))
          : reviews.map((review) => (
              <li key={review.id} className="review">
                <ReviewItem review={review}>
                  <Button
                    tone="quiet"
                    className="review__report"
                    aria-label={`Report the review of ${review.author}`}
                    onClick={() => onReport(review.id)}
                  >
                    Report
                  </Button>
                </ReviewItem>
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

function RatingBars({ counts }: { counts: StarCounts }) {
  const all = countOf(counts)
  return (
    <div className="card ratings">
      <p>
        <span className="ratings__mean num">{averageOf(counts)}</span>
        <span className="muted small">of 5</span>
      </p>
      <dl aria-label="Ratings">
        {counts.toReversed().map((count, i) => (
          <div key={i} className="small num">
            <dt>
              {5 - i}
              <span className="sr"> stars</span>
            </dt>
            <dd className="ratings__bar" aria-hidden>
              <i style={{ width: `${(count / all) * 100}%` }} />
            </dd>
            <dd>{count.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
