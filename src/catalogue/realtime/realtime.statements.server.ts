// Made by `npm run tables` from realtime.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('realtime.sql', import.meta.url))

export type ReadChangesInput = { minutes: number; most: number }
export type ReadChangesRow = { version: string; json: string }
// The version depends on the content too, because an earlier change can commit after a later one.
export const readChanges = find<ReadChangesInput, ReadChangesRow>('readChanges')
