import type { ReasonCode } from '../../orders/states.rules.ts'
import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'

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

/** So many are read at once. */
export const MAX_READ = 20

/** Which of a member's orders to read. */
export type PurchaseQuery = {
  /** The last eight characters of the number. */
  number?: string
  status?: Purchase['status']
  ids?: string[]
}

/** The newest orders of a member that match, at most `MAX_READ`. */
export const readPurchases = (pool: pg.Pool, userId: string, { number, status, ids }: PurchaseQuery = {}) =>
  ordersOf(pool, userId, number ?? null, status ?? null, ids ?? null)

const ordersOf = statement<
  Purchase,
  [userId: string, number: string | null, status: string | null, ids: string[] | null]
>(
  'assistant_orders',
  `SELECT o.id, o.status, o.total_cents AS cents,
    (SELECT v.reason_code FROM order_events v WHERE v.order_id = o.id ORDER BY v.id DESC LIMIT 1) AS code, ${isoOf('o.created_at')} AS at,
    CASE WHEN o.status = 'pending' THEN greatest(0, ceil(extract(epoch FROM o.expires_at - now()) / 60))::int END AS "minutesLeft",
    EXISTS (SELECT FROM risk_holds h WHERE h.order_id = o.id AND h.kind = 'hold' AND h.state = 'open') AS "isHeld",
    (SELECT coalesce(json_agg(json_build_object('title', l.title, 'quantity', l.quantity, 'delivery', l.delivery,
      'productId', l.product_id) ORDER BY l.position), '[]') FROM order_lines l WHERE l.order_id = o.id) AS lines
  FROM orders o WHERE o.user_id = $1 AND ($2::text IS NULL OR right(o.id::text, 8) = $2) AND ($3::text IS NULL OR o.status = $3)
    AND ($4::uuid[] IS NULL OR o.id = ANY ($4)) ORDER BY o.created_at DESC, o.id DESC LIMIT ${MAX_READ}`,
)

export type Sums = { spent: number; credit: number }
export const readSpending = statement<Sums, [userId: string]>(
  'assistant_spending',
  `SELECT spent, coalesce((SELECT greatest(balance_cents, 0) FROM credit_accounts WHERE user_id = $1), 0)::bigint AS credit
  FROM purchase_sums($1) sums`,
)

export type OwnedThing = { title: string; orderId: string; delivery: string; owned: number }
/** The newest that a member owns; `owned` counts all. */
export const readOwned = statement<OwnedThing, [userId: string]>(
  'assistant_owned',
  `SELECT l.title, l.order_id AS "orderId", l.delivery, (count(*) OVER ())::int AS owned
  FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id AND o.status = 'completed'
  WHERE e.user_id = $1 AND e.revoked_at IS NULL ORDER BY e.created_at DESC LIMIT 100`,
)
