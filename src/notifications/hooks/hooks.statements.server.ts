// Made by `npm run tables` from hooks.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('hooks.sql', import.meta.url))

export type QueueTestInput = { id: string; data: unknown }
export type QueueTestRow = { queued: string }
export const queueTest = find<QueueTestInput, QueueTestRow>('queueTest')
