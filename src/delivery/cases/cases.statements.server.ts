// Made by `npm run tables` from cases.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('cases.sql', import.meta.url))

export type InsertCaseInput = { userId: string; reason: string; note: string; hours: number; codeId: string }
export type InsertCaseRow = {
  id: string
  codeId: string
  orderLineId: string
  userId: string
  sellerId: string
  reason: 'invalid' | 'used' | 'amount' | 'expired' | 'other'
  note: string
  state: 'seller' | 'staff' | 'refunding' | 'replaced' | 'refunded' | 'rejected' | 'over'
  answerBy: Date
  sellerWords: string
  words: string
  decidedBy: string | null
  replacementId: string | null
  createdAt: Date
  decidedAt: Date | null
  refundId: string | null
}
export const insertCase = find<InsertCaseInput, InsertCaseRow>('insertCase')

export type LockLateCasesInput = { limit: number }
export type LockLateCasesRow = {
  id: string
  codeId: string
  orderLineId: string
  userId: string
  sellerId: string
  reason: 'invalid' | 'used' | 'amount' | 'expired' | 'other'
  note: string
  state: 'seller' | 'staff' | 'refunding' | 'replaced' | 'refunded' | 'rejected' | 'over'
  answerBy: Date
  sellerWords: string
  words: string
  decidedBy: string | null
  replacementId: string | null
  createdAt: Date
  decidedAt: Date | null
  refundId: string | null
  isGone: boolean
}
// Cases past their deadline, and cases whose code was revoked. Skips cases that other nodes lock.
export const lockLateCases = find<LockLateCasesInput, LockLateCasesRow>('lockLateCases')

export type FollowRefundsInput = { limit: number }
export type FollowRefundsRow = {
  id: string
  codeId: string
  orderLineId: string
  userId: string
  sellerId: string
  reason: 'invalid' | 'used' | 'amount' | 'expired' | 'other'
  note: string
  state: 'seller' | 'staff' | 'refunding' | 'replaced' | 'refunded' | 'rejected' | 'over'
  answerBy: Date
  sellerWords: string
  words: string
  decidedBy: string | null
  replacementId: string | null
  createdAt: Date
  decidedAt: Date | null
  refundId: string | null
}
export const followRefunds = find<FollowRefundsInput, FollowRefundsRow>('followRefunds')

export type ReplaceCodeInput = { codeId: string }
export type ReplaceCodeRow = { id: string; productId: string }
// Replaces the bad code by the next one in stock. Returns no row if the stock is empty.
export const replaceCode = find<ReplaceCodeInput, ReplaceCodeRow>('replaceCode')

export type ReadCaseInput = { id: string }
export type ReadCaseRow = {
  id: string
  ciphertext: Buffer
  productId: string
  title: string
  orderId: string
  state: import('./cases.rules.ts').CodeCaseState
  reason: import('./cases.rules.ts').CaseReason
  note: string
  sellerWords: string
  words: string
  openedAt: string
  answerBy: string
  decidedAt: string | null
  canReplace: boolean
  isRefundFailed: boolean
  counts: { buyer: number; seller: number }
  saleId: string
  reveals: { count: number; firstAt: string | null; lastAt: string | null }
  isGift: boolean
}
export const readCase = find<ReadCaseInput, ReadCaseRow>('readCase')

export type ReadOpenCasesInput = { sellerId: string | null; after: string | null; limit: number }
export type ReadOpenCasesRow = {
  id: string
  ciphertext: Buffer
  productId: string
  title: string
  orderId: string
  state: import('./cases.rules.ts').CodeCaseState
  reason: import('./cases.rules.ts').CaseReason
  note: string
  sellerWords: string
  words: string
  openedAt: string
  answerBy: string
  decidedAt: string | null
  canReplace: boolean
  isRefundFailed: boolean
  counts: { buyer: number; seller: number }
  saleId: string
  reveals: { count: number; firstAt: string | null; lastAt: string | null }
  isGift: boolean
}
// Next deadline first. Without `sellerId`: the cases of staff.
export const readOpenCases = find<ReadOpenCasesInput, ReadOpenCasesRow>('readOpenCases')

export type ReadEndedCasesInput = { sellerId: string | null; after: string | null; limit: number }
export type ReadEndedCasesRow = {
  id: string
  ciphertext: Buffer
  productId: string
  title: string
  orderId: string
  state: import('./cases.rules.ts').CodeCaseState
  reason: import('./cases.rules.ts').CaseReason
  note: string
  sellerWords: string
  words: string
  openedAt: string
  answerBy: string
  decidedAt: string | null
  canReplace: boolean
  isRefundFailed: boolean
  counts: { buyer: number; seller: number }
  saleId: string
  reveals: { count: number; firstAt: string | null; lastAt: string | null }
  isGift: boolean
}
// Newest decision first.
export const readEndedCases = find<ReadEndedCasesInput, ReadEndedCasesRow>('readEndedCases')
