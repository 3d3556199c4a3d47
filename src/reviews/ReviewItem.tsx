import type { ReactNode } from 'react'
import { withoutGaps } from '../kit/gaps.rules.ts'
import { formatDay } from '../localisation/dates.rules.ts'
import type { Review, ReviewAnswer } from './reviews.contract.ts'

export const ReviewItem = ({ review, who, children }: { review: Review; who?: string; children?: ReactNode }) => (
  <>
    <p className="small muted">
      <b>{who ?? review.author}</b> · <span className="num">{review.stars} of 5</span> ·{' '}
      {review.isSample ? 'Sample review' : review.isFree ? 'Got it free' : 'Verified purchase'} ·{' '}
      <span className="review__day">{formatDay(review.createdAt)}</span>
      {review.editedAt && ', edited'}
    </p>
    {review.text && <p className="review__text">{withoutGaps(review.text)}</p>}
    {review.answer && <Answer answer={review.answer} />}
    {children}
  </>
)

const Answer = ({ answer: { text, createdAt, editedAt } }: { answer: ReviewAnswer }) => (
  <div className="review__answer">
    <p className="small muted">
      <b>The seller</b> · <span className="review__day">{formatDay(createdAt)}</span>
      {editedAt && ', edited'}
    </p>
    <p className="review__text">{withoutGaps(text)}</p>
  </div>
)
