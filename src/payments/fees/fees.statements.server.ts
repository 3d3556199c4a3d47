// Made by `npm run tables` from fees.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('fees.sql', import.meta.url))

export type RecordFeesInput = {
  provider: string
  mode: string
  transferId: string
  refs: string[]
  cents: number[]
  times: Date[]
}
export type RecordFeesRow = { amountCents: number }
// Records the fees that the ledger lacks. Parts of one fee have the same reference.
export const recordFees = find<RecordFeesInput, RecordFeesRow>('recordFees')
