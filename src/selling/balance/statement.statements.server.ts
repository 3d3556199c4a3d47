// Made by `npm run tables` from statement.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('statement.sql', import.meta.url))

export type ReadMonthInput = { sellerId: string; from: Date | string; until: Date | string; most: number | null }
export type ReadMonthRow = {
  opening: number
  isSummedUp: boolean
  moved: (import('./statement.rules.ts').Moved & { more: number | null })[]
}
// The movements of a month, in one snapshot. With more than `most` lines, each day has one line of each kind.
export const readMonth = find<ReadMonthInput, ReadMonthRow>('readMonth')

export type ReadAroundInput = { sellerId: string }
export type ReadAroundRow = {
  pendingSales: number
  pendingUntil: string | null
  disputedSales: number
  disputedCents: number
  firstMonth: string | null
}
// The sales on hold, the disputed sales, and the month of the first movement.
export const readAround = find<ReadAroundInput, ReadAroundRow>('readAround')
