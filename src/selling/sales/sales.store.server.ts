import type pg from 'pg'
import type * as z from 'zod/mini'
import { BRIEF_FIELDS } from '../../catalogue/product.sql.server.ts'
import { statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { decimalOf, isoOf } from '../../kit/sql/json.server.ts'
import { SALES_STEP, type WhichSales } from './sales.contract.ts'

const TODAY = 'utc_day(now())'
const TOP_PRODUCTS = 5
const TOP_COUNTRIES = 8

/**
 * Sums of the job and, added to them, what it has not added yet. $1 is the seller, $2 the days of the period. As many
 * products may overtake the best ones as wait.
 */
const SUMMED = `pending AS MATERIALIZED (
    SELECT e.*, l.product_id, l.order_id FROM seller_events e JOIN order_lines l ON l.id = e.order_line_id WHERE e.seller_id = $1),
  by_day AS (
    SELECT day, sum(orders)::int AS orders, sum(sales)::int AS sales, sum(gross_cents)::bigint AS gross_cents,
      sum(returned_cents)::bigint AS returned_cents, sum(views)::int AS views FROM (
      SELECT day, orders, sales, gross_cents, returned_cents, views FROM sales_days
        WHERE seller_id = $1 AND kind = 'all' AND day > ${TODAY} - 2 * $2::int
      UNION ALL SELECT day, orders, sales, gross_cents, returned_cents, 0 FROM pending WHERE day > ${TODAY} - 2 * $2::int) d
    GROUP BY day),
  by_product AS (
    SELECT key, sum(sales)::int AS sales, sum(gross_cents)::bigint AS gross_cents, sum(views)::int AS views FROM (
      (SELECT key, sales, gross_cents, views FROM product_sums WHERE seller_id = $1 AND days = $2 AND sales > 0
        ORDER BY gross_cents DESC, key LIMIT ${TOP_PRODUCTS} + (SELECT count(DISTINCT product_id) FROM pending))
      UNION SELECT key, sales, gross_cents, views FROM product_sums
        WHERE seller_id = $1 AND days = $2 AND key IN (SELECT product_id::text FROM pending)
      UNION ALL SELECT product_id::text, sales, gross_cents, 0 FROM pending WHERE day > ${TODAY} - $2::int) d
    GROUP BY key HAVING sum(sales) > 0 ORDER BY gross_cents DESC, key LIMIT ${TOP_PRODUCTS}),
  by_country AS (
    SELECT key, sum(orders)::int AS orders, sum(gross_cents)::bigint AS gross_cents FROM (
      SELECT key, orders, gross_cents FROM sales_days WHERE seller_id = $1 AND kind = 'country' AND day > ${TODAY} - $2::int
      UNION ALL SELECT country_of_order(order_id), orders, gross_cents FROM pending WHERE day > ${TODAY} - $2::int) d
    GROUP BY key HAVING sum(orders) > 0 ORDER BY gross_cents DESC, key LIMIT ${TOP_COUNTRIES})`

const sumsWhere = (condition: string) => `(SELECT json_build_object(
    'revenue', ${decimalOf('coalesce(sum(gross_cents), 0)::bigint')}, 'refunded', ${decimalOf('coalesce(sum(returned_cents), 0)::bigint')},
    'orders', coalesce(sum(orders), 0), 'sales', coalesce(sum(sales), 0), 'views', coalesce(sum(views), 0))
  FROM by_day WHERE ${condition})`

export const SUMMARY = `WITH ${SUMMED}
  SELECT json_build_object('from', ${TODAY} - $2::int + 1, 'to', ${TODAY},
    'now', ${sumsWhere(`day > ${TODAY} - $2::int`)}, 'before', ${sumsWhere(`day <= ${TODAY} - $2::int`)},
    'days', (SELECT coalesce(json_agg(json_build_object('day', day, 'revenue', ${decimalOf('gross_cents')}, 'orders', orders) ORDER BY day), '[]')
      FROM by_day WHERE day > ${TODAY} - $2::int AND orders > 0),
    'products', (SELECT coalesce(json_agg(json_build_object('product', json_build_object(${BRIEF_FIELDS}),
        'revenue', ${decimalOf('b.gross_cents')}, 'sales', b.sales, 'views', b.views) ORDER BY b.gross_cents DESC, b.key), '[]')
      FROM by_product b JOIN products p ON p.id = b.key::uuid),
    'countries', (SELECT coalesce(json_agg(json_build_object('code', key, 'revenue', ${decimalOf('gross_cents')}, 'orders', orders)
      ORDER BY gross_cents DESC, key), '[]') FROM by_country))::text AS json,
    EXISTS (SELECT FROM product_sum_days WHERE seller_id = $1 AND day < ${TODAY}) AS is_late`

const readSummary = statement<{ json: string; is_late: boolean }, [sellerId: string, days: number]>(
  'sales_summary',
  SUMMARY,
)
const moveSums = statement<never, [sellerId: string]>('sales_move_sums', 'SELECT move_product_sums($1)')

export async function readSales(pool: pg.Pool, sellerId: string, days: number): Promise<JsonText> {
  let [summary] = await readSummary(pool, sellerId, days)
  // just after midnight, before the job
  if (summary!.is_late) {
    await moveSums(pool, sellerId)
    ;[summary] = await readSummary(pool, sellerId, days)
  }
  return asJson(summary!.json)
}

const NET = '(e.gross_cents - e.fee_cents - e.returned_cents + e.returned_fee_cents)'
/** Also of less than nothing, when a fee is larger than the price. */
const SIGNED_NET = `CASE WHEN ${NET} < 0 THEN '-' ELSE '' END || ${decimalOf(`abs(${NET})`)}`
const STATE = `CASE WHEN e.gross_cents = 0 THEN 'free' WHEN e.is_disputed THEN 'disputed' WHEN e.returned_cents = 0 THEN 'paid' WHEN e.returned_cents < e.gross_cents THEN 'part_refunded' ELSE 'refunded' END`

const SALE_FIELDS = `'id', e.order_line_id, 'number', right(e.order_id::text, 8), 'productId', l.product_id, 'title', l.title,
  'quantity', l.quantity, 'soldAt', ${isoOf('e.earned_at')}, 'amount', ${decimalOf('e.gross_cents')}, 'fee', ${decimalOf('e.fee_cents')},
  'refunded', ${decimalOf('e.returned_cents')}, 'net', ${SIGNED_NET}, 'state', ${STATE}, 'country', country_of_order(e.order_id)`

/**
 * A product with more lines is found soon among the newest sales; the lines of another are read one by one. OFFSET 0 keeps
 * the planner from joining whole tables, whose rows it underestimates for a seller of many sales.
 */
const FEW = 5000

/** A page of sales, newest first. The count comes from the sums of days. */
const readPage = (state: 'paid' | 'refunded' | null, hasProduct: boolean) => {
  const counted = state === 'refunded' ? 'refunds' : state === 'paid' ? 'sales - refunds' : 'sales'
  const newestOf = (source: string, condition = 'true') => `SELECT e.* FROM ${source}
      WHERE e.seller_id = $1 ${state === 'refunded' ? 'AND e.returned_cents > 0' : state === 'paid' ? 'AND e.returned_cents = 0' : ''}
        AND e.earned_at >= coalesce((${TODAY} - $4::int + 1)::timestamp AT TIME ZONE 'UTC', '-infinity')
        AND e.earned_at <= coalesce((SELECT earned_at FROM last), 'infinity')
        AND ($3::uuid IS NULL OR e.earned_at < (SELECT earned_at FROM last) OR e.order_line_id > $3)
        AND NOT is_own_purchase(e.order_id, e.seller_id) AND ${condition}
      ORDER BY e.earned_at DESC, e.order_line_id LIMIT $2::int + 1`
  const hits = hasProduct
    ? `lines AS MATERIALIZED (SELECT id FROM order_lines WHERE product_id = $5::text::uuid LIMIT ${FEW} + 1),
    hits AS MATERIALIZED (
      (${newestOf('lines CROSS JOIN LATERAL (SELECT * FROM earnings WHERE order_line_id = lines.id OFFSET 0) e', `(SELECT count(*) FROM lines) <= ${FEW}`)})
      UNION ALL (${newestOf(
        'earnings e CROSS JOIN LATERAL (SELECT FROM order_lines WHERE id = e.order_line_id AND product_id = $5::text::uuid OFFSET 0) l',
        `(SELECT count(*) FROM lines) > ${FEW}`,
      )}))`
    : `hits AS MATERIALIZED (${newestOf('earnings e')})`
  const since = `($4::int IS NULL OR day > ${TODAY} - $4::int)`
  const kind = hasProduct ? `kind = 'product' AND key = $5::text` : `kind = 'all' AND $5::text IS NULL`
  return statement<
    { json: string; total: number; next: string | null },
    [sellerId: string, limit: number, after: string | null, days: number | null, productId: string | null]
  >(
    `sales_page_${state ?? 'any'}${hasProduct ? '_product' : ''}`,
    `WITH last AS MATERIALIZED (SELECT earned_at FROM earnings WHERE order_line_id = $3 AND seller_id = $1),
    ${hits},
    page AS (SELECT *, row_number() OVER (ORDER BY earned_at DESC, order_line_id) AS n FROM hits)
    SELECT coalesce(json_agg(json_build_object(${SALE_FIELDS}) ORDER BY n) FILTER (WHERE n <= $2), '[]')::text AS json,
      CASE WHEN count(*) > $2 THEN (array_agg(e.order_line_id ORDER BY n))[$2::int] END AS next,
      (SELECT coalesce(sum(${counted}), 0)::int FROM (
        SELECT sales, refunds FROM sales_days WHERE seller_id = $1 AND ${kind} AND ${since}
        UNION ALL SELECT sales, refunds FROM seller_events s ${hasProduct ? 'JOIN order_lines o ON o.id = s.order_line_id AND o.product_id = $5::text::uuid' : ''}
          WHERE s.seller_id = $1 AND ${since}) counted) AS total
    FROM page e JOIN order_lines l ON l.id = e.order_line_id`,
  )
}

const PAGES = {
  any: { all: readPage(null, false), product: readPage(null, true) },
  paid: { all: readPage('paid', false), product: readPage('paid', true) },
  refunded: { all: readPage('refunded', false), product: readPage('refunded', true) },
}

export type AskedSales = z.output<typeof WhichSales>

export async function readSalesPage(
  pool: pg.Pool,
  sellerId: string,
  { days, productId, state, limit = SALES_STEP, after }: AskedSales & { limit?: number; after?: string | undefined },
) {
  const read = PAGES[state ?? 'any'][productId ? 'product' : 'all']
  const [page] = await read(pool, sellerId, limit, after ?? null, days ?? null, productId ?? null)
  return page!
}

const readOne = statement<{ json: string }, [sellerId: string, id: string, showsEmail: boolean]>(
  'sale',
  `SELECT json_build_object(${SALE_FIELDS}, 'availableAt', ${isoOf('e.available_at')}, 'refundedFee', ${decimalOf('e.returned_fee_cents')},
    'buyerEmail', CASE WHEN $3::boolean AND u.erased_at IS NULL THEN u.email END)::text AS json
  FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = e.order_id JOIN users u ON u.id = o.user_id
  WHERE e.order_line_id = $2 AND e.seller_id = $1`,
)

/** Throws a Failure 404 unless the sale is the seller's. */
export async function readSale(pool: pg.Pool, sellerId: string, id: string, showsEmail: boolean): Promise<JsonText> {
  const [sale] = await readOne(pool, sellerId, id, showsEmail)
  if (!sale) throw new Failure(404, 'Sale not found')
  return asJson(sale.json)
}
