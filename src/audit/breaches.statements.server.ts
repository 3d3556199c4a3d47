// Made by `npm run tables` from breaches.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('breaches.sql', import.meta.url))

export type ReadPlaceInput = Record<string, never>
export type ReadPlaceRow = { part: number; event: number; entry: number; nextEvent: number; nextEntry: number }
// The last rows that the hourly check read, and the newest rows.
export const readPlace = find<ReadPlaceInput, ReadPlaceRow>('readPlace')

export type SavePlaceInput = { parts: number; tookMs: number; nextEvent: number; nextEntry: number }
export type SavePlaceRow = Record<string, never>
export const savePlace = find<SavePlaceInput, SavePlaceRow>('savePlace')

export type FindBrokenInput = { scope: string }
export type FindBrokenRow = { id: string }
// Subjects of open breaches.
export const findBroken = find<FindBrokenInput, FindBrokenRow>('findBroken')

export type RecordBreachesInput = { breaches: unknown; isAll: boolean }
export type RecordBreachesRow = {
  rule: string
  scope: import('./faults.server.ts').Scope
  subject: string
  violation: string
}
// Stores the breaches and returns new ones. `isAll`: ends breaches that are not in the list.
export const recordBreaches = find<RecordBreachesInput, RecordBreachesRow>('recordBreaches')

export type SumUpBreachesInput = { lateDays: number }
export type SumUpBreachesRow = { count: number; first: string | null; hours: number | null; unread: string | null }
// `unread`: the oldest report of the last two weeks that was unreadable for `lateDays`.
export const sumUpBreaches = find<SumUpBreachesInput, SumUpBreachesRow>('sumUpBreaches')

export type CountStuckInput = Record<string, never>
export type CountStuckRow = { mismatched: number; refused: number }
// Payments that need staff.
export const countStuck = find<CountStuckInput, CountStuckRow>('countStuck')

export type ReadBalancesInput = Record<string, never>
export type ReadBalancesRow = { account: string; accounts: number; cents: number }
// The balance of each ledger account: positive is money of the shop, negative is money that it owes. Sums accounts of
// members and payouts by kind. Reads the whole ledger.
export const readBalances = find<ReadBalancesInput, ReadBalancesRow>('readBalances')
