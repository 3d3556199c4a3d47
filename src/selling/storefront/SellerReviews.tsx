import { pagesOf } from '../../kit/query/list.client.ts'
import { ReviewList } from '../../reviews/ReviewList.tsx'
import { listSellerReviews, type SellerReview } from '../../reviews/reviews.contract.ts'
import { Link } from '../../ui/Link.tsx'

const STEP = 3

export const reviewsOf = (handle: string) => pagesOf(listSellerReviews, { handle, limit: STEP })

export const SellerReviews = ({ handle, count }: { handle: string; count: number }) => (
  <section className="section gap-2" aria-labelledby="buyers-say">
    <h2 id="buyers-say">What buyers say</h2>
    <ReviewList<SellerReview>
      of={reviewsOf(handle)}
      count={Math.min(count, STEP)}
      foot={({ product }) => (
        <Link href={`/product/${product.id}`} className="text-link small wrap-anywhere">
          {product.title}
        </Link>
      )}
    />
  </section>
)
