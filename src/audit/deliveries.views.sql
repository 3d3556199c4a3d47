-- Faults of deliveries and gifts.

CREATE OR REPLACE VIEW delivery_fault AS
SELECT 'INV3' AS rule, 'delivered_unpaid' AS code, o.id AS order_id, jsonb_build_object('status', o.status) AS facts
FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN entitlements e ON e.order_line_id = l.id
WHERE e.revoked_at IS NULL AND o.status <> 'completed'
UNION ALL
SELECT 'INV3', 'delivered_to_another', o.id, '{}'
FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN entitlements e ON e.order_line_id = l.id
WHERE e.user_id <> o.user_id
UNION ALL
SELECT 'INV2', 'line_not_delivered', o.id, '{}'
FROM orders o JOIN order_lines l ON l.order_id = o.id LEFT JOIN earnings s ON s.order_line_id = l.id
LEFT JOIN entitlements e ON e.order_line_id = l.id AND (e.revoked_at IS NULL OR e.given_at IS NOT NULL)
WHERE o.status = 'completed' AND e.id IS NULL AND l.gift_id IS NULL AND coalesce(s.returned_quantity, 0) < l.quantity;

CREATE OR REPLACE VIEW gift_fault AS
SELECT 'INV3' AS rule, 'gifts_exceed_copies' AS code, l.order_id,
  jsonb_build_object('given', gone.copies, 'copies', l.owed) AS facts
FROM owed_copies l
CROSS JOIN LATERAL (SELECT sum(g.quantity) AS copies FROM gifts g
  WHERE g.order_line_id = l.order_line_id AND g.state IN ('open', 'claimed')) gone
WHERE gone.copies > l.owed
UNION ALL
SELECT 'INV3', CASE WHEN e.revoked_at IS NULL THEN 'gift_line_opens' ELSE 'gift_line_closed' END, l.order_id,
  jsonb_build_object('state', g.state)
FROM order_lines l JOIN gifts g ON g.id = l.gift_id JOIN entitlements e ON e.order_line_id = l.id
WHERE (g.state = 'claimed') <> (e.revoked_at IS NULL);
