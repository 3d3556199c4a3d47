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
// Earnings of an order's sales and the refunded part.
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
// The paid lines of an order. Requested refunds of lines count as completed.
export const listLeft = find<ListLeftInput, ListLeftRow>('listLeft')

export type TakeBackInput = { lines: unknown; orderId: string; sellers: unknown }
export type TakeBackRow = Record<string, never>
// Records refunded amounts in the earnings of `lines` and in the sums of `sellers`.
export const takeBack = find<TakeBackInput, TakeBackRow>('takeBack')
