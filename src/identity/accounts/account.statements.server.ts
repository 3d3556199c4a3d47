// Made by `npm run tables` from account.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('account.sql', import.meta.url))

export type ReadAccountInput = { userId: string }
export type ReadAccountRow = { json: string }
// `isMailRefused`: the recipient's mail server permanently refused the newest mail.
export const readAccount = find<ReadAccountInput, ReadAccountRow>('readAccount')

export type EraseBelongingsInput = { userId: string }
export type EraseBelongingsRow = { erased: string }
export const eraseBelongings = find<EraseBelongingsInput, EraseBelongingsRow>('eraseBelongings')
