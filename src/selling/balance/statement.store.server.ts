import type pg from 'pg'
import { statement } from '../../kit/database.server.ts'
import type { Statement } from './balance.contract.ts'
import { addMonths, type Moved, startOf, toStatement } from './statement.rules.ts'

/** A page or a PDF with more lines than this has one of each kind for a day. */
export const MANY_LINES = 300

/** The statement of a month (in UTC), in one snapshot; with more than `most` lines summed up by day. */
export async function readStatement(
  pool: pg.Pool,
  { sellerId, month, most = MANY_LINES }: { sellerId: string; month: string; most?: number | null },
): Promise<Statement> {
  const [read] = await readMonth(pool, sellerId, startOf(month), startOf(addMonths(month, 1)), most)
  const { opening, isSummedUp, moved } = read!
  return toStatement({ month, openingCents: opening, isSummedUp }, moved)
}

type Month = { opening: number; isSummedUp: boolean; moved: Moved[] }

const ACCOUNT = `'seller:' || $1::uuid`
const DAY = (moment: string) => `(${moment} AT TIME ZONE 'UTC')::date`

// The numbers are places within a day: what came in stands before what went out.
const readMonth = statement<Month, [sellerId: string, from: string, until: string, most: number | null]>(
  'statement_month',
  `WITH sold AS MATERIALIZED (
    SELECT ${DAY('e.earned_at')} AS day, l.product_id, l.title, l.quantity, e.gross_cents, e.fee_cents, l.discount_cents
    FROM earnings e JOIN order_lines l ON l.id = e.order_line_id
    WHERE e.seller_id = $1 AND e.earned_at >= $2::timestamptz AND e.earned_at < $3::timestamptz),
  back AS MATERIALIZED (
    SELECT ${DAY('returned_at')} AS day, order_id, gross_cents, fee_cents, order_line_ids FROM earning_returns
    WHERE seller_id = $1 AND returned_at >= $2::timestamptz AND returned_at < $3::timestamptz),
  grain AS MATERIALIZED (
    SELECT coalesce((SELECT count(*) FROM (SELECT DISTINCT day, product_id FROM sold) lines) + (SELECT count(*) FROM back) > $4::int, false) AS is_summed_up),
  moved AS (
    SELECT day, 1 AS place, 'sale' AS kind, CASE WHEN is_summed_up THEN NULL ELSE max(title) END AS title, NULL::uuid AS order_id,
      sum(quantity)::bigint AS count, sum(gross_cents + discount_cents)::bigint AS cents
    FROM sold, grain GROUP BY day, is_summed_up, CASE WHEN is_summed_up THEN NULL ELSE product_id END
    UNION ALL
    SELECT day, 2, 'discount', NULL, NULL, count(*), -sum(discount_cents)::bigint FROM sold WHERE discount_cents > 0 GROUP BY day
    UNION ALL
    SELECT day, 3, 'fee', NULL, NULL, count(*), -sum(fee_cents)::bigint FROM sold GROUP BY day HAVING sum(fee_cents) > 0
    UNION ALL
    SELECT day, 4, 'refund', CASE WHEN is_summed_up THEN NULL ELSE max((SELECT l.title ||
          CASE WHEN count(*) OVER () > 1 THEN ' and ' || count(*) OVER () - 1 || ' more' ELSE '' END
        FROM order_lines l WHERE l.order_id = back.order_id AND l.seller_id = $1 AND EXISTS (
          SELECT FROM back own WHERE own.order_id = back.order_id AND own.day = back.day
            AND (own.order_line_ids IS NULL OR l.id = ANY (own.order_line_ids))) ORDER BY l.position LIMIT 1)) END,
      CASE WHEN is_summed_up THEN NULL ELSE order_id END, count(*), -sum(gross_cents)::bigint
    FROM back, grain GROUP BY day, is_summed_up, CASE WHEN is_summed_up THEN NULL ELSE order_id END
    UNION ALL
    SELECT day, 5, 'fee_returned', NULL, CASE WHEN is_summed_up THEN NULL ELSE order_id END, count(*), sum(fee_cents)::bigint
    FROM back, grain GROUP BY day, is_summed_up, CASE WHEN is_summed_up THEN NULL ELSE order_id END HAVING sum(fee_cents) > 0
    UNION ALL
    SELECT ${DAY('l.created_at')}, CASE WHEN l.amount_cents < 0 THEN 6 ELSE 7 END,
      CASE WHEN l.amount_cents < 0 THEN 'payout_returned' ELSE 'payout' END,
      (SELECT p.label FROM ledger_entries other JOIN payouts p ON other.account = 'payouts:' || p.id
        WHERE other.transfer_id = l.transfer_id AND p.seller_id = $1 LIMIT 1), NULL, 1, -l.amount_cents
    FROM ledger_entries l WHERE l.account = ${ACCOUNT} AND l.payment_id IS NULL
      AND l.created_at >= $2::timestamptz AND l.created_at < $3::timestamptz)
  SELECT (SELECT coalesce(-sum(amount_cents), 0)::bigint FROM ledger_entries
      WHERE account = ${ACCOUNT} AND created_at < $2::timestamptz) AS opening,
    is_summed_up AS "isSummedUp",
    (SELECT coalesce(json_agg(json_build_object('day', day, 'kind', kind, 'title', title, 'orderId', order_id, 'count', count,
      'amountCents', cents) ORDER BY day, place, title, order_id), '[]') FROM moved) AS moved
  FROM grain`,
)
