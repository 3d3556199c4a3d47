// Made by `npm run tables` from reconciledDays.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('reconciledDays.sql', import.meta.url))

export type AddDueDaysInput = { provider: string; reportHours: number; maxDays: number }
export type AddDueDaysRow = Record<string, never>
// Adds yesterday, and the days before it that no job added. A report is complete `reportHours` after the end of its day.
export const addDueDays = find<AddDueDaysInput, AddDueDaysRow>('addDueDays')

export type FindDueDaysInput = { provider: string; maxDays: number; max: number }
export type FindDueDaysRow = { day: string }
// Days to compare, newest first. A day with a difference, without a report or with fees that are due is compared once a day.
export const findDueDays = find<FindDueDaysInput, FindDueDaysRow>('findDueDays')

export type MarkReadInput = { provider: string; day: string }
export type MarkReadRow = Record<string, never>
export const markRead = find<MarkReadInput, MarkReadRow>('markRead')

export type MarkComparedInput = { hasFees: boolean; provider: string; day: string }
export type MarkComparedRow = Record<string, never>
export const markCompared = find<MarkComparedInput, MarkComparedRow>('markCompared')

export type RecordDifferencesInput = { found: string[]; isAll: boolean; provider: string; day: string }
export type RecordDifferencesRow = { violation: string }
// Stores the differences of a day, and returns those that are new. `isAll`: the others have ended.
export const recordDifferences = find<RecordDifferencesInput, RecordDifferencesRow>('recordDifferences')

export type EndOldDifferencesInput = { maxDays: number }
export type EndOldDifferencesRow = Record<string, never>
// Ends differences for which no explanation was found in `maxDays`.
export const endOldDifferences = find<EndOldDifferencesInput, EndOldDifferencesRow>('endOldDifferences')

export type FindKnownInput = { provider: string; refs: string[] }
export type FindKnownRow = {
  kind: import('../../payments/ledger/report.ts').Booked['kind']
  ref: string | null
  otherRef: string | null
  amountCents: number
  currency: string
  lostCents: number | null
}
// What the shop knows under the references of a report, on any day. A payment of another amount than the order's took what its
// first refund returns.
export const findKnown = find<FindKnownInput, FindKnownRow>('findKnown')

export type FindBookedInput = {
  account: string
  start: Date | string
  end: Date | string
  reportedAt: 'opening' | 'end'
}
export type FindBookedRow = {
  kind: import('../../payments/ledger/report.ts').Booked['kind']
  ref: string | null
  otherRef: string | null
  amountCents: number
  currency: string
  lostCents: number | null
}
// What an account of a provider booked from `start` to `end`. The hold of a dispute, its end, and a refund that a bank returned
// are no payment and no refund.
export const findBooked = find<FindBookedInput, FindBookedRow>('findBooked')
