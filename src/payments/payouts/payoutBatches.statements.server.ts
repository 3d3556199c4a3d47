// Made by `npm run tables` from payoutBatches.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('payoutBatches.sql', import.meta.url))

export type LockBatchesInput = { payoutIds: string[] }
export type LockBatchesRow = { id: string }
export const lockBatches = find<LockBatchesInput, LockBatchesRow>('lockBatches')

export type LeaseBatchInput = { id: string }
export type LeaseBatchRow = { isFirst: boolean; sentDays: number }
// The lease is longer than the requests of one sending take, so that no two callers send a batch at a time.
export const leaseBatch = find<LeaseBatchInput, LeaseBatchRow>('leaseBatch')

export type ListOpenInput = { idleSeconds: number }
export type ListOpenRow = { id: string; state: 'approved' | 'sent' | 'refused' | 'over' }
// Batches of providers that are not over, and once a day those that may still change: a provider may take a payout back for about a
// month. The longest unread batch comes first; older batches are read rarely.
export const listOpen = find<ListOpenInput, ListOpenRow>('listOpen')
