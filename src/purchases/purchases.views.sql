-- Orders as JSON for their buyers. Other rooms read the sums and `paid_as`.

-- Counts paid orders. Sums the money spent on completed orders, without store credit and refunds.
CREATE OR REPLACE FUNCTION purchase_sums(buyer uuid) RETURNS TABLE (total int, completed int, spent bigint) LANGUAGE sql STABLE AS $$
  SELECT count(*) FILTER (WHERE status IN ('completed', 'refunded'))::int, count(*) FILTER (WHERE status = 'completed')::int,
    (coalesce(sum(total_cents - credit_cents) FILTER (WHERE status = 'completed'), 0) - (
      SELECT coalesce(sum(r.amount_cents), 0)
      FROM payments p JOIN orders o ON o.id = p.order_id JOIN refunds r ON r.payment_id = p.id
      WHERE p.status = 'part_refunded' AND o.user_id = buyer AND o.status = 'completed'
        AND o.credit_cents < o.total_cents AND r.status = 'completed'))::bigint
  FROM orders WHERE user_id = buyer
$$;

-- The captured payment. Before the capture the column holds an id from the browser, which stays hidden.
CREATE OR REPLACE FUNCTION paid_as(o orders) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT CASE WHEN o.status IN ('completed', 'refunded') THEN o.payment_id END $$;

CREATE OR REPLACE VIEW shown_line AS
SELECT l.order_id, l.position, json_build_object(
  'id', l.id, 'productId', l.product_id, 'title', l.title, 'quantity', l.quantity,
  'price', decimal_of(l.price_cents), 'isFree', l.price_cents * l.quantity = l.discount_cents,
  'categoryId', p.category_id, 'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'coverId', p.variant_of,
  'bundle', CASE WHEN l.bundle_id IS NOT NULL THEN json_build_object('id', l.bundle_id, 'title', l.bundle_title) END,
  'isReviewed', CASE WHEN l.seller_id <> o.user_id AND l.gift_id IS NULL AND (e.id IS NULL OR is_sale(e)) THEN EXISTS (
    SELECT FROM reviews n WHERE n.user_id = o.user_id AND n.product_id = page_of(p) AND is_own(n)) END,
  'refundRequest', (SELECT json_build_object('state', q.state, 'answer', q.answer, 'at', iso_of(q.created_at))
    FROM refund_requests q WHERE q.order_line_id = l.id),
  'refunded', CASE WHEN e.is_gift AND e.revoked_at IS NOT NULL AND e.given_at IS NULL THEN l.quantity
    ELSE coalesce(s.returned_quantity, 0) END,
  'given', coalesce((SELECT g.copies FROM given_copies g WHERE g.order_line_id = l.id), 0), 'isToGive', e.given_at IS NOT NULL,
  'delivery', CASE WHEN o.status = 'completed' AND e.revoked_at IS NULL AND e.id IS NOT NULL THEN (SELECT w.goods
    FROM shown_goods(l.id, l.delivery, l.product_id, e.user_id, e.file_id, l.more_file_ids) w) END) AS json
FROM order_lines l JOIN orders o ON o.id = l.order_id JOIN products p ON p.id = l.product_id
LEFT JOIN earnings s ON s.order_line_id = l.id
LEFT JOIN entitlements e ON e.order_line_id = l.id;

-- Completed refunds of money, and of store credit.
CREATE OR REPLACE VIEW shown_refund AS
SELECT y.order_id, r.amount_cents AS cents, r.updated_at AS at, false AS is_credit
FROM payments y JOIN refunds r ON r.payment_id = y.id JOIN orders o ON o.id = y.order_id
WHERE y.status IN ('part_refunded', 'refunded') AND r.status = 'completed' AND o.credit_cents < o.total_cents
UNION ALL
SELECT c.order_id, c.amount_cents, c.created_at, true
FROM credit_entries c JOIN orders o ON o.id = c.order_id WHERE o.credit_cents > 0 AND c.kind = 'refunded';

-- The reason why a pending order waits. A hold for review stays visible until a job delivers or refunds the order.
CREATE OR REPLACE VIEW shown_hold AS
SELECT h.order_id, h.kind, json_build_object('kind', h.kind, 'isClearedByConfirming', h.is_cleared_by_confirming AND h.state = 'open',
  'until', iso_of(h.ends_at), 'since', iso_of(h.created_at),
  'why', (SELECT coalesce(json_agg(r.reason->'rule' ORDER BY r.n), '[]') FROM jsonb_array_elements(d.reasons) WITH ORDINALITY r (reason, n))) AS json
FROM risk_holds h JOIN risk_decisions d ON d.id = h.decision_id
WHERE h.state = 'open' OR h.kind = 'hold';

-- The sender of a claimed gift, and the time when the gift was revoked.
CREATE OR REPLACE VIEW shown_gift AS
SELECT m.order_id, shown_name(u, 'Someone') AS giver,
  CASE WHEN g.state = 'ended' THEN json_build_object('at', iso_of(n.revoked_at),
    'isDisputed', EXISTS (SELECT FROM disputes d WHERE d.order_id = s.id AND d.state = 'lost')) END AS taken_back
FROM order_lines m JOIN gifts g ON g.id = m.gift_id JOIN order_lines b ON b.id = g.order_line_id
JOIN orders s ON s.id = b.order_id JOIN users u ON u.id = s.user_id JOIN entitlements n ON n.order_line_id = m.id;

CREATE OR REPLACE VIEW shown_order AS
SELECT o.id, json_build_object('id', o.id, 'status', o.status, 'source', o.source,
  'total', decimal_of(o.total_cents), 'credit', decimal_of(o.credit_cents),
  'paymentMethod', o.payment_method, 'paymentId', paid_as(o), 'createdAt', iso_of(o.created_at),
  'expiresAt', CASE WHEN o.status = 'pending' THEN iso_of(o.expires_at) END,
  'earned', coalesce((SELECT decimal_of(b.amount_cents - b.taken_back_cents) FROM credit_bonuses b WHERE b.order_id = o.id), '0.00'),
  'declinedAt', CASE WHEN o.status = 'pending' THEN (SELECT iso_of(max(y.updated_at)) FROM payments y
    WHERE y.order_id = o.id AND y.declines > 0 AND y.status IN ('declined', 'failed')) END,
  'dispute', (SELECT json_build_object('state', CASE WHEN t.ended_at IS NULL THEN 'open' ELSE t.state END,
      'amount', decimal_of(coalesce(t.lost_cents, t.amount_cents)), 'at', iso_of(coalesce(t.ended_at, t.opened_at)))
    FROM disputes t WHERE t.order_id = o.id AND t.stage <> 'warning' ORDER BY t.created_at DESC LIMIT 1),
  'discounts', (SELECT coalesce(json_agg(json_build_object('code', d.code, 'amount', decimal_of(d.amount_cents)) ORDER BY d.code), '[]')
    FROM discount_uses d WHERE d.order_id = o.id),
  'giver', g.giver, 'takenBack', g.taken_back,
  'hold', CASE WHEN o.status = 'pending' THEN
    (SELECT h.json FROM shown_hold h WHERE h.order_id = o.id ORDER BY h.kind LIMIT 1) END,
  'lines', (SELECT json_agg(l.json ORDER BY l.position) FROM shown_line l WHERE l.order_id = o.id),
  'refunds', (SELECT coalesce(json_agg(json_build_object('amount', decimal_of(r.cents), 'at', iso_of(r.at),
    'isCredit', r.is_credit) ORDER BY r.at, r.cents DESC), '[]') FROM shown_refund r WHERE r.order_id = o.id),
  'events', (SELECT json_agg(json_build_object('status', v.to_status, 'code', v.reason_code, 'at', iso_of(v.created_at)) ORDER BY v.id)
    FROM order_events v WHERE v.order_id = o.id)) AS json
FROM orders o
LEFT JOIN LATERAL (SELECT f.giver, f.taken_back FROM shown_gift f WHERE o.source = 'gift' AND f.order_id = o.id LIMIT 1) g ON true;
