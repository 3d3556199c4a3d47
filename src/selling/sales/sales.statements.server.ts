// Made by `npm run tables` from sales.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('sales.sql', import.meta.url))

export type ReadSummaryInput = { sellerId: string; days: number }
export type ReadSummaryRow = { json: string; isLate: boolean }
// A seller's sales in a period and in the period before. `is_late`: the product sums do not include today yet.
export const readSummary = find<ReadSummaryInput, ReadSummaryRow>('readSummary')

export type MoveSumsInput = { sellerId: string }
export type MoveSumsRow = Record<string, never>
export const moveSums = find<MoveSumsInput, MoveSumsRow>('moveSums')

export type ListSalesInput = {
  sellerId: string
  after: string | null
  days: number | null
  state: string | null
  limit: number
}
export type ListSalesRow = { json: string; next: string | null; total: number }
// `state` is 'paid' or null. Use `listRefunded` for refunded sales.
export const listSales = find<ListSalesInput, ListSalesRow>('listSales')

export type ListRefundedInput = { sellerId: string; after: string | null; days: number | null; limit: number }
export type ListRefundedRow = { json: string; next: string | null; total: number }
export const listRefunded = find<ListRefundedInput, ListRefundedRow>('listRefunded')

export type ListSalesOfInput = {
  productId: string
  sellerId: string
  after: string | null
  days: number | null
  state: string | null
  limit: number
}
export type ListSalesOfRow = { json: string; next: string | null; total: number }
export const listSalesOf = find<ListSalesOfInput, ListSalesOfRow>('listSalesOf')

export type ListRefundedOfInput = {
  productId: string
  sellerId: string
  after: string | null
  days: number | null
  limit: number
}
export type ListRefundedOfRow = { json: string; next: string | null; total: number }
export const listRefundedOf = find<ListRefundedOfInput, ListRefundedOfRow>('listRefundedOf')

export type ReadSaleInput = { showsEmail: boolean; id: string; sellerId: string }
export type ReadSaleRow = {
  sale: object
  listPrice: string
  discount: string
  availableAt: string
  refundedFee: string
  returnedCopies: number
  isOwn: boolean
  buyerEmail: string | null
  kind: 'file' | 'code' | 'license' | 'course'
  deliveredAt: string | null
  closedAt: string | null
  given: number
  uses: {
    kind: import('../../delivery/uses.rules.ts').Use
    isGift: boolean
    count: number
    days: number
    firstAt: string
    lastAt: string
  }[]
  canGiveCopy: boolean
  license: import('./soldKey.rules.ts').SoldKey | null
}
export const readSale = find<ReadSaleInput, ReadSaleRow>('readSale')
