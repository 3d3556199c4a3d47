// Made by `npm run tables` from disputes.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('disputes.sql', import.meta.url))

export type FindBySumInput = { paymentId: string; amountCents: number }
export type FindBySumRow = {
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
}
// Finds a dispute with this disputed or lost amount. It must be open, or lost less than a day ago.
export const findBySum = find<FindBySumInput, FindBySumRow>('findBySum')

export type SumHeldInput = { paymentId: string; exceptId: string }
export type SumHeldRow = { cents: number }
// The amount that the payment's other disputes hold.
export const sumHeld = find<SumHeldInput, SumHeldRow>('sumHeld')

export type ListIdleInput = { provider: string; minutes: number; most: number }
export type ListIdleRow = {
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
}
// Open disputes that the shop last read at least `minutes` ago, oldest first. Won disputes once a day for 30 days,
// because a buyer may appeal.
export const listIdle = find<ListIdleInput, ListIdleRow>('listIdle')
