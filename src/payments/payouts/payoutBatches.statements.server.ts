// Made by `npm run tables` from payoutBatches.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('payoutBatches.sql', import.meta.url))

export type LockBatchesInput = { payoutIds: string[] }
export type LockBatchesRow = { id: string }
export const lockBatches = find<LockBatchesInput, LockBatchesRow>('lockBatches')

export type LeaseBatchInput = { id: string }
export type LeaseBatchRow = { isFirst: boolean; sentDays: number }
// The lease is longer than the timeout of all requests of one batch, so that two callers never send it at once.
export const leaseBatch = find<LeaseBatchInput, LeaseBatchRow>('leaseBatch')

export type ListOpenInput = { idleSeconds: number }
export type ListOpenRow = { id: string; state: 'approved' | 'sent' | 'refused' | 'over' }
// Open batches of providers, and finished batches once a day, because a provider can reverse a payout for about a
// month. Oldest read first; older batches are read less often.
export const listOpen = find<ListOpenInput, ListOpenRow>('listOpen')
