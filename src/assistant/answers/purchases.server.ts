import type { ReasonCode } from '../../orders/states.rules.ts'
import type pg from 'pg'
import * as statements from './answers.statements.server.ts'

// The member's data that the assistant can read. Each statement gets the member's id from the session. The columns
// contain no codes, keys, payment ids or addresses.

export type Purchase = {
  id: string
  status: 'pending' | 'completed' | 'failed' | 'refunded'
  /** The code of the order's last event. */
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

/** Returns the newest matching orders of a member, at most `MAX_READ`. */
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
/** Returns the newest purchases of a member; `owned` counts all. */
export const readOwned = (pool: pg.Pool, userId: string) => statements.readOwned(pool, { userId })
