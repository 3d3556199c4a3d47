// Made by `npm run tables` from again.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('again.sql', import.meta.url))

export type FindOpenInput = { ids: string[]; userId: string }
export type FindOpenRow = { id: string }
// Finds products that the member can open and needs only once, such as files.
export const findOpen = find<FindOpenInput, FindOpenRow>('findOpen')
