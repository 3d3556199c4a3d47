// Made by `npm run tables` from payoutQueue.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('payoutQueue.sql', import.meta.url))

export type ListWaitingInput = { after: string | null; most: number }
export type ListWaitingRow = {
  id: string
  sellerId: string
  amountCents: number
  state: import('./payout.rules.ts').PayoutState
  batchId: string | null
  method: import('./payout.rules.ts').Method | null
  label: string | null
  reason: string | null
  createdAt: Date
  endedAt: Date | null
  firstAct: 'approved' | 'failed' | 'returned' | null
  firstStaffId: string | null
  firstEmail: string | null
  email: string
  nextMethod: import('./payout.rules.ts').Method | null
  nextLabel: string | null
  waitsUntil: Date | null
  rejection: string | null
  schedule: import('./payout.rules.ts').Schedule | null
  monthlyAt: Date | null
  at: Date
  isSuspended: boolean
  sevenDaysCents: number
  about: import('./payouts.contract.ts').StoredFacts
}
// Payouts that wait for staff, oldest first.
export const listWaiting = find<ListWaitingInput, ListWaitingRow>('listWaiting')

export type ListNewestInput = { states: string[]; after: string | null; most: number }
export type ListNewestRow = {
  id: string
  sellerId: string
  amountCents: number
  state: import('./payout.rules.ts').PayoutState
  batchId: string | null
  method: import('./payout.rules.ts').Method | null
  label: string | null
  reason: string | null
  createdAt: Date
  endedAt: Date | null
  firstAct: 'approved' | 'failed' | 'returned' | null
  firstStaffId: string | null
  firstEmail: string | null
  email: string
  nextMethod: import('./payout.rules.ts').Method | null
  nextLabel: string | null
  waitsUntil: Date | null
  rejection: string | null
  schedule: import('./payout.rules.ts').Schedule | null
  monthlyAt: Date | null
  at: Date
  isSuspended: boolean
  sevenDaysCents: number
  about: import('./payouts.contract.ts').StoredFacts
}
// Payouts in other states, newest first.
export const listNewest = find<ListNewestInput, ListNewestRow>('listNewest')

export type FindQueuedInput = { ids: string[] }
export type FindQueuedRow = {
  id: string
  sellerId: string
  amountCents: number
  state: import('./payout.rules.ts').PayoutState
  batchId: string | null
  method: import('./payout.rules.ts').Method | null
  label: string | null
  reason: string | null
  createdAt: Date
  endedAt: Date | null
  firstAct: 'approved' | 'failed' | 'returned' | null
  firstStaffId: string | null
  firstEmail: string | null
  email: string
  nextMethod: import('./payout.rules.ts').Method | null
  nextLabel: string | null
  waitsUntil: Date | null
  rejection: string | null
  schedule: import('./payout.rules.ts').Schedule | null
  monthlyAt: Date | null
  at: Date
  isSuspended: boolean
  sevenDaysCents: number
  about: import('./payouts.contract.ts').StoredFacts
}
export const findQueued = find<FindQueuedInput, FindQueuedRow>('findQueued')

export type LockDetailsInput = { ids: string[] }
export type LockDetailsRow = Record<string, never>
export const lockDetails = find<LockDetailsInput, LockDetailsRow>('lockDetails')

export type ListBatchesInput = { most: number }
export type ListBatchesRow = {
  id: string
  method: 'paypal' | 'bank'
  state: 'approved' | 'sent' | 'refused' | 'over'
  createdAt: Date
  problem: string | null
  approvedBy: string
  payouts: number
  cents: number
}
export const listBatches = find<ListBatchesInput, ListBatchesRow>('listBatches')
