// Made by `npm run tables` from suspension.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('suspension.sql', import.meta.url))

export type InsertSuspensionInput = { sellerId: string; reason: string; madeBy: string; days: number | null }
export type InsertSuspensionRow = { id: string; endsAt: Date | null }
// Returns no row if the seller is already suspended.
export const insertSuspension = find<InsertSuspensionInput, InsertSuspensionRow>('insertSuspension')

export type EndSuspensionInput = { actorId: string | null; sellerId: string }
export type EndSuspensionRow = { id: string }
// Without `actorId`, ends only an expired suspension.
export const endSuspension = find<EndSuspensionInput, EndSuspensionRow>('endSuspension')

export type FindOverdueSuspensionsInput = { limit: number }
export type FindOverdueSuspensionsRow = { sellerId: string }
export const findOverdueSuspensions = find<FindOverdueSuspensionsInput, FindOverdueSuspensionsRow>(
  'findOverdueSuspensions',
)
