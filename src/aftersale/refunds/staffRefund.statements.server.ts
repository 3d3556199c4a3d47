// Made by `npm run tables` from staffRefund.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('staffRefund.sql', import.meta.url))

export type FindSameInput = {
  orderId: string
  amountCents: number
  reason: string
  isCodeSeen: boolean
  askedBy: string | null
  lines: unknown | null
}
export type FindSameRow = { id: string }
// Finds the waiting refund with the same request by the same member of staff.
export const findSame = find<FindSameInput, FindSameRow>('findSame')

export type ReadLastUseInput = { approvalId: string }
export type ReadLastUseRow = { at: Date | null }
// When the buyer last used goods of the order after a refund was requested.
export const readLastUse = find<ReadLastUseInput, ReadLastUseRow>('readLastUse')

export type ReadUnspentInput = { orderId: string; amountCents: number; refundId: string; userId: string }
export type ReadUnspentRow = { unspent: number | null }
// The lowest store credit since a returned refund became credit. Only this amount is reclaimable, because the rest was
// spent. Null: the refund did not become credit. Its entry has the time of the booking.
export const readUnspent = find<ReadUnspentInput, ReadUnspentRow>('readUnspent')
