-- @name findDispute
-- @null sender
SELECT d.*, u.email, u.erased_at, s.email AS sender, is_missing(d) AS can_settle
FROM disputes d JOIN users u ON u.id = d.user_id LEFT JOIN users s ON s.id = d.evidence_by WHERE d.id = :id;

-- Open disputes. A dispute without a due date comes last.
-- @name listOpen
-- @null sender, after
SELECT d.*, u.email, u.erased_at, s.email AS sender, is_missing(d) AS can_settle
FROM disputes d JOIN users u ON u.id = d.user_id LEFT JOIN users s ON s.id = d.evidence_by
WHERE d.ended_at IS NULL AND (:after::uuid IS NULL OR (coalesce(d.evidence_due_at, 'infinity'), d.id) >
  (SELECT coalesce(a.evidence_due_at, 'infinity'), a.id FROM disputes a WHERE a.id = :after))
ORDER BY coalesce(d.evidence_due_at, 'infinity'), d.id LIMIT :most;

-- Ended disputes, newest first.
-- @name listEnded
-- @null sender, after
SELECT d.*, u.email, u.erased_at, s.email AS sender, is_missing(d) AS can_settle
FROM disputes d JOIN users u ON u.id = d.user_id LEFT JOIN users s ON s.id = d.evidence_by
WHERE d.ended_at IS NOT NULL
  AND (:after::uuid IS NULL OR (d.ended_at, d.id) < (SELECT a.ended_at, a.id FROM disputes a WHERE a.id = :after))
ORDER BY d.ended_at DESC, d.id DESC LIMIT :most;

-- @name readMissing
SELECT is_missing(d) FROM disputes d WHERE d.id = :id;

-- The sellers of an order with their lines.
-- @name listSellers
SELECT seller_id, array_agg(order_line_id) AS line_ids FROM earnings WHERE order_id = :orderId GROUP BY seller_id;

-- The purchase behind a dispute, with its first deliveries. Staff send it as evidence.
-- @name readEvidence
-- @null ip, country
-- @type deliveries: import('./evidence.rules.ts').Delivered[]
WITH delivered AS MATERIALIZED (
  SELECT l.title, 'access' AS kind, e.created_at AS at, NULL AS ip, l.position FROM order_lines l
  JOIN entitlements e ON e.order_line_id = l.id WHERE l.order_id = :orderId
  UNION ALL
  SELECT l.title, v.kind, v.created_at, v.ip_address, l.position FROM order_lines l
  JOIN entitlements e ON e.order_line_id = l.id JOIN delivery_events v ON v.entitlement_id = e.id WHERE l.order_id = :orderId
  ORDER BY at, position LIMIT :mostDeliveries)
SELECT coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), u.email) AS buyer_name,
  u.email AS buyer_email, o.created_at AS bought_at,
  (SELECT ip FROM delivered WHERE ip IS NOT NULL ORDER BY at LIMIT 1) AS ip,
  (SELECT country FROM risk_decisions d WHERE d.order_id = o.id AND country IS NOT NULL ORDER BY created_at DESC LIMIT 1) AS country,
  (SELECT string_agg(CASE WHEN quantity > 1 THEN quantity || ' x ' ELSE '' END || title, '; ' ORDER BY position)
    FROM order_lines WHERE order_id = o.id) AS product_description,
  coalesce((SELECT json_agg(json_build_object('title', title, 'kind', kind, 'at', at, 'ip', ip) ORDER BY at, position)
    FROM delivered), '[]') AS deliveries
FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = :orderId;
