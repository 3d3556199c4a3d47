// Made by `npm run tables` from budget.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('budget.sql', import.meta.url))

export type LockUploadsInput = { userId: string }
export type LockUploadsRow = { locked: string }
export const lockUploads = find<LockUploadsInput, LockUploadsRow>('lockUploads')

export type CountBytesOfDayInput = { userId: string; id: string | null }
export type CountBytesOfDayRow = { total: number }
// Unfinished uploads count with their announced size, except the upload `id`.
export const countBytesOfDay = find<CountBytesOfDayInput, CountBytesOfDayRow>('countBytesOfDay')

export type TakeTurnInput = { userId: string; leaseSeconds: number; most: number }
export type TakeTurnRow = { id: string }
// Returns no row if the account has no turn left.
export const takeTurn = find<TakeTurnInput, TakeTurnRow>('takeTurn')

export type ProlongTurnInput = { leaseSeconds: number; id: string }
export type ProlongTurnRow = Record<string, never>
export const prolongTurn = find<ProlongTurnInput, ProlongTurnRow>('prolongTurn')
