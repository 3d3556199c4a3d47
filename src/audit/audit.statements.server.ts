// Made by `npm run tables` from audit.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('audit.sql', import.meta.url))

export type FindOrderFaultsInput = { ids: string[] }
export type FindOrderFaultsRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string
  facts: import('./sentences.rules.ts').Facts
}
// The faults of some orders. The cost depends on the number of `ids`, not on the size of the shop.
export const findOrderFaults = find<FindOrderFaultsInput, FindOrderFaultsRow>('findOrderFaults')

export type FindMemberFaultsInput = { ids: string[] }
export type FindMemberFaultsRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string
  facts: import('./sentences.rules.ts').Facts
}
export const findMemberFaults = find<FindMemberFaultsInput, FindMemberFaultsRow>('findMemberFaults')

export type FindTransferFaultsInput = { ids: string[] }
export type FindTransferFaultsRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string
  facts: import('./sentences.rules.ts').Facts
}
export const findTransferFaults = find<FindTransferFaultsInput, FindTransferFaultsRow>('findTransferFaults')

export type FindDiscountFaultsInput = { ids: string[] }
export type FindDiscountFaultsRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string
  facts: import('./sentences.rules.ts').Facts
}
export const findDiscountFaults = find<FindDiscountFaultsInput, FindDiscountFaultsRow>('findDiscountFaults')

export type FindShopFaultsInput = Record<string, never>
export type FindShopFaultsRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string | null
  facts: import('./sentences.rules.ts').Facts
}
export const findShopFaults = find<FindShopFaultsInput, FindShopFaultsRow>('findShopFaults')

export type FindOverdueInput = { hours: number; longHours: number }
export type FindOverdueRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string
  facts: import('./sentences.rules.ts').Facts
}
// Work that is unfinished `hours` after its start. Refunds at the provider, or without the buyer's address, have
// `longHours`.
export const findOverdue = find<FindOverdueInput, FindOverdueRow>('findOverdue')

export type FindFaultsInput = { rules: string[] }
export type FindFaultsRow = {
  rule: string
  code: import('./sentences.rules.ts').Code
  subject: string | null
  facts: import('./sentences.rules.ts').Facts
}
// All faults of some rules except overdue work. Reads all rows.
export const findFaults = find<FindFaultsInput, FindFaultsRow>('findFaults')

export type FindChangedOrdersInput = { event: number; entry: number; max: number }
export type FindChangedOrdersRow = { id: string }
// Orders with a new event, or with a new ledger entry for one of their payments.
export const findChangedOrders = find<FindChangedOrdersInput, FindChangedOrdersRow>('findChangedOrders')

export type FindChangedMembersInput = { entry: number; max: number }
export type FindChangedMembersRow = { id: string }
export const findChangedMembers = find<FindChangedMembersInput, FindChangedMembersRow>('findChangedMembers')

export type FindChangedTransfersInput = { entry: number; max: number }
export type FindChangedTransfersRow = { id: string }
export const findChangedTransfers = find<FindChangedTransfersInput, FindChangedTransfersRow>('findChangedTransfers')

export type FindChangedDiscountsInput = { event: number; max: number }
export type FindChangedDiscountsRow = { id: string }
export const findChangedDiscounts = find<FindChangedDiscountsInput, FindChangedDiscountsRow>('findChangedDiscounts')

export type PageOrdersInput = { after: string; end: string; max: number }
export type PageOrdersRow = { id: string }
// A page of ids: those above `after` up to `end`.
export const pageOrders = find<PageOrdersInput, PageOrdersRow>('pageOrders')

export type PageMembersInput = { after: string; end: string; max: number }
export type PageMembersRow = { id: string }
export const pageMembers = find<PageMembersInput, PageMembersRow>('pageMembers')

export type PageTransfersInput = { after: string; end: string; max: number }
export type PageTransfersRow = { id: string }
export const pageTransfers = find<PageTransfersInput, PageTransfersRow>('pageTransfers')

export type PageDiscountsInput = { after: string; end: string; max: number }
export type PageDiscountsRow = { id: string }
export const pageDiscounts = find<PageDiscountsInput, PageDiscountsRow>('pageDiscounts')
