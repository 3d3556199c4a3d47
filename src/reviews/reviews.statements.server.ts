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
// Triggers maintain the total. `at` and `id` are of the last review of the previous page.
export const readPage = find<ReadPageInput, ReadPageRow>('readPage')

export type ReadSellerPageInput = { handle: string; id: string | null; at: number | null; limit: number }
export type ReadSellerPageRow = { isOpen: boolean; json: string; total: number; next: string | null }
// Reads the reviews of a seller's products on sale, with one index lookup for each reviewed product.
export const readSellerPage = find<ReadSellerPageInput, ReadSellerPageRow>('readSellerPage')

export type ReadPurchasesInput = { userId: string; productId: string | null; lineId: string | null }
export type ReadPurchasesRow = { json: string }
// Lists purchases that were not refunded, each with the member's review of the product.
export const readPurchases = find<ReadPurchasesInput, ReadPurchasesRow>('readPurchases')

export type LockReviewsInput = { userId: string; productId: string }
export type LockReviewsRow = { locked: string }
// Serializes concurrent first reviews of a product from two purchases.
export const lockReviews = find<LockReviewsInput, LockReviewsRow>('lockReviews')

export type IsBoughtInput = { lineId: string }
export type IsBoughtRow = { isBought: boolean }
// True if the line was bought and neither the line nor the order was refunded.
export const isBought = find<IsBoughtInput, IsBoughtRow>('isBought')

export type RestoreReviewInput = { id: string }
export type RestoreReviewRow = Record<string, never>
// Restores a review. It stays hidden if its purchase was refunded or its author has another review of the product.
export const restoreReview = find<RestoreReviewInput, RestoreReviewRow>('restoreReview')
