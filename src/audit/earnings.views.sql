-- Faults of seller earnings: sales and refunds must match the ledger.

CREATE OR REPLACE VIEW sale_fault AS
SELECT 'EARNINGS' AS rule, 'sales_unlike_ledger' AS code, o.id AS order_id,
  jsonb_build_object('account', moved.account, 'sold', moved.sold, 'owed', moved.owed) AS facts
FROM orders o
CROSS JOIN LATERAL (SELECT account, sum(sold) AS sold, sum(owed) AS owed FROM (
    SELECT 'seller:' || seller_id AS account, gross_cents - fee_cents - returned_cents + returned_fee_cents AS sold, 0 AS owed
    FROM earnings WHERE order_id = o.id
    UNION ALL
    SELECT l.account, 0, -l.amount_cents FROM payments p JOIN ledger_entries l ON l.payment_id = p.id
    WHERE p.order_id = o.id AND l.account LIKE 'seller:%') parts
  GROUP BY account) moved
WHERE moved.sold <> moved.owed
UNION ALL
SELECT 'EARNINGS', 'fees_unlike_ledger', o.id, jsonb_build_object('kept', fees.kept, 'owed', ledger.owed)
FROM orders o
CROSS JOIN LATERAL (SELECT coalesce(sum(fee_cents - returned_fee_cents), 0) AS kept FROM earnings WHERE order_id = o.id) fees
CROSS JOIN LATERAL (SELECT coalesce(-sum(l.amount_cents) FILTER (WHERE l.account = 'fees'), 0) AS owed
  FROM payments p JOIN ledger_entries l ON l.payment_id = p.id WHERE p.order_id = o.id) ledger
WHERE fees.kept <> ledger.owed;

CREATE OR REPLACE VIEW line_earning_fault AS
SELECT 'EARNINGS' AS rule, 'line_unlike_earning' AS code, o.id AS order_id,
  jsonb_build_object('price', paid.cents, 'status', o.status, 'earned', e.gross_cents) AS facts
FROM orders o JOIN order_lines l ON l.order_id = o.id LEFT JOIN earnings e ON e.order_line_id = l.id
CROSS JOIN LATERAL (SELECT l.price_cents * l.quantity - l.discount_cents AS cents) paid
WHERE e.gross_cents IS DISTINCT FROM CASE WHEN o.status IN ('completed', 'refunded') AND l.gift_id IS NULL THEN paid.cents END;

CREATE OR REPLACE VIEW refunded_sale_fault AS
SELECT 'EARNINGS' AS rule, 'refund_unlike_sales' AS code, o.id AS order_id,
  jsonb_build_object('refunded', made.cents, 'status', o.status, 'returned', sales.returned) AS facts
FROM orders o
CROSS JOIN LATERAL (SELECT sum(returned_cents) AS returned FROM earnings WHERE order_id = o.id HAVING count(*) > 0) sales
CROSS JOIN LATERAL (
  SELECT CASE o.status WHEN 'refunded' THEN o.total_cents ELSE coalesce(sum(r.amount_cents + r.credit_cents), 0) END AS cents
  FROM refunds r JOIN payments p ON p.id = r.payment_id
  WHERE p.order_id = o.id AND r.status = 'completed' AND p.status <> 'mismatched') made
WHERE made.cents <> sales.returned
UNION ALL
SELECT 'EARNINGS', 'returns_unlike_sales', o.id,
  jsonb_build_object('seller', moved.seller_id, 'gross', moved.gross, 'fee', moved.fee,
  'saleGross', moved.sale_gross, 'saleFee', moved.sale_fee)
FROM orders o
CROSS JOIN LATERAL (
  SELECT seller_id, sum(gross) AS gross, sum(fee) AS fee, sum(sale_gross) AS sale_gross, sum(sale_fee) AS sale_fee
  FROM (SELECT seller_id, 0 AS gross, 0 AS fee, returned_cents AS sale_gross, returned_fee_cents AS sale_fee
      FROM earnings WHERE order_id = o.id
    UNION ALL SELECT seller_id, gross_cents, fee_cents, 0, 0 FROM earning_returns WHERE order_id = o.id) parts
  GROUP BY seller_id) moved
WHERE (moved.gross, moved.fee) <> (moved.sale_gross, moved.sale_fee);

-- Money that the shop owes to an erased account without a payout in progress.
CREATE OR REPLACE VIEW erased_seller_fault AS
SELECT 'ERASED' AS rule, 'erased_owed' AS code, u.id AS user_id, jsonb_build_object('cents', -sum(l.amount_cents)) AS facts
FROM users u JOIN ledger_entries l ON l.account = 'seller:' || u.id
WHERE u.erased_at IS NOT NULL GROUP BY u.id HAVING sum(l.amount_cents) < 0;
