// Made by `npm run tables` from payouts.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('payouts.sql', import.meta.url))

export type ListDueInput = { after: string; most: number }
export type ListDueRow = { userId: string }
// Sellers, by id, whose monthly payout is due.
export const listDue = find<ListDueInput, ListDueRow>('listDue')

export type FindDueInput = { userId: string }
export type FindDueRow = { userId: string }
export const findDue = find<FindDueInput, FindDueRow>('findDue')

export type ReadNowInput = Record<string, never>
export type ReadNowRow = { at: Date }
export const readNow = find<ReadNowInput, ReadNowRow>('readNow')
