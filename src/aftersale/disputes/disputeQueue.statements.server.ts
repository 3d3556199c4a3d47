// Made by `npm run tables` from disputeQueue.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('disputeQueue.sql', import.meta.url))

export type FindDisputeInput = { id: string }
export type FindDisputeRow = {
  id: string
  paymentId: string
  orderId: string
  userId: string
  provider: string
  providerDisputeId: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  amountCents: number
  heldCents: number
  reason: string
  evidenceDueAt: Date | null
  openedAt: Date
  createdAt: Date
  lookedAt: Date
  endedAt: Date | null
  refundId: string | null
  evidenceId: string | null
  evidenceNote: string | null
  evidenceBy: string | null
  evidenceSentAt: Date | null
  evidenceRefusal: string | null
  missingSince: Date | null
  settledBy: string | null
  stage: 'warning' | 'inquiry' | 'claim'
  lostCents: number | null
  email: string
  erasedAt: Date | null
  sender: string | null
  canSettle: boolean
}
export const findDispute = find<FindDisputeInput, FindDisputeRow>('findDispute')

export type ListOpenInput = { after: string | null; most: number }
export type ListOpenRow = {
  id: string
  paymentId: string
  orderId: string
  userId: string
  provider: string
  providerDisputeId: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  amountCents: number
  heldCents: number
  reason: string
  evidenceDueAt: Date | null
  openedAt: Date
  createdAt: Date
  lookedAt: Date
  endedAt: Date | null
  refundId: string | null
  evidenceId: string | null
  evidenceNote: string | null
  evidenceBy: string | null
  evidenceSentAt: Date | null
  evidenceRefusal: string | null
  missingSince: Date | null
  settledBy: string | null
  stage: 'warning' | 'inquiry' | 'claim'
  lostCents: number | null
  email: string
  erasedAt: Date | null
  sender: string | null
  canSettle: boolean
}
// Open disputes. A dispute without a due date comes last.
export const listOpen = find<ListOpenInput, ListOpenRow>('listOpen')

export type ListEndedInput = { after: string | null; most: number }
export type ListEndedRow = {
  id: string
  paymentId: string
  orderId: string
  userId: string
  provider: string
  providerDisputeId: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  amountCents: number
  heldCents: number
  reason: string
  evidenceDueAt: Date | null
  openedAt: Date
  createdAt: Date
  lookedAt: Date
  endedAt: Date | null
  refundId: string | null
  evidenceId: string | null
  evidenceNote: string | null
  evidenceBy: string | null
  evidenceSentAt: Date | null
  evidenceRefusal: string | null
  missingSince: Date | null
  settledBy: string | null
  stage: 'warning' | 'inquiry' | 'claim'
  lostCents: number | null
  email: string
  erasedAt: Date | null
  sender: string | null
  canSettle: boolean
}
// Ended disputes, newest first.
export const listEnded = find<ListEndedInput, ListEndedRow>('listEnded')

export type ReadMissingInput = { id: string }
export type ReadMissingRow = { isMissing: boolean }
export const readMissing = find<ReadMissingInput, ReadMissingRow>('readMissing')

export type ListSellersInput = { orderId: string }
export type ListSellersRow = { sellerId: string; lineIds: string[] }
// The sellers of an order with their lines.
export const listSellers = find<ListSellersInput, ListSellersRow>('listSellers')

export type ReadEvidenceInput = { orderId: string; mostDeliveries: number }
export type ReadEvidenceRow = {
  buyerName: string
  buyerEmail: string
  boughtAt: Date
  ip: string | null
  country: string | null
  productDescription: string
  deliveries: import('./evidence.rules.ts').Delivered[]
}
// The purchase behind a dispute, with its first deliveries. Staff send it as evidence.
export const readEvidence = find<ReadEvidenceInput, ReadEvidenceRow>('readEvidence')
