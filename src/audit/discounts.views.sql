-- Faults of discount code uses.

CREATE OR REPLACE VIEW order_discount_fault AS
SELECT 'DISCOUNT' AS rule, 'discount_unlike_uses' AS code, o.id AS order_id,
  jsonb_build_object('lines', lines.cents, 'uses', uses.cents) AS facts
FROM orders o
CROSS JOIN LATERAL (SELECT coalesce(sum(discount_cents), 0) AS cents FROM order_lines WHERE order_id = o.id) lines
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS cents FROM discount_uses WHERE order_id = o.id) uses
WHERE lines.cents <> uses.cents
UNION ALL
SELECT 'DISCOUNT', CASE WHEN u.returned_at IS NULL THEN 'use_kept' ELSE 'use_returned' END, o.id,
  jsonb_build_object('status', o.status, 'code', u.code)
FROM orders o JOIN discount_uses u ON u.order_id = o.id WHERE (u.returned_at IS NOT NULL) <> (o.status = 'failed');

CREATE OR REPLACE VIEW discount_fault AS
SELECT 'DISCOUNT' AS rule, 'uses_unlike_orders' AS code, d.id AS discount_id,
  jsonb_build_object('uses', d.uses, 'max', d.most_uses, 'orders', used.orders) AS facts
FROM discounts d
CROSS JOIN LATERAL (SELECT count(*) AS orders FROM discount_uses u WHERE u.discount_id = d.id AND u.returned_at IS NULL) used
WHERE d.uses <> used.orders OR d.uses > d.most_uses;
