-- @name insertUse
INSERT INTO delivery_events (entitlement_id, user_id, kind, ip_address)
SELECT :entitlementId::uuid, :userId::uuid, :kind::text, :ip::text
WHERE :isRecordedEachTime::boolean OR NOT EXISTS (SELECT FROM delivery_events
  WHERE entitlement_id = :entitlementId AND kind = :kind AND created_at > now() - interval '1 day');

-- When a code of an order was first revealed by its buyer or a recipient.
-- @name findFirstReveal
-- @null at
SELECT min(v.created_at) AS at FROM order_lines l CROSS JOIN copy_lines(l.id) m
JOIN entitlements e ON e.order_line_id = m.line_id JOIN delivery_events v ON v.entitlement_id = e.id
WHERE l.order_id = :orderId AND v.kind = 'reveal';
