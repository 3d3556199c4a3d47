// Made by `npm run tables` from discountUses.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('discountUses.sql', import.meta.url))

export type ListDiscountUsesInput = {
  id: string
  beforeId: string | null
  beforeMicros: number | null
  limit: number
  sellerId: string
}
export type ListDiscountUsesRow = { total: number; json: string; next: string | null }
// The orders that used a code of the seller, without failed orders, newest first. `sale` is the first discounted line, null
// until the order is paid. No row: the seller has no such code.
export const listDiscountUses = find<ListDiscountUsesInput, ListDiscountUsesRow>('listDiscountUses')
