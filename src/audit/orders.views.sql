-- Faults of orders, their payments and their states.

CREATE OR REPLACE VIEW order_payment_fault AS
SELECT 'INV1' AS rule, 'completed_without_capture' AS code, o.id AS order_id, '{}'::jsonb AS facts
FROM orders o
WHERE o.status = 'completed' AND o.total_cents > 0 AND NOT EXISTS (
  SELECT FROM payments p
  WHERE p.order_id = o.id AND p.status IN ('captured', 'part_refunded') AND p.currency = o.currency
    AND p.amount_cents = CASE p.provider WHEN 'store credit' THEN o.credit_cents ELSE o.total_cents - o.credit_cents END
    AND (p.provider <> 'store credit' OR o.credit_cents = o.total_cents))
UNION ALL
SELECT 'INV1', 'free_with_payment', o.id, '{}'
FROM orders o JOIN payments p ON p.order_id = o.id WHERE o.total_cents = 0
UNION ALL
SELECT 'INV2', 'captured_unfinished', o.id, jsonb_build_object('status', o.status)
FROM orders o JOIN payments p ON p.order_id = o.id
WHERE p.status IN ('captured', 'part_refunded') AND o.status <> 'completed';

CREATE OR REPLACE VIEW order_sum_fault AS
SELECT 'INV7' AS rule, 'total_unlike_lines' AS code, o.id AS order_id,
  jsonb_build_object('total', o.total_cents, 'lines', lines.cents) AS facts
FROM orders o
CROSS JOIN LATERAL (SELECT coalesce(sum(price_cents * quantity - discount_cents), 0) AS cents FROM order_lines
  WHERE order_id = o.id) lines
WHERE o.total_cents <> lines.cents
UNION ALL
SELECT 'INV7', 'payment_unlike_order', o.id, jsonb_build_object('paid', p.amount_cents, 'total', o.total_cents)
FROM orders o JOIN payments p ON p.order_id = o.id
WHERE p.amount_cents <> CASE p.provider WHEN 'store credit' THEN o.credit_cents ELSE o.total_cents - o.credit_cents END;

CREATE OR REPLACE VIEW order_step_fault AS
SELECT 'INV10' AS rule, 'wrong_step' AS code, order_id,
  jsonb_build_object('from', from_status, 'to', to_status, 'before', before) AS facts
FROM (SELECT *, lag(to_status) OVER (PARTITION BY order_id ORDER BY id) AS before FROM order_events) step
WHERE from_status IS DISTINCT FROM before OR (coalesce(from_status, ''), to_status) NOT IN
  (('', 'pending'), ('pending', 'completed'), ('pending', 'failed'), ('failed', 'failed'), ('failed', 'completed'),
    ('completed', 'refunded'))
UNION ALL
SELECT 'INV10', 'status_unlike_event', o.id, jsonb_build_object('status', o.status, 'last', last.to_status)
FROM orders o
LEFT JOIN LATERAL (SELECT to_status FROM order_events WHERE order_id = o.id ORDER BY id DESC LIMIT 1) last ON true
WHERE last.to_status IS DISTINCT FROM o.status
UNION ALL
SELECT 'INV10', 'completed_without_later_capture', v.order_id, '{}'
FROM order_events v
WHERE v.from_status = 'failed' AND v.to_status = 'completed' AND NOT EXISTS (
  SELECT FROM payments p WHERE p.order_id = v.order_id AND p.status IN ('captured', 'refunded', 'part_refunded'));
