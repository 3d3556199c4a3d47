// Made by `npm run tables` from returns.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('returns.sql', import.meta.url))

export type ListEarnedInput = { orderId: string }
export type ListEarnedRow = {
  orderLineId: string
  sellerId: string
  grossCents: number
  feeCents: number
  returnedCents: number
  returnedFeeCents: number
}
// Earnings of the sales of an order, and the part that refunds returned.
export const listEarned = find<ListEarnedInput, ListEarnedRow>('listEarned')

export type ListLeftInput = { orderId: string }
export type ListLeftRow = {
  orderLineId: string
  title: string
  quantity: number
  grossCents: number
  returnedCents: number
  returnedQuantity: number
}
// The paid lines of an order. Refunds under way that name lines count as made.
export const listLeft = find<ListLeftInput, ListLeftRow>('listLeft')

export type TakeBackInput = { lines: unknown; orderId: string; sellers: unknown }
export type TakeBackRow = Record<string, never>
// Takes `lines` of sales back, and records `sellers` with their sums.
export const takeBack = find<TakeBackInput, TakeBackRow>('takeBack')
