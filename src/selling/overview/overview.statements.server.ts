// Made by `npm run tables` from overview.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('overview.sql', import.meta.url))

export type ReadIncomeInput = { sellerId: string; period: number }
export type ReadIncomeRow = {
  firstDay: string
  lastDay: string
  salesToday: number
  todayCents: number
  heldCents: number
  firstAt: string | null
  firstCents: number
  disputedSales: number
  disputedCents: number
  days: { day: string; cents: number }[]
  hasSold: boolean
  followers: number
}
export const readIncome = find<ReadIncomeInput, ReadIncomeRow>('readIncome')

export type ListWaitingInput = { sellerId: string; limit: number }
export type ListWaitingRow = {
  kind: 'dispute' | 'code_case' | 'question' | 'goods' | 'review' | 'message'
  id: string
  title: string
  at: string
  until: string | null
  cents: number | null
  total: number
}
export const listWaiting = find<ListWaitingInput, ListWaitingRow>('listWaiting')

export type DismissReviewsInput = { productId: string; sellerId: string; at: Date | string }
export type DismissReviewsRow = { productId: string }
// Reviews up to the moment need no answer. No row: the product is not the seller's, or has no such review.
export const dismissReviews = find<DismissReviewsInput, DismissReviewsRow>('dismissReviews')
