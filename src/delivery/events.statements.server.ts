// Made by `npm run tables` from events.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('events.sql', import.meta.url))

export type InsertUseInput = {
  entitlementId: string
  userId: string
  kind: string
  ip: string
  isRecordedEachTime: boolean
}
export type InsertUseRow = Record<string, never>
export const insertUse = find<InsertUseInput, InsertUseRow>('insertUse')

export type FindFirstRevealInput = { orderId: string }
export type FindFirstRevealRow = { at: Date | null }
// When a code of an order was first revealed by its buyer or a recipient.
export const findFirstReveal = find<FindFirstRevealInput, FindFirstRevealRow>('findFirstReveal')
