-- The movements of a month, in one snapshot. With more than `most` lines, each day has one line of each kind.
-- @name readMonth
-- @null most
-- @type moved: (import('./statement.rules.ts').Moved & { more: number | null })[]
WITH sold AS MATERIALIZED (SELECT * FROM month_sales(:sellerId, :from, :until)),
grain AS MATERIALIZED (SELECT coalesce((SELECT count(*) FROM (SELECT DISTINCT day, product_id FROM sold) lines)
  + (SELECT count(*) FROM month_returns(:sellerId, :from, :until)) > :most::int, false) AS is_summed_up),
-- `place` is the position within a day
moved AS (
  SELECT day, 1 AS place, 'sale' AS kind, CASE WHEN NOT is_summed_up THEN max(title) END AS title, NULL::bigint AS more,
    NULL::uuid AS order_id, sum(quantity)::bigint AS count, sum(gross_cents + discount_cents)::bigint AS cents
  FROM sold, grain GROUP BY day, is_summed_up, CASE WHEN NOT is_summed_up THEN product_id END
  UNION ALL
  SELECT day, 2, 'discount', NULL, NULL, NULL, count(*), -sum(discount_cents)::bigint FROM sold WHERE discount_cents > 0 GROUP BY day
  UNION ALL
  SELECT day, 3, 'fee', NULL, NULL, NULL, count(*), -sum(fee_cents)::bigint FROM sold GROUP BY day HAVING sum(fee_cents) > 0
  UNION ALL
  SELECT k.* FROM grain CROSS JOIN LATERAL month_refunds(:sellerId, :from, :until, is_summed_up) k
  UNION ALL
  SELECT day, CASE WHEN amount_cents < 0 THEN 6 ELSE 7 END, CASE WHEN amount_cents < 0 THEN 'payout_returned' ELSE 'payout' END,
    label, NULL, NULL, 1, -amount_cents FROM month_payouts(:sellerId, :from, :until))
SELECT (SELECT coalesce(-sum(amount_cents), 0)::bigint FROM ledger_entries
    WHERE account = 'seller:' || :sellerId::uuid AND created_at < :from) AS opening, is_summed_up,
  (SELECT coalesce(json_agg(json_build_object('day', day, 'kind', kind, 'title', title, 'more', more, 'orderId', order_id,
    'count', count, 'amountCents', cents) ORDER BY day, place, title, more, order_id), '[]') FROM moved) AS moved
FROM grain;

-- The sales on hold, the disputed sales, and the month of the first movement.
-- @name readAround
-- @null pending_until, first_month
SELECT held.sales AS pending_sales, held.until AS pending_until, disputed.sales AS disputed_sales, disputed.cents AS disputed_cents,
  (SELECT to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM') FROM ledger_entries
    WHERE account = 'seller:' || :sellerId::uuid) AS first_month
FROM (SELECT count(*)::int AS sales, iso_of(max(e.available_at)) AS until FROM earnings e
    WHERE e.seller_id = :sellerId AND e.available_at > now() AND NOT e.is_disputed AND net_cents(e) > 0) held,
  (SELECT count(*)::int AS sales, coalesce(sum(net_cents(e)), 0)::bigint AS cents FROM earnings e
    WHERE e.seller_id = :sellerId AND e.is_disputed) disputed;
