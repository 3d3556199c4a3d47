import * as z from 'zod/mini'
import { Handle, ProductId } from '../catalogue/catalogue.contract.ts'
import { endpoint } from '../kit/contract.ts'
import { tidy } from '../kit/text.rules.ts'

export const MAX_REVIEW = 2000
const Stars = z.number().check(z.int(), z.minimum(1, 'Give one to five stars'), z.maximum(5, 'Give one to five stars'))

export type ReviewAnswer = z.infer<typeof ReviewAnswer>
/** What the seller says to a review, in public. */
export const ReviewAnswer = z.object({ text: z.string(), createdAt: z.string(), editedAt: z.nullable(z.string()) })

export type Review = z.infer<typeof Review>
export const Review = z.object({
  id: z.uuid(),
  /** First name and initial of the last name. */
  author: z.string(),
  stars: Stars,
  text: z.string(),
  createdAt: z.string(),
  editedAt: z.nullable(z.string()),
  /** True for a sample of the demo store. Buyers wrote all other reviews. */
  isSample: z.boolean(),
  isFree: z.boolean(),
  answer: z.nullable(ReviewAnswer),
})

export type Purchase = z.infer<typeof Purchase>
/**
 * A purchase that the caller may review. `lineId` is its order line, `delivery` the kind of goods, `review` the
 * caller's only review of the product.
 */
export const Purchase = z.object({
  lineId: z.uuid(),
  orderId: z.uuid(),
  boughtAt: z.string(),
  delivery: z.nullable(z.enum(['file', 'code', 'license', 'course'])),
  review: z.nullable(Review),
  takenDown: z.nullable(z.string()),
})

const Asked = z.strictObject({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(50))),
  after: z.optional(z.string().check(z.maxLength(300))),
})

export const listReviews = endpoint('GET /api/products/:id/reviews', {
  access: 'public',
  about: 'Reviews of a listed product, newest first; `X-Total-Count` counts them all, `Link: rel="next"` leads on.',
  input: z.extend(Asked, { id: ProductId }),
  reply: z.array(Review),
})

export type ReceivedReview = z.infer<typeof ReceivedReview>
/** A review as the seller of the product sees it. `hiddenAnswer` is the answer that staff hid, and why. */
export const ReceivedReview = z.extend(Review, {
  hiddenAnswer: z.nullable(z.object({ text: z.string(), why: z.string() })),
})

export const listOwnReviews = endpoint('GET /api/account/products/:id/reviews', {
  access: 'member',
  about: 'Reviews of a product that the caller sells, also while it is not listed.',
  input: z.extend(Asked, { id: ProductId }),
  reply: z.array(ReceivedReview),
})

export type SellerReview = z.infer<typeof SellerReview>
export const SellerReview = z.extend(Review, { product: z.object({ id: ProductId, title: z.string() }) })

export const listSellerReviews = endpoint('GET /api/sellers/:handle/reviews', {
  access: 'public',
  about:
    'Reviews of everything a seller has on sale, newest first; `X-Total-Count` counts them all, `Link: rel="next"` leads on.',
  input: z.extend(Asked, { handle: Handle }),
  reply: z.array(SellerReview),
})

export const listPurchases = endpoint('GET /api/products/:id/purchases', {
  access: 'member',
  about:
    "The caller's purchases of a product, newest first, each with the caller's one review of the product. Refunded purchases are left out.",
  input: z.strictObject({ id: ProductId }),
  reply: z.array(Purchase),
})

export const saveReview = endpoint('PUT /api/reviews/:lineId', {
  access: 'member',
  about:
    'Writes or changes the caller’s one review of a product. `lineId` names a purchase of it: a line of a completed order of the caller that was not refunded.',
  input: z.strictObject({
    lineId: z.uuid(),
    stars: Stars,
    text: z.string().check(tidy(), z.maxLength(MAX_REVIEW, 'At most 2,000 characters')),
  }),
  reply: Purchase,
})

const Answered = z.strictObject({ id: z.uuid() })

export const saveAnswer = endpoint('PUT /api/reviews/:id/answer', {
  access: 'member',
  about:
    'Writes or changes the one public answer to a review of a product of the caller. 409 `answer_hidden` after staff hid it.',
  input: z.extend(Answered, {
    text: z
      .string()
      .check(tidy(), z.minLength(1, 'Write a few words.'), z.maxLength(MAX_REVIEW, 'At most 2,000 characters')),
  }),
  reply: ReviewAnswer,
})

export const deleteAnswer = endpoint('DELETE /api/reviews/:id/answer', {
  access: 'member',
  about: 'Deletes the caller’s answer to a review.',
  input: Answered,
  reply: Answered,
})

export const deleteReview = endpoint('DELETE /api/reviews/:lineId', {
  access: 'member',
  about: "Deletes the caller's review of the product of a purchase.",
  input: z.strictObject({ lineId: z.uuid() }),
  reply: z.object({ lineId: z.uuid() }),
})
