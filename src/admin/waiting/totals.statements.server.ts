// Made by `npm run tables` from totals.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('totals.sql', import.meta.url))

export type ReadTotalsInput = Record<string, never>
export type ReadTotalsRow = {
  days: number
  orders: number
  sales: number
  revenue: number
  refunded: number
  fees: number
  costs: number
  newMembers: number
}
// Today and the last 7 days.
export const readTotals = find<ReadTotalsInput, ReadTotalsRow>('readTotals')
