-- Faults of codes and licence keys. Each view of this room has the columns rule, code, the subject's id, and facts.

CREATE OR REPLACE VIEW sold_code_fault AS
SELECT 'INV3' AS rule, 'code_sold_unpaid' AS code, o.id AS order_id, jsonb_build_object('code', c.id, 'status', o.status) AS facts
FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN codes c ON c.order_line_id = l.id
WHERE c.state = 'sold' AND o.status <> 'completed'
UNION ALL
-- the order of the giver paid for the code of a gift
SELECT 'INV3', 'code_of_two_orders', l.order_id, jsonb_build_object('code', c.id)
FROM order_lines l JOIN codes c ON c.order_line_id = l.id JOIN payments p ON p.id = c.payment_id
LEFT JOIN gifts g ON g.id = l.gift_id LEFT JOIN order_lines paid ON paid.id = g.order_line_id
WHERE c.product_id <> l.product_id OR p.order_id <> coalesce(paid.order_id, l.order_id)
UNION ALL
SELECT 'INV3', 'code_sold_twice', l.order_id, jsonb_build_object('product', c.product_id, 'times', same.times)
FROM order_lines l JOIN codes c ON c.order_line_id = l.id AND c.state = 'sold'
CROSS JOIN LATERAL (SELECT count(*) AS times FROM codes s
  WHERE s.fingerprint = c.fingerprint AND s.product_id = c.product_id AND s.state = 'sold') same
WHERE same.times > 1
UNION ALL
SELECT 'INV8', 'code_held_after_payment', p.order_id, jsonb_build_object('code', c.id, 'status', p.status)
FROM payments p JOIN codes c ON c.payment_id = p.id AND c.state = 'held'
WHERE p.status <> 'capturing';

-- Copies that a line still owes: those that no refund returned.
CREATE OR REPLACE VIEW owed_copies AS
SELECT o.id AS order_id, l.id AS order_line_id, l.delivery, l.quantity - e.returned_quantity AS owed
FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN earnings e ON e.order_line_id = l.id
WHERE o.status = 'completed';

CREATE OR REPLACE VIEW missing_copy_fault AS
-- a supplier may deliver later
SELECT 'INV3' AS rule, 'codes_missing' AS code, l.order_id,
  jsonb_build_object('owed', l.owed, 'has', own.codes + gone.codes) AS facts
FROM owed_copies l
CROSS JOIN LATERAL (SELECT count(*) AS codes FROM codes c WHERE c.order_line_id = l.order_line_id AND c.state = 'sold') own
CROSS JOIN LATERAL (SELECT count(*) AS codes FROM gifts g JOIN order_lines m ON m.gift_id = g.id
  JOIN codes c ON c.order_line_id = m.id AND c.state = 'sold' WHERE g.order_line_id = l.order_line_id) gone
WHERE l.delivery = 'code' AND own.codes + gone.codes <> l.owed
  AND NOT EXISTS (SELECT FROM supply_requests y WHERE y.order_line_id = l.order_line_id AND y.state <> 'delivered')
UNION ALL
SELECT 'INV3', 'seats_missing', l.order_id, jsonb_build_object('owed', l.owed, 'has', coalesce(k.seats, 0) + gone.seats)
FROM owed_copies l LEFT JOIN licenses k ON k.order_line_id = l.order_line_id
CROSS JOIN LATERAL (SELECT coalesce(sum(g.quantity), 0) AS seats FROM gifts g
  WHERE g.order_line_id = l.order_line_id AND g.state IN ('open', 'claimed')) gone
WHERE l.delivery = 'license' AND coalesce(k.seats, -1) + gone.seats <> l.owed;
