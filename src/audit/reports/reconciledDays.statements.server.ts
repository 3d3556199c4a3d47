// Made by `npm run tables` from reconciledDays.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('reconciledDays.sql', import.meta.url))

export type AddDueDaysInput = { provider: string; reportHours: number; maxDays: number }
export type AddDueDaysRow = Record<string, never>
// Adds yesterday and earlier days that are missing. A report is complete `reportHours` after the end of its day.
export const addDueDays = find<AddDueDaysInput, AddDueDaysRow>('addDueDays')

export type FindDueDaysInput = { provider: string; maxDays: number; max: number }
export type FindDueDaysRow = { day: string }
// Days to compare, newest first. A day with a difference, an unreadable report or unbooked fees is compared once a day.
export const findDueDays = find<FindDueDaysInput, FindDueDaysRow>('findDueDays')

export type MarkReadInput = { provider: string; day: string }
export type MarkReadRow = Record<string, never>
export const markRead = find<MarkReadInput, MarkReadRow>('markRead')

export type MarkComparedInput = { hasFees: boolean; provider: string; day: string }
export type MarkComparedRow = Record<string, never>
export const markCompared = find<MarkComparedInput, MarkComparedRow>('markCompared')

export type RecordDifferencesInput = { found: string[]; isAll: boolean; provider: string; day: string }
export type RecordDifferencesRow = { violation: string }
// Stores the differences of a day and returns new ones. `isAll`: ends differences that are not in the list.
export const recordDifferences = find<RecordDifferencesInput, RecordDifferencesRow>('recordDifferences')

export type EndOldDifferencesInput = { maxDays: number }
export type EndOldDifferencesRow = Record<string, never>
// Ends differences that were not explained within `maxDays`.
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
// Rows of the shop with the references of a report, on any day. A payment of a wrong amount has the amount of its first
// refund.
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
// Movements of a provider's account between `start` and `end`. Excludes dispute holds, their ends and refunds that a
// bank returned: these are neither payments nor refunds.
export const findBooked = find<FindBookedInput, FindBookedRow>('findBooked')
