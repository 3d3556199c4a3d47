import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database.server.ts'
import type { Copies } from './returns.rules.ts'

export type RefundLine = { orderLineId: string; quantity: number; amountCents: number }

/** Sums and copies that are refunded or requested. */
export type LeftLine = Copies & { orderLineId: string; title: string }

/** The paid lines of an order, in its order. Refunds under way that name lines count as made. */
export async function readLeftLines(db: Db | Tx, orderId: string): Promise<LeftLine[]> {
  const { rows } = await sql<LeftLine>`
    SELECT e.order_line_id AS "orderLineId", l.title, l.quantity, e.gross_cents AS "grossCents",
      least(e.gross_cents, e.returned_cents + coalesce(w.cents, 0))::bigint AS "returnedCents",
      least(l.quantity, e.returned_quantity + coalesce(w.copies, 0))::int AS "returnedQuantity"
    FROM earnings e JOIN order_lines l ON l.id = e.order_line_id
    LEFT JOIN LATERAL (
      SELECT sum(n.amount_cents) AS cents, sum(n.quantity) AS copies FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
      WHERE n.order_line_id = e.order_line_id AND r.status = 'requested') w ON true
    WHERE e.order_id = ${orderId}::uuid ORDER BY l.position`.execute(db)
  return rows
}

export async function insertRefundLines(tx: Tx, refundId: string, lines: RefundLine[]) {
  if (lines.length === 0) return
  await tx
    .insertInto('refundLines')
    .values(lines.map((line) => ({ refundId, ...line })))
    .execute()
}

export const findRefundLines = (db: Db | Tx, refundId: string): Promise<RefundLine[]> =>
  db
    .selectFrom('refundLines')
    .select(['orderLineId', 'quantity', 'amountCents'])
    .where('refundId', '=', refundId)
    .orderBy('orderLineId')
    .execute()
