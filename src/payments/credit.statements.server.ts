// Made by `npm run tables` from credit.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('credit.sql', import.meta.url))

export type ReadCreditInput = { userId: string; holdDays: number }
export type ReadCreditRow = {
  balanceCents: number
  heldCents: number | null
  heldUntil: Date | null
  isVerified: boolean
  isNewBuyer: boolean
}
export const readCredit = find<ReadCreditInput, ReadCreditRow>('readCredit')

export type ListEntriesInput = { userId: string; most: number }
export type ListEntriesRow = {
  id: number
  kind: 'earned' | 'spent' | 'returned' | 'refunded' | 'taken_back' | 'given' | 'bounced' | 'reclaimed'
  amountCents: number
  orderId: string | null
  why: string | null
  createdAt: Date
}
export const listEntries = find<ListEntriesInput, ListEntriesRow>('listEntries')

export type ListCategoriesInput = Record<string, never>
export type ListCategoriesRow = { id: string; name: string; isCash: boolean; earnsBonus: boolean }
export const listCategories = find<ListCategoriesInput, ListCategoriesRow>('listCategories')

export type ReadHeldInput = { userId: string; holdDays: number }
export type ReadHeldRow = { cents: number }
export const readHeld = find<ReadHeldInput, ReadHeldRow>('readHeld')

export type CanEarnInput = { orderId: string; userId: string }
export type CanEarnRow = { canEarn: boolean }
// The bonus is for the first order paid with money. The buyer's address must be verified.
export const canEarn = find<CanEarnInput, CanEarnRow>('canEarn')
