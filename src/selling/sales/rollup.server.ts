import { type QueryResult, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'

// The job that adds the events of sales to the days. Events leave their table in the transaction that adds them.

const AT_ONCE = 500

/** What the job has added, for whoever tells sellers about it. */
export type SellerEvent = {
  id: number
  sellerId: string
  kind: 'sale' | 'refund' | 'review'
  orderLineId: string
  orderId: string
  productId: string
  title: string
  quantity: number
  isCode: boolean
  /** Of yesterday or today: a sale or review that is loaded from elsewhere is no news. */
  isRecent: boolean
  grossCents: number
  returnedCents: number
}

/** Moves waiting events to the days, oldest first, and returns how many. `tell` runs in the same transaction. */
export const addEvents = (db: Db, tell: (tx: Tx, events: SellerEvent[]) => Promise<void>): Promise<number> =>
  inTransaction(db, async (tx) => {
    const { rows }: QueryResult<SellerEvent> = await sql<SellerEvent>`
      WITH taken AS (
        DELETE FROM seller_events WHERE id IN (
          SELECT id FROM seller_events ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
        RETURNING *),
      named AS (
        SELECT t.*, l.order_id, l.product_id, l.title, l.quantity, l.delivery = 'code' AS is_code
        FROM taken t JOIN order_lines l ON l.id = t.order_line_id),
      added AS (
        INSERT INTO sales_days AS d (seller_id, kind, day, key, orders, sales, refunds, gross_cents, fee_cents, returned_cents)
          SELECT n.seller_id, k.kind, n.day, k.key, sum(n.orders), sum(n.sales), sum(n.refunds), sum(n.gross_cents),
            sum(n.fee_cents), sum(n.returned_cents)
          FROM named n CROSS JOIN LATERAL (VALUES ('all', ''), ('product', n.product_id::text),
            ('country', country_of_order(n.order_id))) k (kind, key)
          WHERE n.kind <> 'review'
          GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
        ON CONFLICT (seller_id, kind, day, key) DO UPDATE SET orders = d.orders + excluded.orders,
          sales = d.sales + excluded.sales, refunds = d.refunds + excluded.refunds,
          gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents,
          returned_cents = d.returned_cents + excluded.returned_cents),
      told AS (SELECT pg_notify('members', seller_id || ' sales') FROM (SELECT DISTINCT seller_id FROM named) sellers)
      SELECT n.id, n.seller_id, n.kind, n.order_line_id, n.order_id, n.product_id, n.title, n.quantity, n.is_code,
        n.day >= utc_day(now()) - 1 AS is_recent,
        n.gross_cents, n.returned_cents, (SELECT count(*) FROM told) AS told
      FROM named n ORDER BY n.id`.execute(tx)
    if (rows.length > 0) await tell(tx, rows)
    return rows.length
  })

const SELLERS_AT_ONCE = 100

/** Moves the periods of all sellers to today, and returns how many sellers were moved. */
export async function movePeriods(db: Db): Promise<number> {
  for (let moved = 0; ; moved += SELLERS_AT_ONCE) {
    const { rows } = await sql`SELECT move_product_sums(seller_id) FROM (SELECT seller_id FROM product_sum_days
      WHERE day < utc_day(now()) ORDER BY seller_id LIMIT ${SELLERS_AT_ONCE}) late`.execute(db)
    if (rows.length < SELLERS_AT_ONCE) return moved + rows.length
  }
}

/** Adds all waiting events. */
export async function addAllEvents(db: Db, tell: (tx: Tx, events: SellerEvent[]) => Promise<void>) {
  while ((await addEvents(db, tell)) === AT_ONCE);
}
