// Made by `npm run tables` from unusedMoney.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('unusedMoney.sql', import.meta.url))

export type ListUnusedInput = { paymentId: string }
export type ListUnusedRow = { account: string; cents: number }
// The accounts of captured money that bought no goods.
export const listUnused = find<ListUnusedInput, ListUnusedRow>('listUnused')

export type FindAccountInput = { paymentId: string }
export type FindAccountRow = { account: string }
export const findAccount = find<FindAccountInput, FindAccountRow>('findAccount')
