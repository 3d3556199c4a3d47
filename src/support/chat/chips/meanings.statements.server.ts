// Made by `npm run tables` from meanings.sql. Do not edit.
import { readStatements } from '../../../kit/sql/statements.server.ts'

const find = readStatements(new URL('meanings.sql', import.meta.url))

export type ReadMissedInput = { answerId: string; userId: string }
export type ReadMissedRow = { message: string; intent: string; hasProducts: boolean; hasReason: boolean }
// The question of an answer of the customer.
export const readMissed = find<ReadMissedInput, ReadMissedRow>('readMissed')
