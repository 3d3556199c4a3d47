import * as z from 'zod/mini'
import { ProductId } from '../../catalogue/catalogue.contract.ts'
import { endpoint } from '../../kit/contract.ts'

/** Maximum of open requests that a page shows. */
export const MAX_REQUESTS = 3

export type ReviewRequest = z.infer<typeof ReviewRequest>
/** A bought and used product that the shop asks its buyer to review. */
export const ReviewRequest = z.object({
  productId: ProductId,
  title: z.string(),
  categoryId: z.string(),
  imageUrl: z.nullable(z.string()),
  askedAt: z.string(),
})

export const listReviewRequests = endpoint('GET /api/account/review-requests', {
  access: 'member',
  about:
    'Products that the caller bought, used and has not reviewed, of which the shop asked for a review. The shop asks once for each product.',
  reply: z.array(ReviewRequest),
})

const One = z.strictObject({ id: ProductId })

export const dismissReviewRequest = endpoint('DELETE /api/account/review-requests/:id', {
  access: 'member',
  about: 'Closes the request for a review of a product.',
  input: One,
  reply: One,
})
