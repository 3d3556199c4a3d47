// Made by `npm run tables` from news.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('news.sql', import.meta.url))

export type ReadLowInput = { usualLow: number; productIds: string[] }
export type ReadLowRow = { productId: string; lowAt: number; left: number }
export const readLow = find<ReadLowInput, ReadLowRow>('readLow')

export type AddToDigestInput = {
  userId: string
  sales: number
  soldCents: number
  refunds: number
  refundedCents: number
  reviews: number
  low: number
}
export type AddToDigestRow = Record<string, never>
// Adds to the digest of the day.
export const addToDigest = find<AddToDigestInput, AddToDigestRow>('addToDigest')

export type TakeDigestsInput = { limit: number }
export type TakeDigestsRow = {
  userId: string
  day: string
  sales: number
  soldCents: number
  refunds: number
  refundedCents: number
  reviews: number
  low: number
  email: string | null
}
// Deletes and returns digests of past days. `email` is null if the account is erased.
export const takeDigests = find<TakeDigestsInput, TakeDigestsRow>('takeDigests')
