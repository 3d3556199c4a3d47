// Made by `npm run tables` from selfRefund.sql. Do not edit.
import { readStatements } from '../../kit/sql/statements.server.ts'

const find = readStatements(new URL('selfRefund.sql', import.meta.url))

export type LockBuyerInput = { userId: string }
export type LockBuyerRow = { lock: unknown }
// Locks the buyer, so that concurrent refunds of two orders count each other.
export const lockBuyer = find<LockBuyerInput, LockBuyerRow>('lockBuyer')

export type FindTakenInput = { orderId: string; copies: unknown }
export type FindTakenRow = { id: string; status: 'requested' | 'completed'; cents: number }
// Finds the buyer's earlier self-service refund of exactly these copies.
export const findTaken = find<FindTakenInput, FindTakenRow>('findTaken')

export type ReadStandingInput = { orderId: string }
export type ReadStandingRow = { ageDays: number; recent: number; lostDisputes: number }
export const readStanding = find<ReadStandingInput, ReadStandingRow>('readStanding')
