// Made by `npm run tables` from gate.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('gate.sql', import.meta.url))

export type LockGiftOrderInput = { lineId: string }
export type LockGiftOrderRow = Record<string, never>
// Locks the order of a claimed gift's giver, against a refund and a dispute.
export const lockGiftOrder = find<LockGiftOrderInput, LockGiftOrderRow>('lockGiftOrder')

export type LockOwnOrderInput = { lineId: string; userId: string }
export type LockOwnOrderRow = Record<string, never>
export const lockOwnOrder = find<LockOwnOrderInput, LockOwnOrderRow>('lockOwnOrder')

export type FindGoodsInput = { lineId: string; orderId: string | null; userId: string; isForGift: boolean }
export type FindGoodsRow = {
  id: string
  fileId: string | null
  delivery: 'file' | 'code' | 'license' | 'course'
  isCash: boolean
  isGoingBack: boolean
  isDisputed: boolean
}
export const findGoods = find<FindGoodsInput, FindGoodsRow>('findGoods')
