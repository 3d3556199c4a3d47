import type { ReasonCode } from '../../orders/states.rules.ts'
import type pg from 'pg'
import * as statements from './answers.statements.server.ts'

// What the assistant may read about the person it answers. Each statement takes the member's id from the session.
// Codes, keys, payment ids and addresses are not among the columns.

export type Purchase = {
  id: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  /** Of the order's last event. */
  code: ReasonCode
  cents: number
  at: string
  /** Minutes until an unpaid order expires. */
  minutesLeft: number | null
  isHeld: boolean
  lines: { title: string; quantity: number; delivery: string | null; productId: string }[]
}

export const MAX_READ = 20

export type PurchaseQuery = {
  /** The last eight characters of the number. */
  number?: string
  status?: Purchase['status']
  ids?: string[]
}

/** The newest orders of a member that match, at most `MAX_READ`. */
export const readPurchases = (pool: pg.Pool, userId: string, { number, status, ids }: PurchaseQuery = {}) =>
  statements.findPurchases(pool, {
    userId,
    number: number ?? null,
    orderStatus: status ?? null,
    ids: ids ?? null,
    most: MAX_READ,
  })

export type Sums = statements.ReadSpendingRow
export const readSpending = (pool: pg.Pool, userId: string) => statements.readSpending(pool, { userId })

export type OwnedThing = statements.ReadOwnedRow
/** The newest that a member owns; `owned` counts all. */
export const readOwned = (pool: pg.Pool, userId: string) => statements.readOwned(pool, { userId })
