// Made by `npm run tables` from presence.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('presence.sql', import.meta.url))

export type NotifyOfReaderInput = { staffId: string; userId: string }
export type NotifyOfReaderRow = { sent: string }
export const notifyOfReader = find<NotifyOfReaderInput, NotifyOfReaderRow>('notifyOfReader')
