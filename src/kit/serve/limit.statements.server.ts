// Made by `npm run tables` from limit.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('limit.sql', import.meta.url))

export type SpendInput = { key: string; account: string | null; stepMs: number; sizeMs: number }
export type SpendRow = { key: string }
// Stores for each key the time at which its budget is full again. Returns no row if the budget is spent.
export const spend = find<SpendInput, SpendRow>('spend')

export type ReadWaitInput = { stepMs: number; sizeMs: number; key: string }
export type ReadWaitRow = { seconds: number }
export const readWait = find<ReadWaitInput, ReadWaitRow>('readWait')

export type GiveBackInput = { stepMs: number; key: string }
export type GiveBackRow = Record<string, never>
export const giveBack = find<GiveBackInput, GiveBackRow>('giveBack')

export type ForgetAccountInput = { account: string }
export type ForgetAccountRow = Record<string, never>
export const forgetAccount = find<ForgetAccountInput, ForgetAccountRow>('forgetAccount')
