// Made by `npm run tables` from reviews.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('reviews.sql', import.meta.url))

export type ReadPageInput = { productId: string; id: string | null; at: number | null; limit: number }
export type ReadPageRow = {
  isListed: boolean
  sellerId: string | null
  json: string
  total: number
  next: string | null
}
// Triggers maintain the total. `at` and `id` are the keys of the last review of the page before.
export const readPage = find<ReadPageInput, ReadPageRow>('readPage')

export type ReadSellerPageInput = { handle: string; id: string | null; at: number | null; limit: number }
export type ReadSellerPageRow = { isOpen: boolean; json: string; total: number; next: string | null }
// The reviews of what a seller has on sale: one index lookup for each reviewed product.
export const readSellerPage = find<ReadSellerPageInput, ReadSellerPageRow>('readSellerPage')

export type ReadPurchasesInput = { userId: string; productId: string | null; lineId: string | null }
export type ReadPurchasesRow = { json: string }
// Purchases whose money was not returned, each with the member's review of the product.
export const readPurchases = find<ReadPurchasesInput, ReadPurchasesRow>('readPurchases')

export type LockReviewsInput = { userId: string; productId: string }
export type LockReviewsRow = { locked: string }
// Serialises two first reviews from two purchases at the same time.
export const lockReviews = find<LockReviewsInput, LockReviewsRow>('lockReviews')

export type IsBoughtInput = { lineId: string }
export type IsBoughtRow = { isBought: boolean }
// The line was bought, and no refund of the line or the order returned its money.
export const isBought = find<IsBoughtInput, IsBoughtRow>('isBought')

export type RestoreReviewInput = { id: string }
export type RestoreReviewRow = Record<string, never>
// The review stays hidden if its purchase was refunded, or if its author has another review of the product.
export const restoreReview = find<RestoreReviewInput, RestoreReviewRow>('restoreReview')
