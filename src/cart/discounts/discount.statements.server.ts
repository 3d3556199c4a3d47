// Made by `npm run tables` from discount.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('discount.sql', import.meta.url))

export type LockDiscountsInput = { ids: string[]; buyerId: string }
export type LockDiscountsRow = {
  id: string
  sellerId: string
  code: string
  percent: number | null
  amountCents: number | null
  productIds: string[] | null
  problem: import('../cart.contract.ts').DiscountProblem | null
}
// Locks codes in order of id until the transaction ends.
export const lockDiscounts = find<LockDiscountsInput, LockDiscountsRow>('lockDiscounts')

export type FindByCodeInput = { code: string; sellerIds: string[]; productIds: string[] }
export type FindByCodeRow = { id: string }
// Finds the codes with this text that fit one of the products.
export const findByCode = find<FindByCodeInput, FindByCodeRow>('findByCode')

export type ListFittingInput = { userId: string; productId: string | null; code: string }
export type ListFittingRow = {
  id: string
  percent: number | null
  amount: string | null
  problem: import('../cart.contract.ts').DiscountProblem | null
}
// Lists the codes with this text that fit the product, or without `productId` a product of the cart.
export const listFitting = find<ListFittingInput, ListFittingRow>('listFitting')

export type KeepInCartInput = { userId: string; ids: string[] }
export type KeepInCartRow = Record<string, never>
export const keepInCart = find<KeepInCartInput, KeepInCartRow>('keepInCart')

export type DropFromCartInput = { userId: string; discountId: string }
export type DropFromCartRow = Record<string, never>
export const dropFromCart = find<DropFromCartInput, DropFromCartRow>('dropFromCart')

export type ClaimUsesInput = { orderId: string; userId: string; uses: unknown }
export type ClaimUsesRow = Record<string, never>
export const claimUses = find<ClaimUsesInput, ClaimUsesRow>('claimUses')

export type ReturnUsesInput = { orderId: string; isFromCart: boolean }
export type ReturnUsesRow = { id: string }
// Releases the uses of an order, and with `isFromCart` restores its codes in the cart. Locks the cart before the codes,
// as placing an order does. A code that the buyer entered meanwhile stays.
export const returnUses = find<ReturnUsesInput, ReturnUsesRow>('returnUses')

export type UncountUsesInput = { ids: string[] }
export type UncountUsesRow = Record<string, never>
export const uncountUses = find<UncountUsesInput, UncountUsesRow>('uncountUses')

export type ClaimAgainInput = { orderId: string; ids: string[] }
export type ClaimAgainRow = Record<string, never>
export const claimAgain = find<ClaimAgainInput, ClaimAgainRow>('claimAgain')
