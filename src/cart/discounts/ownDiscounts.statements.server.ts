// Made by `npm run tables` from ownDiscounts.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('ownDiscounts.sql', import.meta.url))

export type ListOwnInput = {
  sellerId: string
  wantedId: string | null
  beforeId: string | null
  beforeMicros: number | null
  most: number
}
export type ListOwnRow = {
  id: string
  version: number
  code: string
  percent: number | null
  amountCents: number | null
  isFirstOnly: boolean
  startsAt: Date | null
  endsAt: Date | null
  mostUses: number | null
  mostPerBuyer: number | null
  uses: number
  createdMicros: number
  state: import('./ownDiscounts.contract.ts').DiscountState
  products: { id: string; title: string }[] | null
  revenueCents: number
  isUsed: boolean
  linkProductId: string | null
}
// Lists the codes of a seller, newest first, or the code with `wantedId`. `link_product_id`: a fitting product on sale.
export const listOwn = find<ListOwnInput, ListOwnRow>('listOwn')

export type CountOwnInput = { sellerId: string }
export type CountOwnRow = { codes: number }
export const countOwn = find<CountOwnInput, CountOwnRow>('countOwn')

export type AddProductsInput = { discountId: string; productIds: string[]; sellerId: string }
export type AddProductsRow = { productId: string }
// Adds only products of the seller.
export const addProducts = find<AddProductsInput, AddProductsRow>('addProducts')

export type DeleteUnusedInput = { sellerId: string }
export type DeleteUnusedRow = Record<string, never>
export const deleteUnused = find<DeleteUnusedInput, DeleteUnusedRow>('deleteUnused')
