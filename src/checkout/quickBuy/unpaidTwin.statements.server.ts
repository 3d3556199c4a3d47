// Made by `npm run tables` from unpaidTwin.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('unpaidTwin.sql', import.meta.url))

export type FindUnpaidTwinInput = { userId: string; creditCents: number; lines: string }
export type FindUnpaidTwinRow = { id: string }
// The newest unpaid direct purchase with equal lines and credit, five minutes left and no payment in progress.
export const findUnpaidTwin = find<FindUnpaidTwinInput, FindUnpaidTwinRow>('findUnpaidTwin')
