import { type QueryResult, sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'

// The job that adds the events of sales to the days. Events leave their table in the transaction that adds them.

const AT_ONCE = 500

/** What the job adds, for whoever tells sellers about it. */
export type SellerEvent = {
  id: number
  sellerId: string
  /** `own` is the seller's own purchase, which does not count as a sale. */
  kind: 'sale' | 'own' | 'refund' | 'review'
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

/** Moves waiting events to the sums, oldest first, and returns how many. `tell` runs in the same transaction. */
export const addEvents = (db: Db, tell: (tx: Tx, events: SellerEvent[]) => Promise<void>): Promise<number> =>
  inTransaction(db, async (tx) => {
    const events = await takeEvents(tx)
    if (events.length === 0) return 0
    // before the sums, whose locks last to the end of the transaction: views of the same sellers wait for them
    await tell(tx, events)
    await addToDays(tx, events)
    await addToCounts(tx, events)
    return events.length
  })

/** `countedId` is the product whose sales the line counts for: that of a variant. `bundleId` is set on one line of a bundle. */
type TakenEvent = SellerEvent & { countedId: string; bundleId: string | null } & {
  day: string
  orders: number
  sales: number
  refunds: number
  feeCents: number
}

async function takeEvents(tx: Tx): Promise<TakenEvent[]> {
  const { rows }: QueryResult<TakenEvent> = await sql<TakenEvent>`
    WITH taken AS (
      DELETE FROM seller_events WHERE id IN (
        SELECT id FROM seller_events ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
      RETURNING *),
    told AS (SELECT pg_notify('members', seller_id || ' sales') FROM (SELECT DISTINCT seller_id FROM taken) sellers)
    SELECT t.id, t.seller_id, t.kind, t.order_line_id, l.order_id, l.product_id, l.title, l.quantity, l.delivery = 'code' AS is_code,
      t.day, t.day >= utc_day(now()) - 1 AS is_recent, t.orders, t.sales, t.refunds, t.gross_cents, t.fee_cents, t.returned_cents,
      coalesce(p.variant_of, p.id) AS counted_id,
      CASE WHEN l.id = (SELECT id FROM order_lines f WHERE f.order_id = l.order_id AND f.bundle_id = l.bundle_id ORDER BY position LIMIT 1)
        THEN l.bundle_id END AS bundle_id,
      (SELECT count(*) FROM told) AS told
    FROM taken t JOIN order_lines l ON l.id = t.order_line_id JOIN products p ON p.id = l.product_id ORDER BY t.id`.execute(
    tx,
  )
  return rows
}

const addToDays = (tx: Tx, events: TakenEvent[]) =>
  sql`INSERT INTO sales_days AS d (seller_id, kind, day, key, orders, sales, refunds, gross_cents, fee_cents, returned_cents)
    SELECT e."sellerId", k.kind, e.day, k.key, sum(e.orders), sum(e.sales), sum(e.refunds), sum(e."grossCents"),
      sum(e."feeCents"), sum(e."returnedCents")
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e ("sellerId" uuid, kind text, "orderId" uuid, "productId" text, day date,
      orders int, sales int, refunds int, "grossCents" bigint, "feeCents" bigint, "returnedCents" bigint)
    CROSS JOIN LATERAL (VALUES ('all', ''), ('product', e."productId"), ('country', country_of_order(e."orderId"))) k (kind, key)
    WHERE e.kind IN ('sale', 'refund')
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (seller_id, kind, day, key) DO UPDATE SET orders = d.orders + excluded.orders,
      sales = d.sales + excluded.sales, refunds = d.refunds + excluded.refunds,
      gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents,
      returned_cents = d.returned_cents + excluded.returned_cents`.execute(tx)

/** Locks in the order of the ids, because two nodes may add at once. */
async function addToCounts(tx: Tx, events: TakenEvent[]) {
  const more = new Map<string, number>()
  for (const { kind, countedId, bundleId } of events)
    if (kind === 'sale')
      for (const id of bundleId ? [countedId, bundleId] : [countedId]) more.set(id, (more.get(id) ?? 0) + 1)
  if (more.size === 0) return
  await sql`
    WITH sold AS MATERIALIZED (
      SELECT c.product_id, s.more FROM (
        -- the sales of a variant are those of its product
        SELECT coalesce(p.variant_of, p.id) AS product_id, sum(n.more)::int AS more
        FROM unnest(${[...more.keys()]}::uuid[], ${[...more.values()]}::int[]) n (id, more) JOIN products p USING (id) GROUP BY 1) s
      JOIN product_counts c USING (product_id) ORDER BY c.product_id FOR NO KEY UPDATE OF c)
    UPDATE product_counts c SET sales = c.sales + sold.more FROM sold WHERE c.product_id = sold.product_id`.execute(tx)
}

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
