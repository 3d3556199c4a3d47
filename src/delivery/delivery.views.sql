-- Views of deliveries for other rooms.

-- Why the goods of an order line are closed for a while. Those of a claimed gift depend on the line of its giver.
CREATE OR REPLACE VIEW line_standing AS
SELECT l.id AS order_line_id,
  EXISTS (SELECT FROM disputes d WHERE d.order_id = o.id AND d.ended_at IS NULL AND d.stage <> 'warning') AS is_disputed,
  -- the whole order, or all copies of the line, are being refunded; a refund of lines keeps what cost nothing
  EXISTS (SELECT FROM payments p WHERE p.order_id = o.id AND p.status IN ('captured', 'part_refunded')
      AND o.total_cents <= (SELECT sum(r.amount_cents + r.credit_cents) FROM refunds r
        WHERE r.payment_id = p.id AND r.status IN ('requested', 'completed'))
      AND (EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'requested'
          AND NOT EXISTS (SELECT FROM refund_lines n WHERE n.refund_id = r.id))
        OR NOT EXISTS (SELECT FROM order_lines f WHERE f.order_id = o.id AND f.price_cents * f.quantity = f.discount_cents)))
    OR EXISTS (SELECT FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
      WHERE n.order_line_id = paid.id AND r.status = 'requested'
      AND paid.quantity <= (SELECT sum(m.quantity) FROM refund_lines m JOIN refunds s ON s.id = m.refund_id
        WHERE m.order_line_id = paid.id AND s.status IN ('requested', 'completed'))) AS is_going_back
FROM order_lines l
LEFT JOIN gifts g ON g.id = l.gift_id
JOIN order_lines paid ON paid.id = coalesce(g.order_line_id, l.id)
JOIN orders o ON o.id = paid.order_id;

-- Entitlements whose goods open now.
CREATE OR REPLACE VIEW open_copy AS
SELECT e.id AS entitlement_id, e.user_id, e.product_id, e.order_line_id
FROM entitlements e
JOIN order_lines l ON l.id = e.order_line_id
JOIN orders o ON o.id = l.order_id
JOIN line_standing s ON s.order_line_id = l.id
WHERE e.revoked_at IS NULL AND o.status = 'completed' AND NOT s.is_disputed AND NOT s.is_going_back;
