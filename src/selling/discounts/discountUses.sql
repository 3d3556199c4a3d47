-- The orders that used a code of the seller, without failed orders, newest first. `sale` is the first discounted line, null
-- until the order is paid. No row: the seller has no such code.
-- @name listDiscountUses
-- @null beforeMicros, beforeId, next
WITH page AS MATERIALIZED (SELECT u.*, row_number() OVER (ORDER BY u.created_at DESC, u.order_id DESC) AS n FROM (
  SELECT * FROM discount_uses WHERE discount_id = :id AND returned_at IS NULL
    AND (:beforeId::uuid IS NULL OR (created_at, order_id) < (moment_of(:beforeMicros::bigint), :beforeId))
  ORDER BY created_at DESC, order_id DESC LIMIT :limit::int + 1) u)
SELECT d.uses AS total,
  (SELECT coalesce(json_agg(json_build_object('number', right(p.order_id::text, 8), 'usedAt', iso_of(p.created_at),
      'paid', decimal_of(p.paid_cents), 'sale', (
        SELECT json_build_object('id', e.order_line_id, 'buyerName', shown_name(b, 'A buyer'), 'isOwn', b.id = e.seller_id)
        FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN users b ON b.id = p.user_id
        WHERE e.order_id = p.order_id AND e.seller_id = d.seller_id ORDER BY l.discount_cents = 0, l.position LIMIT 1))
    ORDER BY p.n) FILTER (WHERE p.n <= :limit), '[]') FROM page p)::text AS json,
  (SELECT json_build_array(micros_of(p.created_at), p.order_id) FROM page p
    WHERE p.n = :limit AND EXISTS (SELECT FROM page m WHERE m.n > :limit))::text AS next
FROM discounts d WHERE d.id = :id AND d.seller_id = :sellerId;
