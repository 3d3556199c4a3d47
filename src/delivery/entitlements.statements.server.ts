// Made by `npm run tables` from entitlements.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('entitlements.sql', import.meta.url))

export type InsertEntitlementsInput = { userId: string; lines: string }
export type InsertEntitlementsRow = Record<string, never>
// If one copy of a product is enough, the copy of the first bundle opens and the others become gifts.
export const insertEntitlements = find<InsertEntitlementsInput, InsertEntitlementsRow>('insertEntitlements')

export type OwnsProductInput = { userId: string; productId: string; exceptLineId: string | null }
export type OwnsProductRow = { isOwned: boolean }
export const ownsProduct = find<OwnsProductInput, OwnsProductRow>('ownsProduct')

export type OpensLineInput = { userId: string; lineId: string }
export type OpensLineRow = { isOpen: boolean }
export const opensLine = find<OpensLineInput, OpensLineRow>('opensLine')
