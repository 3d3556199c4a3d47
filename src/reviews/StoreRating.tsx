import './reviews.css'
import { Star } from 'lucide-react'
import type { ProductDetail } from '../catalogue/catalogue.contract.ts'
import { averageOf, countOf, describeStore, formatCount } from './rating.rules.ts'

export function StoreRating({ rating }: { rating?: ProductDetail['rating'] }) {
  const count = rating ? countOf(rating.store) : 0
  return (
    <p className="rating small muted">
      {rating && count === 0 && 'The store has no reviews yet.'}
      {rating && count > 0 && (
        <>
          <Star className="icon icon--sm is-full" aria-hidden />
          <span className="num">
            {averageOf(rating.store)} ({formatCount(count)})
          </span>
          <span className="rating__whose">{describeStore(count, rating.samples)}</span>
        </>
      )}
    </p>
  )
}
