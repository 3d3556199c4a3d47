-- `is_opened`: the buyer, or the recipient of a gift, has used a copy. `is_open`: they can open a copy now. `is_late`: the sale is
-- older than `days`, and the buyer has not asked for a refund of it.
-- @name findSale
SELECT e.order_id, l.title, l.quantity, o.user_id = e.seller_id AS is_own,
  e.earned_at < now() - :days::int * interval '1 day' AND NOT EXISTS (SELECT FROM refund_requests q
    WHERE q.order_line_id = l.id AND q.state = 'open') AS is_late,
  EXISTS (SELECT FROM copy_lines(l.id) m JOIN entitlements n ON n.order_line_id = m.line_id
    JOIN entitlement_use u ON u.entitlement_id = n.id WHERE u.is_used) AS is_opened,
  EXISTS (SELECT FROM open_copy c WHERE c.order_line_id = l.id) AS is_open
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = e.order_id
WHERE e.order_line_id = :id AND e.seller_id = :sellerId;

-- What the shop owes a seller, and how much of it a refund of the sale `id` must not use: disputed sales, and other sales on hold.
-- @name readOwed
SELECT coalesce((SELECT -sum(amount_cents) FROM ledger_entries WHERE account = :account), 0)::bigint AS owed_cents,
  coalesce((SELECT sum(net_cents(e)) FROM earnings e WHERE e.seller_id = :sellerId
    AND (e.is_disputed OR e.available_at > now() AND e.order_line_id <> :id)), 0)::bigint AS held_cents;

-- All sales of the seller's orders with a refund under way. `named_cents`: refunds of this sale. `order_cents`: all refunds of the
-- order. `counts`: `readOwed` does not subtract this sale.
-- @name listUnderWay
WITH under_way AS (SELECT p.order_id, r.id, r.amount_cents + r.credit_cents AS cents
  FROM refunds r JOIN payments p ON p.id = r.payment_id
  WHERE r.status = 'requested' AND p.status <> 'mismatched'
    AND EXISTS (SELECT FROM earnings e WHERE e.order_id = p.order_id AND e.seller_id = :sellerId))
SELECT e.order_id, e.order_line_id, e.seller_id, e.gross_cents, e.fee_cents, e.returned_cents, e.returned_fee_cents,
  (SELECT coalesce(sum(n.amount_cents), 0)::bigint FROM under_way w JOIN refund_lines n ON n.refund_id = w.id
    WHERE w.order_id = e.order_id AND n.order_line_id = e.order_line_id) AS named_cents,
  (SELECT sum(w.cents)::bigint FROM under_way w WHERE w.order_id = e.order_id) AS order_cents,
  e.seller_id = :sellerId AND NOT e.is_disputed AND (e.available_at <= now() OR e.order_line_id = :id) AS counts
FROM earnings e WHERE e.order_id IN (SELECT order_id FROM under_way) ORDER BY e.order_id, e.order_line_id;

-- Refunds that the seller made in the last `days`, without refused ones.
-- @name countMade
SELECT count(*)::int AS made FROM refunds
WHERE asked_by = :sellerId AND is_by_seller AND status <> 'failed' AND created_at > now() - :days::int * interval '1 day';

-- Refunds of a sale, the newest first.
-- @name listRefundsOf
-- @type status: 'requested' | 'completed' | 'failed'
SELECT r.id, r.status, n.quantity AS copies, n.amount_cents, iso_of(r.updated_at) AS at
FROM refund_lines n JOIN refunds r ON r.id = n.refund_id WHERE n.order_line_id = :id ORDER BY r.created_at DESC, r.id;
