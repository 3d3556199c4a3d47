-- Views of orders for other rooms.

-- Orders that failed without taking money.
CREATE OR REPLACE VIEW unpaid_order AS
SELECT o.id, o.user_id FROM orders o
WHERE o.status = 'failed' AND NOT EXISTS (SELECT FROM order_events v WHERE v.order_id = o.id AND v.to_status = 'failed'
  AND v.reason_code IN ('risk_refused_paid', 'refunded_at_provider', 'amount_mismatch', 'payment_unusable'));
