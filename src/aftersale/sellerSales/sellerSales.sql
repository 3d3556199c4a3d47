-- `is_opened`: the buyer, or who got a copy as a gift, has used it. `is_open`: they can open a copy now.
-- @name findSale
SELECT e.order_id, l.title, l.quantity,
  EXISTS (SELECT FROM copy_lines(l.id) m JOIN entitlements n ON n.order_line_id = m.line_id
    JOIN entitlement_use u ON u.entitlement_id = n.id WHERE u.is_used) AS is_opened,
  EXISTS (SELECT FROM open_copy c WHERE c.order_line_id = l.id) AS is_open
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id WHERE e.order_line_id = :id AND e.seller_id = :sellerId;

-- What the shop owes a seller, and the part of it that a dispute may take.
-- @name readOwed
SELECT coalesce((SELECT -sum(amount_cents) FROM ledger_entries WHERE account = :account), 0)::bigint AS owed_cents,
  coalesce((SELECT sum(net_cents(e)) FROM earnings e WHERE e.seller_id = :sellerId AND e.is_disputed), 0)::bigint AS disputed_cents;

-- The sales of a seller in orders with a refund under way. A refund of no lines may take all of its sum from one sale.
-- @name listUnderWay
SELECT e.order_line_id, e.gross_cents, e.fee_cents, e.returned_cents, e.returned_fee_cents,
  (SELECT coalesce(sum(coalesce(n.amount_cents, r.amount_cents + r.credit_cents)), 0)::bigint
    FROM payments p JOIN refunds r ON r.payment_id = p.id AND r.status = 'requested'
    LEFT JOIN refund_lines n ON n.refund_id = r.id
    WHERE p.order_id = e.order_id AND p.status <> 'mismatched'
      AND (n.refund_id IS NULL OR n.order_line_id = e.order_line_id)) AS wanted_cents
FROM earnings e
WHERE e.seller_id = :sellerId AND e.order_id IN (SELECT p.order_id FROM refunds r JOIN payments p ON p.id = r.payment_id
  WHERE r.status = 'requested');
