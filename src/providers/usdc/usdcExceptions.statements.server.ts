// Made by `npm run tables` from usdcExceptions.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('usdcExceptions.sql', import.meta.url))

export type SumBookedInput = { paymentId: string; account: string }
export type SumBookedRow = { cents: number }
export const sumBooked = find<SumBookedInput, SumBookedRow>('sumBooked')

export type SumReturnedInput = { paymentId: string }
export type SumReturnedRow = { cents: number }
// Money that staff returned to the buyer without a refund.
export const sumReturned = find<SumReturnedInput, SumReturnedRow>('sumReturned')

export type FindOrderOfInput = { id: string }
export type FindOrderOfRow = { paymentId: string; orderId: string; userId: string }
export const findOrderOf = find<FindOrderOfInput, FindOrderOfRow>('findOrderOf')

export type LockPaymentInput = { id: string }
export type LockPaymentRow = Record<string, never>
export const lockPayment = find<LockPaymentInput, LockPaymentRow>('lockPayment')

export type LockExceptionInput = { id: string }
export type LockExceptionRow = {
  kind: 'underpaid' | 'overpaid' | 'late' | 'reorganised' | 'refund'
  state: 'open' | 'sent' | 'done'
  paymentId: string
  amountCents: number
  refundAddress: string | null
  isWaiting: boolean
}
export const lockException = find<LockExceptionInput, LockExceptionRow>('lockException')

export type ListExceptionsInput = { isDone: boolean; most: number }
export type ListExceptionsRow = {
  id: string
  kind: 'underpaid' | 'overpaid' | 'late' | 'reorganised' | 'refund'
  amountCents: number
  state: 'open' | 'sent' | 'done'
  refundAddress: string | null
  addressWaitsUntil: Date | null
  txHash: string | null
  resolution: 'returned' | 'settled' | 'recovered' | 'written_off' | null
  problem: string | null
  createdAt: Date
  doneAt: Date | null
  orderId: string
  userId: string
  buyer: string
  address: string
  units: number
  chainId: number
  receivedUnits: number
}
// Open exceptions, oldest first. With `isDone` closed exceptions, newest first.
export const listExceptions = find<ListExceptionsInput, ListExceptionsRow>('listExceptions')

export type ListSentInput = { chainId: number; token: string; day: string }
export type ListSentRow = { txHash: string | null; logIndex: number | null; amountCents: number; doneAt: Date | null }
// Money that was returned on a day in UTC.
export const listSent = find<ListSentInput, ListSentRow>('listSent')

export type FindSentInput = { chainId: number; token: string; refs: string[] }
export type FindSentRow = { txHash: string | null; logIndex: number | null; amountCents: number }
export const findSent = find<FindSentInput, FindSentRow>('findSent')
