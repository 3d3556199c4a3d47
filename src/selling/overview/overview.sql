-- @name readIncome
-- @null first_at
-- @type days: { day: string; cents: number }[]
WITH days AS MATERIALIZED (SELECT * FROM daily_sums(:sellerId, utc_day(now()) - :period::int)),
held AS MATERIALIZED (SELECT e.available_at, net_cents(e) AS cents FROM earnings e
  WHERE e.seller_id = :sellerId AND e.available_at > now() AND NOT e.is_disputed AND net_cents(e) > 0),
disputed AS (SELECT count(*)::int AS sales, coalesce(sum(net_cents(e)), 0)::bigint AS cents FROM earnings e
  WHERE e.seller_id = :sellerId AND e.is_disputed)
SELECT (utc_day(now()) - :period::int + 1)::text AS first_day, utc_day(now())::text AS last_day,
  coalesce((SELECT sum(sales) FROM days WHERE day = utc_day(now())), 0)::int AS sales_today,
  coalesce((SELECT sum(net_cents) FROM days WHERE day = utc_day(now())), 0)::bigint AS today_cents,
  coalesce((SELECT sum(cents) FROM held), 0)::bigint AS held_cents,
  (SELECT iso_of(min(available_at)) FROM held) AS first_at,
  coalesce((SELECT sum(cents) FROM held
    WHERE utc_day(available_at) = (SELECT utc_day(min(h.available_at)) FROM held h)), 0)::bigint AS first_cents,
  disputed.sales AS disputed_sales, disputed.cents AS disputed_cents,
  (SELECT coalesce(json_agg(json_build_object('day', day, 'cents', net_cents) ORDER BY day), '[]') FROM days
    WHERE sales > 0 OR net_cents <> 0) AS days,
  EXISTS (SELECT FROM earnings e WHERE e.seller_id = :sellerId) AS has_sold,
  (SELECT count(*) FROM follows f WHERE f.seller_id = :sellerId)::int AS followers
FROM disputed;

-- @name listWaiting
-- @null until, cents
-- @type kind: 'dispute' | 'code_case' | 'question' | 'goods' | 'review' | 'message'
SELECT w.kind, w.id, w.title, iso_of(w.at) AS at, iso_of(w.until) AS until, w.cents, (count(*) OVER ())::int AS total
FROM (SELECT * FROM waiting_for_seller(:sellerId) UNION ALL SELECT * FROM unread_messages(:sellerId)) w
ORDER BY w.until NULLS LAST, w.at, w.id LIMIT :limit;

-- Reviews up to the moment need no answer. No row: the product is not the seller's, or has no such review.
-- @name dismissReviews
INSERT INTO seen_reviews AS s (product_id, seen_at)
SELECT p.id, max(r.created_at) FROM products p JOIN reviews r ON r.product_id = p.id
WHERE p.id = :productId AND p.seller_id = :sellerId AND r.created_at < :at::timestamptz + interval '1 millisecond' GROUP BY p.id
ON CONFLICT (product_id) DO UPDATE SET seen_at = greatest(s.seen_at, excluded.seen_at) RETURNING product_id;
