// Made by `npm run tables` from sellerSales.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('sellerSales.sql', import.meta.url))

export type FindSaleInput = { id: string; sellerId: string }
export type FindSaleRow = { orderId: string; title: string; quantity: number; isOpened: boolean; isOpen: boolean }
// `is_opened`: the buyer, or who got a copy as a gift, has used it. `is_open`: they can open a copy now.
export const findSale = find<FindSaleInput, FindSaleRow>('findSale')

export type ReadOwedInput = { account: string; sellerId: string }
export type ReadOwedRow = { owedCents: number; disputedCents: number }
// What the shop owes a seller, and the part of it that a dispute may take.
export const readOwed = find<ReadOwedInput, ReadOwedRow>('readOwed')

export type ListUnderWayInput = { sellerId: string }
export type ListUnderWayRow = {
  orderLineId: string
  grossCents: number
  feeCents: number
  returnedCents: number
  returnedFeeCents: number
  wantedCents: number
}
// The sales of a seller in orders with a refund under way. A refund of no lines may take all of its sum from one sale.
export const listUnderWay = find<ListUnderWayInput, ListUnderWayRow>('listUnderWay')
