// Made by `npm run tables` from supply.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('supply.sql', import.meta.url))

export type InsertRequestsInput = { paymentId: string; lines: string }
export type InsertRequestsRow = { lineId: string }
// Paid lines of supplied products without codes from the stock.
export const insertRequests = find<InsertRequestsInput, InsertRequestsRow>('insertRequests')

export type EndReturnedInput = { lines: string }
export type EndReturnedRow = Record<string, never>
export const endReturned = find<EndReturnedInput, EndReturnedRow>('endReturned')

export type FindWaitingInput = Record<string, never>
export type FindWaitingRow = { lineId: string; isOver: boolean }
// Requests that are due for a retry, and expired ones.
export const findWaiting = find<FindWaitingInput, FindWaitingRow>('findWaiting')

export type ReadSuppliesInput = Record<string, never>
export type ReadSuppliesRow = { productId: string; title: string; sku: string; minutes: number; waiting: number }
export const readSupplies = find<ReadSuppliesInput, ReadSuppliesRow>('readSupplies')
