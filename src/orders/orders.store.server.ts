import { REFUNDING } from './states.rules.ts'
import { type Selectable, sql } from 'kysely'
import { IS_SALE } from '../catalogue/product.sql.server.ts'
import { pageOf } from '../catalogue/variants/variants.sql.server.ts'
import { GIVEN } from '../delivery/gifts/gifts.store.server.ts'
import { SHOWN_GOODS } from '../delivery/kinds.server.ts'
import { compiled, type Db, now, statement, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle } from '../kit/handle.server.ts'
import { decimalOf, isoOf } from '../kit/sql/json.server.ts'
import type { OrderLinesTable, OrdersTable } from '../kit/tables.ts'
import { IS_OWN } from '../reviews/reviews.server.ts'
import { GIFT_FACTS } from '../purchases/takenBack.sql.server.ts'
import { togetherRoutes } from '../purchases/together/together.server.ts'
import { getOrder, listOrders, MANY_ORDERS, sumOrders } from '../purchases/orders.contract.ts'
import type { OrderStatus, ReasonCode } from './states.rules.ts'
import type pg from 'pg'

/** `isExpired` compares with the database's clock. */
export type OrderRow = Selectable<OrdersTable> & { isExpired: boolean }
export type OrderLineRow = Selectable<OrderLinesTable>

export const orderRoutes = [
  handle(
    listOrders,
    { limits: [{ per: 'account', count: 60, seconds: 60 }], fences: ['members'] },
    async ({ limit = MANY_ORDERS, after, status }, { user, pool }) => {
      const [page] = await readOrders(pool, user.id, null, limit, after ?? null, status ?? null)
      const { json, total, next } = page!
      const rest = `${status ? `&status=${status}` : ''}&after=${next}`
      const link = next && `</api/orders?limit=${limit}${rest}>; rel="next"`
      return asJson(json, { 'x-total-count': String(total), ...(link && { link }) })
    },
  ),

  handle(sumOrders, async (_, { user, pool }) => asJson((await readSums(pool, user.id))[0]!.json)),

  handle(getOrder, async ({ id }, { user, pool }) => asJson(await readOrder(pool, user.id, id))),

  ...togetherRoutes,
]

/** An order of this user as JSON text. Throws a 404 Failure for any other. */
export async function readOrder(pool: pg.Pool, userId: string, id: string): Promise<string> {
  const [row] = await readOrders(pool, userId, id, 1, null, null)
  if (row!.json === '[]') throw new Failure(404, 'Not found')
  return row!.json.slice(1, -1)
}

export type NewOrder = {
  userId: string
  checkoutKey: string
  requestHash: string
  source: 'cart' | 'product'
  totalCents: number
  creditCents: number
  paymentMethod: string | null
  lines: Omit<OrderLineRow, 'id' | 'orderId' | 'position' | 'giftId'>[]
}

const PAY_WITHIN = sql<Date>`now() + interval '30 minutes'`

/** Inserts a pending order with a copy of its lines, in one statement. */
export async function insertOrder(tx: Tx, { lines, ...order }: NewOrder): Promise<string> {
  const id = crypto.randomUUID()
  await tx
    .with('placed', (db) => db.insertInto('orders').values({ id, ...order, expiresAt: PAY_WITHIN }))
    .with('noted', (db) =>
      db.insertInto('orderEvents').values({ orderId: id, toStatus: 'pending', reasonCode: 'placed', reason: 'placed' }),
    )
    .insertInto('orderLines')
    .values(lines.map((line, position) => ({ ...line, orderId: id, position })))
    .execute()
  return id
}

const isExpired = sql<boolean>`expires_at <= now()`.as('isExpired')

const selectOrder = (db: Db, id: string) => db.selectFrom('orders').selectAll().select(isExpired).where('id', '=', id)
const readOrderRow = compiled((db, id: string) => selectOrder(db, id))
const readLockedOrder = compiled((db, id: string) => selectOrder(db, id).forNoKeyUpdate())
const readLines = compiled((db, orderId: string) =>
  db.selectFrom('orderLines').selectAll().where('orderId', '=', orderId).orderBy('position'),
)

export const findOrder = async (db: Db | Tx, id: string): Promise<OrderRow | undefined> =>
  (await readOrderRow(db, id))[0]

/** The order of an idempotency key. Serializes the buyer's placements, so that a double click finds the first order. */
export async function findPlaced(tx: Tx, userId: string, checkoutKey: string): Promise<OrderRow | undefined> {
  const { rows } =
    await sql<OrderRow>`SELECT *, ${isExpired} FROM find_placed(${userId}::uuid, ${checkoutKey})`.execute(tx)
  return rows[0]
}

/** The user's newest order that can still be paid. */
export const findPendingOrder = (tx: Tx, userId: string): Promise<OrderRow | undefined> =>
  tx
    .selectFrom('orders')
    .selectAll()
    .select(isExpired)
    .where('userId', '=', userId)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .executeTakeFirst()

/** The keys of a line that the statement below builds. */
const COMPARED = [
  'productId',
  'quantity',
  'priceCents',
  'discountCents',
  'title',
  'delivery',
  'fileId',
  'moreFileIds',
  'bundleId',
]

/** The newest unpaid direct purchase of equal lines and credit, with five minutes left and no payment in progress. */
export async function findUnpaidTwin(
  tx: Tx,
  userId: string,
  lines: NewOrder['lines'],
  creditCents: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT o.id FROM orders o
    WHERE o.user_id = ${userId}::uuid AND o.status = 'pending' AND o.source = 'product'
      AND o.credit_cents = ${creditCents} AND o.expires_at > now() + interval '5 minutes'
      AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id
        AND p.status NOT IN ('creating', 'created', 'declined', 'canceled', 'expired', 'failed'))
      AND (SELECT jsonb_agg(jsonb_build_object('productId', l.product_id, 'quantity', l.quantity, 'priceCents', l.price_cents, 'discountCents', l.discount_cents,
          'title', l.title, 'delivery', l.delivery, 'fileId', l.file_id, 'moreFileIds', l.more_file_ids, 'bundleId', l.bundle_id)
          ORDER BY l.position) FROM order_lines l WHERE l.order_id = o.id) = ${JSON.stringify(lines, COMPARED)}::jsonb
    ORDER BY o.created_at DESC LIMIT 1`.execute(tx)
  return rows[0]?.id
}

/**
 * Locks an order. Every money transaction and every judgement of risk takes this lock first. Rows that only refer to the
 * order do not wait.
 */
export const lockOrder = async (tx: Tx, id: string): Promise<OrderRow | undefined> => (await readLockedOrder(tx, id))[0]

export const linesOf = (db: Db | Tx, orderId: string): Promise<OrderLineRow[]> => readLines(db, orderId)

/** Moves a locked order to a status and records why. The database rejects transitions outside the state machine. */
export async function changeOrder(
  tx: Tx,
  order: OrderRow,
  status: OrderStatus,
  code: ReasonCode,
  { reason = code, ...change }: { paymentId?: string; reason?: string } = {},
) {
  const isDone = status === 'completed'
  await tx
    .with('changed', (db) =>
      db
        .updateTable('orders')
        .set({ ...change, status, updatedAt: now, ...(isDone && { completedAt: now }) })
        .where('id', '=', order.id),
    )
    .insertInto('orderEvents')
    .values({ orderId: order.id, fromStatus: order.status, toStatus: status, reasonCode: code, reason })
    .execute()
}

/** The buyer of a pending order pays with another method. */
export async function changeMethod(tx: Tx, id: string, paymentMethod: string) {
  await tx.updateTable('orders').set({ paymentMethod, updatedAt: now }).where('id', '=', id).execute()
}

/** Counts paid orders, and sums the money spent on completed ones without store credit and refunds. Reads one covering index. */
export const SUMS = `
    SELECT count(*) FILTER (WHERE status IN ('completed', 'refunded'))::int AS total, count(*) FILTER (WHERE status = 'completed')::int AS completed,
      (coalesce(sum(total_cents - credit_cents) FILTER (WHERE status = 'completed'), 0) - (
        SELECT coalesce(sum(r.amount_cents), 0)
        FROM payments p JOIN orders o ON o.id = p.order_id JOIN refunds r ON r.payment_id = p.id
        WHERE p.status = 'part_refunded' AND o.user_id = $1 AND o.status = 'completed'
          AND o.credit_cents < o.total_cents AND r.status = 'completed'))::bigint AS spent
    FROM orders WHERE user_id = $1`

const readSums = statement<{ json: string }, [userId: string]>(
  'orders_sum',
  `SELECT json_build_object('total', total, 'completed', completed, 'spent', ${decimalOf('spent')})::text AS json
  FROM (${SUMS}) sums`,
)

/** Extends the deadline of a pending order whose payment is under review. */
export async function postponeOrder(tx: Tx, { id }: OrderRow, until: Date) {
  await tx
    .updateTable('orders')
    .set({ expiresAt: until, updatedAt: now })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expiresAt', '<', until)
    .execute()
}

/** The captured payment of `orders o`. Before the capture the column holds an id from the browser, which stays hidden. */
export const PAID_AS = `CASE WHEN o.status IN ('completed', 'refunded') THEN o.payment_id END`

/** An order that failed without taking money: the list leaves it out after a day, its count at once. */
const IS_UNPAID = `orders.status = 'failed' AND NOT EXISTS (
      SELECT FROM order_events v WHERE v.order_id = orders.id AND v.to_status = 'failed' AND v.reason_code IN (${REFUNDING.map((code) => `'${code}'`).join(', ')}))`

type Orders = { json: string; total: number; next: string | null }

/** One order with `id`, otherwise a page that starts after `after`. `next` is the cursor of the next page. */
const readOrders = statement<
  Orders,
  [userId: string, id: string | null, limit: number, after: string | null, status: string | null]
>(
  'orders_read',
  `WITH hits AS MATERIALIZED (
    SELECT * FROM orders
    WHERE user_id = $1 AND ($5::text IS NULL OR status = $5) AND CASE WHEN $2::uuid IS NULL THEN NOT (orders.updated_at < now() - interval '1 day' AND ${IS_UNPAID}) ELSE id = $2::uuid END AND ($4::uuid IS NULL OR
      (created_at, id) < (SELECT created_at, id FROM orders WHERE id = $4::uuid AND user_id = $1))
    ORDER BY created_at DESC, id DESC LIMIT $3::int + 1),
  page AS (SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS n FROM hits)
  SELECT coalesce(json_agg(json_build_object(
      'id', o.id, 'status', o.status, 'source', o.source,
      'total', ${decimalOf('o.total_cents')}, 'credit', ${decimalOf('o.credit_cents')},
      'paymentMethod', o.payment_method, 'paymentId', ${PAID_AS},
      'createdAt', ${isoOf('o.created_at')},
      'expiresAt', CASE WHEN o.status = 'pending' THEN ${isoOf('o.expires_at')} END,
      'earned', coalesce((SELECT ${decimalOf('(b.amount_cents - b.taken_back_cents)')} FROM credit_bonuses b WHERE b.order_id = o.id), '0.00'),
      'declinedAt', CASE WHEN o.status = 'pending' THEN (SELECT ${isoOf('max(y.updated_at)')} FROM payments y
        WHERE y.order_id = o.id AND y.declines > 0 AND y.status IN ('declined', 'failed')) END,
      'dispute', (SELECT json_build_object('state', CASE WHEN t.ended_at IS NULL THEN 'open' ELSE t.state END,
          'amount', ${decimalOf('coalesce(t.lost_cents, t.amount_cents)')}, 'at', ${isoOf('coalesce(t.ended_at, t.opened_at)')})
        FROM disputes t WHERE t.order_id = o.id AND t.stage <> 'warning' ORDER BY t.created_at DESC LIMIT 1),
      'discounts', (SELECT coalesce(json_agg(json_build_object('code', d.code, 'amount', ${decimalOf('d.amount_cents')}) ORDER BY d.code), '[]')
        FROM discount_uses d WHERE d.order_id = o.id),
      'giver', gift.giver, 'takenBack', gift.taken_back,
      'hold', hold.json, 'lines', lines.json, 'refunds', refunds.json, 'events', events.json
    ) ORDER BY n) FILTER (WHERE n <= $3), '[]')::text AS json,
    CASE WHEN count(*) > $3 THEN (array_agg(o.id ORDER BY n))[$3::int] END AS next,
    (SELECT count(*)::int FROM orders WHERE user_id = $1)
      - (SELECT count(*)::int FROM orders WHERE user_id = $1 AND ${IS_UNPAID}) AS total
  FROM page o
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'id', l.id, 'productId', l.product_id, 'title', l.title, 'quantity', l.quantity,
      'price', ${decimalOf('l.price_cents')}, 'isFree', l.price_cents * l.quantity = l.discount_cents,
      'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp',
      'coverId', p.variant_of, 'bundle', CASE WHEN l.bundle_id IS NOT NULL THEN json_build_object('id', l.bundle_id, 'title', l.bundle_title) END,
      'isReviewed', CASE WHEN l.seller_id <> o.user_id AND l.gift_id IS NULL AND (e.id IS NULL OR ${IS_SALE}) THEN EXISTS (
        SELECT FROM reviews n WHERE n.user_id = o.user_id AND n.product_id = ${pageOf('p')} AND ${IS_OWN}) END,
      'refundRequest', (SELECT json_build_object('state', q.state, 'answer', q.answer, 'at', ${isoOf('q.created_at')})
        FROM refund_requests q WHERE q.order_line_id = l.id),
      'refunded', CASE WHEN e.is_gift AND e.revoked_at IS NOT NULL AND e.given_at IS NULL THEN l.quantity ELSE coalesce(s.returned_quantity, 0) END,
      'given', ${GIVEN('l')}, 'isToGive', e.given_at IS NOT NULL,
      'delivery', CASE
        WHEN o.status <> 'completed' OR e.id IS NULL OR e.revoked_at IS NOT NULL THEN NULL
        ELSE ${SHOWN_GOODS}
      END) ORDER BY l.position) AS json
    FROM order_lines l JOIN products p ON p.id = l.product_id
    LEFT JOIN earnings s ON s.order_line_id = l.id
    LEFT JOIN entitlements e ON e.order_line_id = l.id LEFT JOIN product_files f ON f.id = e.file_id
    WHERE l.order_id = o.id) lines
  CROSS JOIN LATERAL (
    SELECT coalesce(json_agg(json_build_object('amount', ${decimalOf('r.cents')},
      'at', ${isoOf('r.at')}, 'isCredit', r.is_credit) ORDER BY r.at, r.cents DESC), '[]') AS json
    FROM (
      SELECT r.amount_cents AS cents, r.updated_at AS at, false AS is_credit FROM payments y JOIN refunds r ON r.payment_id = y.id
      WHERE y.order_id = o.id AND y.status IN ('part_refunded', 'refunded') AND r.status = 'completed'
        AND o.credit_cents < o.total_cents
      UNION ALL
      SELECT c.amount_cents, c.created_at, true FROM credit_entries c
      WHERE o.credit_cents > 0 AND c.order_id = o.id AND c.kind = 'refunded') r) refunds
  LEFT JOIN LATERAL (
    SELECT json_build_object('kind', h.kind, 'isClearedByConfirming', h.is_cleared_by_confirming AND h.state = 'open',
      'until', ${isoOf('h.ends_at')}, 'since', ${isoOf('h.created_at')},
      'why', (SELECT coalesce(json_agg(r.reason->'rule' ORDER BY r.n), '[]') FROM jsonb_array_elements(d.reasons) WITH ORDINALITY r (reason, n))) AS json
    FROM risk_holds h JOIN risk_decisions d ON d.id = h.decision_id
    -- what was decided a moment ago is paid all the same, until its job has delivered it or given it back
    WHERE o.status = 'pending' AND h.order_id = o.id AND (h.state = 'open' OR h.kind = 'hold') ORDER BY h.kind LIMIT 1) hold ON true
  LEFT JOIN LATERAL (${GIFT_FACTS}) gift ON true
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object('status', v.to_status, 'code', v.reason_code,
      'at', ${isoOf('v.created_at')}) ORDER BY v.id) AS json
    FROM order_events v WHERE v.order_id = o.id) events`,
)
