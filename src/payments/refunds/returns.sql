-- Earnings of an order's sales and the refunded part.
-- @name listEarned
SELECT e.order_line_id, e.seller_id, e.gross_cents, e.fee_cents, e.returned_cents, e.returned_fee_cents
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id WHERE e.order_id = :orderId ORDER BY l.position;

-- The paid lines of an order. Requested refunds of lines count as completed.
-- @name listLeft
SELECT e.order_line_id, l.title, l.quantity, e.gross_cents,
  least(e.gross_cents, e.returned_cents + coalesce(w.cents, 0))::bigint AS returned_cents,
  least(l.quantity, e.returned_quantity + coalesce(w.copies, 0))::int AS returned_quantity
FROM earnings e JOIN order_lines l ON l.id = e.order_line_id
LEFT JOIN LATERAL (
  SELECT sum(n.amount_cents) AS cents, sum(n.quantity) AS copies FROM refund_lines n JOIN refunds r ON r.id = n.refund_id
  WHERE n.order_line_id = e.order_line_id AND r.status = 'requested') w ON true
WHERE e.order_id = :orderId ORDER BY l.position;

-- Records refunded amounts in the earnings of `lines` and in the sums of `sellers`.
-- @name takeBack
WITH changed AS (
  UPDATE earnings e SET returned_cents = returned_cents + r.cents, returned_fee_cents = returned_fee_cents + r."feeCents",
    returned_quantity = returned_quantity + r.copies
  FROM json_to_recordset(:lines::json) AS r ("orderLineId" uuid, cents bigint, "feeCents" bigint, copies int)
  WHERE e.order_line_id = r."orderLineId")
INSERT INTO earning_returns (seller_id, order_id, gross_cents, fee_cents, order_line_ids)
SELECT r."sellerId", :orderId::uuid, r.cents, r."feeCents", ARRAY(SELECT json_array_elements_text(r."lineIds")::uuid)
FROM json_to_recordset(:sellers::json) AS r ("sellerId" uuid, cents bigint, "feeCents" bigint, "lineIds" json);
