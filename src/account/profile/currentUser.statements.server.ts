// Made by `npm run tables` from currentUser.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('currentUser.sql', import.meta.url))

export type ReadUserInput = { id: string }
export type ReadUserRow = { json: string }
export const readUser = find<ReadUserInput, ReadUserRow>('readUser')
