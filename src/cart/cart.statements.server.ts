// Made by `npm run tables` from cart.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('cart.sql', import.meta.url))

export type HasLinesInput = { userId: string }
export type HasLinesRow = { hasLines: boolean }
// Cheaper than `readCart`. Most carts are empty.
export const hasLines = find<HasLinesInput, HasLinesRow>('hasLines')

export type ReadCartInput = { userId: string }
export type ReadCartRow = {
  id: string
  productId: string
  quantity: number
  createdAt: Date
  unitCents: number
  suggestedCents: number | null
  minCents: number
  title: string
  brief: string | null
  categoryId: string
  isOnSale: boolean
  isOneEnough: boolean
  earnsBonus: boolean
  isCash: boolean
  partTitles: string[] | null
  onceIds: string[] | null
  addedCents: number | null
  imageObjectId: string | null
  variantOf: string | null
  isOwn: boolean
  choiceId: string | null
  discountId: string | null
  discountCode: string | null
  discountPercent: number | null
  discountCents: number | null
  discountProblem: import('./cart.contract.ts').DiscountProblem | null
  ownsSome: boolean
}
// Oldest line first. `owns_some`: the shopper may own a product that nobody needs twice, such as a book.
export const readCart = find<ReadCartInput, ReadCartRow>('readCart')

export type FindOwnedInput = { userId: string }
export type FindOwnedRow = { id: string; title: string }
// Returns the products and bundle parts of lines that the shopper can already open and needs only once.
export const findOwned = find<FindOwnedInput, FindOwnedRow>('findOwned')

export type AddLineInput = {
  chosenCents: number | null
  maxCents: number
  userId: string
  productId: string
  quantity: number
  addedAt: Date | string | null
  maxLines: number
}
export type AddLineRow = {
  isOnSale: boolean
  hasVariants: boolean
  isAllowed: boolean | null
  minCents: number | null
  isAdded: boolean
}
// Returns no row if there is no such product. `chosenCents` is the price that the buyer chooses.
export const addLine = find<AddLineInput, AddLineRow>('addLine')

export type SetQuantityInput = {
  chosenCents: number | null
  maxCents: number
  id: string
  userId: string
  quantity: number
}
export type SetQuantityRow = { isAllowed: boolean; minCents: number }
// Returns no row if there is no such line.
export const setQuantity = find<SetQuantityInput, SetQuantityRow>('setQuantity')

export type DeleteLineInput = { id: string; userId: string }
export type DeleteLineRow = { id: string }
export const deleteLine = find<DeleteLineInput, DeleteLineRow>('deleteLine')

export type TakeLinesInput = { userId: string }
export type TakeLinesRow = {
  quantity: number
  cents: number
  addedAt: Date
  id: string
  title: string
  priceCents: number
  suggestedCents: number | null
  leastCents: number
  sellerId: string
  categoryId: string
  delivery: 'file' | 'code' | 'license' | 'course' | 'bundle'
  fileId: string | null
  moreFileIds: string[]
  isOnSale: boolean
  variantOf: string | null
  hasVariants: boolean
  isCash: boolean
  discountIds: string[] | null
}
// Deletes all lines and the discount codes of their sellers. Locks the products until the transaction ends.
export const takeLines = find<TakeLinesInput, TakeLinesRow>('takeLines')

export type RestoreLinesInput = {
  userId: string
  productIds: string[]
  quantities: number[]
  cents: number[]
  maxQuantity: number
}
export type RestoreLinesRow = Record<string, never>
// Restores lines in their order after a failed payment. Adds their quantities to existing lines.
export const restoreLines = find<RestoreLinesInput, RestoreLinesRow>('restoreLines')

export type RemoveRestoredInput = { productIds: string[]; quantities: number[]; userId: string }
export type RemoveRestoredRow = Record<string, never>
// Undoes `restoreLines` if the order completes later. Copies that the member added meanwhile stay.
export const removeRestored = find<RemoveRestoredInput, RemoveRestoredRow>('removeRestored')

export type EnsureLinesInput = { userId: string; productIds: string[]; quantities: number[]; cents: (number | null)[] }
export type EnsureLinesRow = { productId: string }
// Raises lines to these quantities, for products on sale. Uses the given prices if buyers choose the price.
export const ensureLines = find<EnsureLinesInput, EnsureLinesRow>('ensureLines')

export type CountLinesInput = { userId: string }
export type CountLinesRow = { lines: number }
export const countLines = find<CountLinesInput, CountLinesRow>('countLines')
