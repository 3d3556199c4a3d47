import type { ReactNode } from 'react'
import { withoutGaps } from '../kit/gaps.rules.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import type { Review } from './reviews.contract.ts'

export const ReviewItem = ({ review, who, children }: { review: Review; who?: string; children?: ReactNode }) => (
  <>
    <p className="small muted">
      <b>{who ?? review.author}</b> · <span className="num">{review.stars} of 5</span> ·{' '}
      {review.isSample ? 'Sample review' : review.isFree ? 'Got it free' : 'Verified purchase'} ·{' '}
      <span className="review__day">{formatDay(review.createdAt)}</span>
      {review.editedAt && ', edited'}
    </p>
    {review.text && <p className="review__text">{withoutGaps(review.text)}</p>}
    {children}
  </>
)
