-- Deletes and returns the oldest events, and notifies the open pages of their sellers. For a variant, `counted_id` is
-- its product. Only the first line of a bundle has `bundle_id`, so that an order counts the bundle once.
-- @name takeEvents
-- @null bundle_id
WITH taken AS (
  DELETE FROM seller_events WHERE id IN (SELECT id FROM seller_events ORDER BY id LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING *),
told AS (SELECT pg_notify('members', seller_id || ' sales') FROM (SELECT DISTINCT seller_id FROM taken) sellers)
SELECT t.id, t.seller_id, t.kind, t.order_line_id, l.order_id, l.product_id, l.title, l.quantity, l.delivery = 'code' AS is_code,
  t.day, t.day >= utc_day(now()) - 1 AS is_recent, t.orders, t.sales, t.refunds, t.gross_cents, t.fee_cents, t.returned_cents,
  coalesce(p.variant_of, p.id) AS counted_id,
  CASE WHEN l.id = (SELECT id FROM order_lines f WHERE f.order_id = l.order_id AND f.bundle_id = l.bundle_id ORDER BY position LIMIT 1)
    THEN l.bundle_id END AS bundle_id,
  (SELECT count(*) FROM told) AS told
FROM taken t JOIN order_lines l ON l.id = t.order_line_id JOIN products p ON p.id = l.product_id ORDER BY t.id;

-- @name addToDays
-- @type events: string
INSERT INTO sales_days AS d (seller_id, kind, day, key, orders, sales, refunds, gross_cents, fee_cents, returned_cents)
SELECT e."sellerId", k.kind, e.day, k.key, sum(e.orders), sum(e.sales), sum(e.refunds), sum(e."grossCents"),
  sum(e."feeCents"), sum(e."returnedCents")
FROM json_to_recordset(:events::json) AS e ("sellerId" uuid, kind text, "orderId" uuid, "productId" text, day date,
  orders int, sales int, refunds int, "grossCents" bigint, "feeCents" bigint, "returnedCents" bigint)
CROSS JOIN LATERAL (VALUES ('all', ''), ('product', e."productId"), ('country', country_of_order(e."orderId"))) k (kind, key)
WHERE e.kind IN ('sale', 'refund')
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (seller_id, kind, day, key) DO UPDATE SET orders = d.orders + excluded.orders,
  sales = d.sales + excluded.sales, refunds = d.refunds + excluded.refunds,
  gross_cents = d.gross_cents + excluded.gross_cents, fee_cents = d.fee_cents + excluded.fee_cents,
  returned_cents = d.returned_cents + excluded.returned_cents;

-- Sales of a variant count for its product. Locks rows in the order of ids, so that two nodes cannot deadlock.
-- @name addToCounts
WITH sold AS MATERIALIZED (
  SELECT c.product_id, s.more FROM (
    SELECT coalesce(p.variant_of, p.id) AS product_id, sum(n.more)::int AS more
    FROM unnest(:ids::uuid[], :more::int[]) n (id, more) JOIN products p USING (id) GROUP BY 1) s
  JOIN product_counts c USING (product_id) ORDER BY c.product_id FOR NO KEY UPDATE OF c)
UPDATE product_counts c SET sales = c.sales + sold.more FROM sold WHERE c.product_id = sold.product_id;

-- @name moveSome
SELECT late.seller_id FROM (SELECT seller_id FROM product_sum_days
  WHERE day < utc_day(now()) ORDER BY seller_id LIMIT :limit) late CROSS JOIN LATERAL move_product_sums(late.seller_id) moved;

-- Adds views to the daily sums. Ignores a seller's own views and views of unlisted products.
-- @name addViews
WITH seen AS (
  SELECT p.seller_id, p.id, count(*)::int AS views
  FROM unnest(:productIds::uuid[], :viewerIds::uuid[]) v (product_id, viewer_id) JOIN products p ON p.id = v.product_id
  WHERE p.seller_id <> v.viewer_id AND p.is_listed GROUP BY p.seller_id, p.id)
INSERT INTO sales_days (seller_id, kind, day, key, views)
  SELECT seller_id, 'all', utc_day(now()), '', sum(views)::int FROM seen GROUP BY seller_id
  UNION ALL SELECT seller_id, 'product', utc_day(now()), id::text, views FROM seen
  ORDER BY 1, 2, 3, 4
ON CONFLICT (seller_id, kind, day, key) DO UPDATE SET views = sales_days.views + excluded.views;
