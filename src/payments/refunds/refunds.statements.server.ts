// Made by `npm run tables` from refunds.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('refunds.sql', import.meta.url))

export type SumRefundsInput = { paymentId: string; statuses: string[] }
export type SumRefundsRow = { amountCents: number; creditCents: number }
export const sumRefunds = find<SumRefundsInput, SumRefundsRow>('sumRefunds')

export type SumUnaskedInput = { paymentId: string; reason: string; since: Date | string }
export type SumUnaskedRow = { cents: number }
// Refunds since a time that the provider made without a request of the shop.
export const sumUnasked = find<SumUnaskedInput, SumUnaskedRow>('sumUnasked')

export type ReadMismatchedInput = { paymentId: string }
export type ReadMismatchedRow = { cents: number }
// The amount of a mismatched payment. Its first refund requests the whole amount.
export const readMismatched = find<ReadMismatchedInput, ReadMismatchedRow>('readMismatched')

export type FindRefundInput = { id: string }
export type FindRefundRow = {
  id: string
  paymentId: string
  status: 'requested' | 'completed' | 'failed'
  amountCents: number
  providerRefundId: string | null
  reason: string
  createdAt: Date
  updatedAt: Date
  askedBy: string | null
  askKey: string | null
  askHash: string | null
  refusal: string | null
  takenUpAt: Date | null
  creditCents: number
  isByBuyer: boolean
  settledBy: string | null
  bouncedAt: Date | null
  reclaimedAt: Date | null
  reclaimedCents: number
  isBySeller: boolean
  ageMinutes: number
}
export const findRefund = find<FindRefundInput, FindRefundRow>('findRefund')

export type MarkIdleInput = { most: number }
export type MarkIdleRow = { id: string }
// Refunds whose job was lost or gave up. Oldest request first, so that failing refunds do not block the queue.
export const markIdle = find<MarkIdleInput, MarkIdleRow>('markIdle')
