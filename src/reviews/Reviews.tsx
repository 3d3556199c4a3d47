import './reviews.css'
import type { ProductDetail, StarCounts } from '../catalogue/catalogue.contract.ts'
import { Button } from '../ui/Button.tsx'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { averageOf, countOf, describeProduct } from './rating.rules.ts'
import { ReviewList } from './ReviewList.tsx'
import type { Purchase } from './reviews.contract.ts'
import { listOf, REVIEWS_PER_PAGE } from './useReviews.ts'

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
      {purchases[0] && <OwnReview productId={productId} purchase={purchases[0]} />}
      {count > 0 ? (
        <ReviewList
          of={listOf(productId)}
          count={Math.min(count, REVIEWS_PER_PAGE)}
          leaveOut={purchases.map(({ review }) => review?.id)}
          foot={(review) => (
            <Button
              tone="quiet"
              className="review__report"
              aria-label={`Report the review of ${review.author}`}
              onClick={() => onReport(review.id)}
            >
              Report
            </Button>
          )}
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
