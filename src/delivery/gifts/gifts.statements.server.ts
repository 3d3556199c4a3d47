// Made by `npm run tables` from gifts.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('gifts.sql', import.meta.url))

export type LockGiftsToEndInput = { orderLineId: string }
export type LockGiftsToEndRow = {
  id: string
  orderLineId: string
  quantity: number
  state: 'open' | 'claimed' | 'taken_back' | 'ended'
  links: number
  tokenHash: string
  toName: string
  toEmail: string | null
  note: string
  sendAt: Date | null
  sentAt: Date | null
  claimedBy: string | null
  claimedAt: Date | null
  createdAt: Date
  giveKey: string | null
  bad: number
}
// Gifts in the order in which a refund ends them: codes that a case refunds first, then waiting gifts, newest first.
export const lockGiftsToEnd = find<LockGiftsToEndInput, LockGiftsToEndRow>('lockGiftsToEnd')

export type CountMailsInput = { address: string; giverId: string; at: Date | string }
export type CountMailsRow = { mails: number }
export const countMails = find<CountMailsInput, CountMailsRow>('countMails')

export type ReadCopiesInput = { orderLineId: string }
export type ReadCopiesRow = { quantity: number; given: number; isGiven: boolean; isUsed: boolean; codesLeft: number }
export const readCopies = find<ReadCopiesInput, ReadCopiesRow>('readCopies')

export type ReadLineUsesInput = { orderId: string }
export type ReadLineUsesRow = {
  id: string
  delivery: 'file' | 'code' | 'license' | 'course'
  isGiven: boolean
  isUsed: boolean
  copies: number
  names: string[]
  isOpened: boolean
}
export const readLineUses = find<ReadLineUsesInput, ReadLineUsesRow>('readLineUses')

export type ForgetGiftsInput = { userId: string }
export type ForgetGiftsRow = Record<string, never>
export const forgetGifts = find<ForgetGiftsInput, ForgetGiftsRow>('forgetGifts')

export type ReadShownGiftInput = { userId: string | null; tokenHash: string }
export type ReadShownGiftRow = { gift: import('./gifts.contract.ts').ShownGift }
export const readShownGift = find<ReadShownGiftInput, ReadShownGiftRow>('readShownGift')
