// Made by `npm run tables` from currentUser.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('currentUser.sql', import.meta.url))

export type ReadUserInput = { role: string | null; id: string }
export type ReadUserRow = { json: string }
// `role` replaces the role of the account: a session has none while staff see the shop as this member.
export const readUser = find<ReadUserInput, ReadUserRow>('readUser')
