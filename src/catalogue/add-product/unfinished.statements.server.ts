// Made by `npm run tables` from unfinished.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('unfinished.sql', import.meta.url))

export type ListUnfinishedInput = { userId: string; limit: number }
export type ListUnfinishedRow = { id: string; entered: import('./unfinished.contract.ts').Entered; updatedAt: Date }
export const listUnfinished = find<ListUnfinishedInput, ListUnfinishedRow>('listUnfinished')

export type LockUnfinishedInput = { userId: string }
export type LockUnfinishedRow = { locked: string }
// Saves of a member run one after another, so that none exceeds the maximum.
export const lockUnfinished = find<LockUnfinishedInput, LockUnfinishedRow>('lockUnfinished')

export type SaveUnfinishedInput = { id: string; userId: string; entered: unknown; most: number }
export type SaveUnfinishedRow = { id: string }
// No row: the id belongs to another member, or the member has the maximum.
export const saveUnfinished = find<SaveUnfinishedInput, SaveUnfinishedRow>('saveUnfinished')

export type RemoveUnfinishedInput = { id: string; userId: string }
export type RemoveUnfinishedRow = Record<string, never>
export const removeUnfinished = find<RemoveUnfinishedInput, RemoveUnfinishedRow>('removeUnfinished')

export type ForgetUnfinishedInput = { userId: string }
export type ForgetUnfinishedRow = Record<string, never>
export const forgetUnfinished = find<ForgetUnfinishedInput, ForgetUnfinishedRow>('forgetUnfinished')
