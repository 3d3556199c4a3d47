// Made by `npm run tables` from sellerSales.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('sellerSales.sql', import.meta.url))

export type FindSaleInput = { days: number; id: string; sellerId: string }
export type FindSaleRow = {
  orderId: string
  title: string
  quantity: number
  isOwn: boolean
  isLate: boolean
  isOpened: boolean
  isOpen: boolean
}
// `is_opened`: the buyer, or the recipient of a gift, has used a copy. `is_open`: they can open a copy now. `is_late`: the sale is
// older than `days`, and the buyer has not asked for a refund of it.
export const findSale = find<FindSaleInput, FindSaleRow>('findSale')

export type ReadOwedInput = { account: string; sellerId: string; id: string }
export type ReadOwedRow = { owedCents: number; heldCents: number }
// What the shop owes a seller, and how much of it a refund of the sale `id` must not use: disputed sales, and other sales on hold.
export const readOwed = find<ReadOwedInput, ReadOwedRow>('readOwed')

export type ListUnderWayInput = { sellerId: string; id: string }
export type ListUnderWayRow = {
  orderId: string
  orderLineId: string
  sellerId: string
  grossCents: number
  feeCents: number
  returnedCents: number
  returnedFeeCents: number
  namedCents: number
  orderCents: number
  counts: boolean
}
// All sales of the seller's orders with a refund under way. `named_cents`: refunds of this sale. `order_cents`: all refunds of the
// order. `counts`: `readOwed` does not subtract this sale.
export const listUnderWay = find<ListUnderWayInput, ListUnderWayRow>('listUnderWay')

export type CountMadeInput = { sellerId: string; days: number }
export type CountMadeRow = { made: number }
// Refunds that the seller made in the last `days`, without refused ones.
export const countMade = find<CountMadeInput, CountMadeRow>('countMade')

export type ListRefundsOfInput = { id: string }
export type ListRefundsOfRow = {
  id: string
  status: 'requested' | 'completed' | 'failed'
  copies: number
  amountCents: number
  at: string
}
// Refunds of a sale, the newest first.
export const listRefundsOf = find<ListRefundsOfInput, ListRefundsOfRow>('listRefundsOf')
