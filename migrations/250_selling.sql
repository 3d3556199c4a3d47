-- A sale is a line of a paid order, also after its money was returned. Purchases by the seller are not counted.

-- Settlements and the job that adds up events wait until the sums are right. A settlement locks the tables in this order.
LOCK TABLE earnings IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE seller_events IN SHARE ROW EXCLUSIVE MODE;

CREATE FUNCTION is_own_purchase(wanted uuid, seller uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM orders WHERE id = wanted AND user_id = seller)
$$;

CREATE OR REPLACE FUNCTION note_sales() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- payments inserts all lines of an order in one statement, so the first line of a seller counts the order
  INSERT INTO seller_events (seller_id, kind, order_line_id, day, orders, sales, gross_cents, fee_cents)
    SELECT seller_id, 'sale', order_line_id, utc_day(earned_at),
      (row_number() OVER (PARTITION BY order_id, seller_id ORDER BY order_line_id) = 1)::int, 1, gross_cents, fee_cents
    FROM added WHERE NOT is_own_purchase(order_id, seller_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION note_refunds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seller_events (seller_id, kind, order_line_id, day, refunds, gross_cents, fee_cents, returned_cents)
    SELECT n.seller_id, 'refund', n.order_line_id, utc_day(n.earned_at),
      (n.returned_cents > 0)::int - (o.returned_cents > 0)::int, n.gross_cents - o.gross_cents,
      (n.fee_cents - n.returned_fee_cents) - (o.fee_cents - o.returned_fee_cents), n.returned_cents - o.returned_cents
    FROM changed n JOIN former o USING (order_line_id)
    WHERE (n.gross_cents, n.fee_cents, n.returned_cents, n.returned_fee_cents)
      <> (o.gross_cents, o.fee_cents, o.returned_cents, o.returned_fee_cents)
      AND NOT is_own_purchase(n.order_id, n.seller_id);
  RETURN NULL;
END $$;

-- Access that ends takes no sale back. Dropping the trigger would lock readers of entitlements out until the sums are right.
CREATE OR REPLACE FUNCTION note_access_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END $$;
DELETE FROM seller_events WHERE kind = 'access';

-- Sums: takes out the purchases by the seller. What still waits in seller_events was not added to the sums.
WITH own AS MATERIALIZED (
  SELECT e.seller_id, e.order_id, e.order_line_id, l.product_id, utc_day(e.earned_at) AS day,
    (row_number() OVER (PARTITION BY e.order_id ORDER BY e.order_line_id) = 1)::int - coalesce(w.orders, 0) AS orders,
    1 - coalesce(w.sales, 0) AS sales, (e.returned_cents > 0)::int - coalesce(w.refunds, 0) AS refunds,
    e.gross_cents - coalesce(w.gross, 0) AS gross, e.fee_cents - e.returned_fee_cents - coalesce(w.fee, 0) AS fee,
    e.returned_cents - coalesce(w.returned, 0) AS returned
  FROM earnings e JOIN orders o ON o.id = e.order_id AND o.user_id = e.seller_id JOIN order_lines l ON l.id = e.order_line_id
  LEFT JOIN (SELECT order_line_id, sum(orders) AS orders, sum(sales) AS sales, sum(refunds) AS refunds, sum(gross_cents) AS gross,
      sum(fee_cents) AS fee, sum(returned_cents) AS returned FROM seller_events WHERE kind IN ('sale', 'refund') GROUP BY 1) w USING (order_line_id)),
less AS (
  SELECT own.seller_id, own.day, k.kind, k.key, sum(orders) AS orders, sum(sales) AS sales, sum(refunds) AS refunds, sum(gross) AS gross,
    sum(fee) AS fee, sum(returned) AS returned
  FROM own CROSS JOIN LATERAL (VALUES ('all', ''), ('product', product_id::text), ('country', country_of_order(order_id))) k (kind, key)
  GROUP BY 1, 2, 3, 4)
UPDATE sales_days d SET orders = d.orders - less.orders, sales = d.sales - less.sales, refunds = d.refunds - less.refunds,
  gross_cents = d.gross_cents - less.gross, fee_cents = d.fee_cents - less.fee, returned_cents = d.returned_cents - less.returned
FROM less WHERE (d.seller_id, d.kind, d.day, d.key) = (less.seller_id, less.kind, less.day, less.key);

DELETE FROM seller_events v USING earnings e JOIN orders o ON o.id = e.order_id AND o.user_id = e.seller_id
WHERE e.order_line_id = v.order_line_id AND v.kind IN ('sale', 'refund');

-- Counts again the sales of each product that had a sale taken back or was bought by its seller. The job adds what still waits.
WITH touched AS (
  SELECT coalesce(p.variant_of, p.id) AS id FROM entitlements e JOIN products p ON p.id = e.product_id
    WHERE NOT e.is_gift AND (e.revoked_at IS NOT NULL OR e.user_id = p.seller_id)
  UNION SELECT l.bundle_id FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id
    WHERE l.bundle_id IS NOT NULL AND NOT e.is_gift AND (e.revoked_at IS NOT NULL OR e.user_id = l.seller_id))
UPDATE product_counts c SET sales = CASE WHEN b.delivery = 'bundle' THEN
    (SELECT count(DISTINCT l.order_id) FROM order_lines l JOIN entitlements e ON e.order_line_id = l.id AND NOT e.is_gift AND e.user_id <> b.seller_id
      WHERE l.bundle_id = b.id AND NOT EXISTS (SELECT FROM seller_events v JOIN order_lines w ON w.id = v.order_line_id
        WHERE v.kind = 'sale' AND w.order_id = l.order_id AND w.bundle_id = b.id))
  ELSE (SELECT count(*) FROM products p JOIN entitlements e ON e.product_id = p.id AND NOT e.is_gift AND e.user_id <> b.seller_id
      WHERE (p.id = b.id OR p.variant_of = b.id)
        AND NOT EXISTS (SELECT FROM seller_events v WHERE v.kind = 'sale' AND v.order_line_id = e.order_line_id)) END
FROM touched JOIN products b USING (id) WHERE c.product_id = b.id;
