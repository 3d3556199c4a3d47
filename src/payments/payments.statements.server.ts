// Made by `npm run tables` from payments.sql. Do not edit.
import { readStatements } from '../kit/sql/statements.server.ts'

const find = readStatements(new URL('payments.sql', import.meta.url))

export type InsertPaymentInput = {
  orderId: string
  provider: string
  mode: string
  amountCents: number
  walletId: string | null
}
export type InsertPaymentRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const insertPayment = find<InsertPaymentInput, InsertPaymentRow>('insertPayment')

export type FindPaymentInput = { id: string }
export type FindPaymentRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const findPayment = find<FindPaymentInput, FindPaymentRow>('findPayment')

export type FindByCaptureInput = { captureId: string }
export type FindByCaptureRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const findByCapture = find<FindByCaptureInput, FindByCaptureRow>('findByCapture')

export type FindByProviderOrderInput = { provider: string; ref: string }
export type FindByProviderOrderRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const findByProviderOrder = find<FindByProviderOrderInput, FindByProviderOrderRow>('findByProviderOrder')

export type FindOfBuyerInput = { ref: string; userId: string }
export type FindOfBuyerRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const findOfBuyer = find<FindOfBuyerInput, FindOfBuyerRow>('findOfBuyer')

export type FindAtProviderInput = { provider: string; ref: string | null; paymentId: string | null; userId: string }
export type FindAtProviderRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
// Finds the buyer's payment by the provider's order id or the payment id.
export const findAtProvider = find<FindAtProviderInput, FindAtProviderRow>('findAtProvider')

export type LockPaymentsInput = { orderId: string }
export type LockPaymentsRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const lockPayments = find<LockPaymentsInput, LockPaymentsRow>('lockPayments')

export type ListPaymentsInput = { orderId: string }
export type ListPaymentsRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const listPayments = find<ListPaymentsInput, ListPaymentsRow>('listPayments')

export type NameAtProviderInput = { providerOrderId: string; id: string }
export type NameAtProviderRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
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
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
export const nameAtProvider = find<NameAtProviderInput, NameAtProviderRow>('nameAtProvider')

export type LeaseAtOnceInput = { userId: string; providerOrderId: string; leaseSeconds: number }
export type LeaseAtOnceRow = {
  id: string
  orderId: string
  provider: string
  mode: 'sandbox' | 'live'
  status: string
  amountCents: number
  currency: string
  providerOrderId: string | null
  providerCaptureId: string | null
  walletId: string | null
  leaseUntil: Date | null
  declines: number
  lastError: string | null
  createdAt: Date
  updatedAt: Date
  declinedCaptures: string[]
  closedAt: Date | null
  card: string | null
  isLeased: boolean
  ageMinutes: number
  sentMinutes: number | null
}
// Leases the capture of an approved payment. Returns the payment as it was before.
export const leaseAtOnce = find<LeaseAtOnceInput, LeaseAtOnceRow>('leaseAtOnce')

export type EnqueueOverdueInput = { lanes: number }
export type EnqueueOverdueRow = { jobId: number }
// Enqueues captures whose lease expired without a result, once each. Their jobs have a low priority, because each can
// wait seconds for an unavailable provider.
export const enqueueOverdue = find<EnqueueOverdueInput, EnqueueOverdueRow>('enqueueOverdue')

export type ListUnclosedInput = { provider: string; mode: string }
export type ListUnclosedRow = { id: string }
// Ended payments that the provider could still capture, oldest first. The polling interval grows with their age.
export const listUnclosed = find<ListUnclosedInput, ListUnclosedRow>('listUnclosed')
