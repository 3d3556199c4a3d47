// Made by `npm run tables` from usdcAddresses.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('usdcAddresses.sql', import.meta.url))

export type NextIndexInput = Record<string, never>
export type NextIndexRow = { index: number }
export const nextIndex = find<NextIndexInput, NextIndexRow>('nextIndex')

export type GiveAddressInput = {
  address: string
  index: number
  chainId: number
  token: string
  units: number
  confirmations: number
  paymentId: string
}
export type GiveAddressRow = Record<string, never>
// Assigns an address to the payment, once. It expires with the order.
export const giveAddress = find<GiveAddressInput, GiveAddressRow>('giveAddress')

export type LockReusableInput = { paymentId: string; chainId: number; token: string }
export type LockReusableRow = { address: string; formerId: string }
// The address of an ended, unpaid order of the same member without transfers. Late transfers may arrive for an hour.
export const lockReusable = find<LockReusableInput, LockReusableRow>('lockReusable')

export type MoveAddressInput = { units: number; confirmations: number; paymentId: string; address: string }
export type MoveAddressRow = Record<string, never>
export const moveAddress = find<MoveAddressInput, MoveAddressRow>('moveAddress')

export type CountUnpaidInput = { paymentId: string }
export type CountUnpaidRow = { addresses: number }
// The addresses without a transfer that the member got within a day.
export const countUnpaid = find<CountUnpaidInput, CountUnpaidRow>('countUnpaid')

export type CloseAddressInput = { paymentId: string }
export type CloseAddressRow = { address: string }
// Closes an address without transfers. The scanner may still read a block from before the end of an expired payment.
export const closeAddress = find<CloseAddressInput, CloseAddressRow>('closeAddress')

export type ListWatchedInput = { chainId: number; token: string }
export type ListWatchedRow = { address: string }
// Late money may arrive for 30 days after an order ended, or until staff close its exception.
export const listWatched = find<ListWatchedInput, ListWatchedRow>('listWatched')

export type MarkDueInput = { addresses: string[] }
export type MarkDueRow = { paymentId: string | null }
export const markDue = find<MarkDueInput, MarkDueRow>('markDue')

export type FindOwnInput = { orderId: string; userId: string }
export type FindOwnRow = {
  address: string
  derivationIndex: number
  paymentId: string | null
  chainId: number
  token: string
  units: number
  confirmations: number
  expiresAt: Date
  closedAt: Date | null
  acceptedAt: Date | null
  isDue: boolean
  hasTransfers: boolean
  createdAt: Date
  status:
    | 'creating'
    | 'created'
    | 'capturing'
    | 'captured'
    | 'declined'
    | 'canceled'
    | 'expired'
    | 'failed'
    | 'mismatched'
    | 'refunded'
    | 'part_refunded'
}
// The address of a buyer's order: that of the paid payment, otherwise of the newest payment.
export const findOwn = find<FindOwnInput, FindOwnRow>('findOwn')
