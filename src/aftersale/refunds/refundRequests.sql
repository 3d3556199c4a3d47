-- Saves a request for each line. An open request changes. A granted request reopens if some copies of the line are not
-- refunded. Returns no row for a line that staff have decided.
-- @name saveRequests
INSERT INTO refund_requests (order_line_id, order_id, reason, note)
SELECT id, :orderId, :reason, :note FROM unnest(:lineIds::uuid[]) line (id)
ON CONFLICT (order_line_id) DO UPDATE SET reason = excluded.reason, note = excluded.note, state = 'open', answer = NULL, answered_at = NULL
WHERE refund_requests.state = 'open' OR (refund_requests.state = 'granted' AND EXISTS (
  SELECT FROM earnings e JOIN order_lines l ON l.id = e.order_line_id
  WHERE e.order_line_id = refund_requests.order_line_id AND e.returned_quantity BETWEEN 1 AND l.quantity - 1))
RETURNING order_line_id;

-- True if a refund of the order waits for approval or was requested at the provider.
-- @name readUnderWay
SELECT EXISTS (SELECT FROM refund_approvals WHERE order_id = :orderId AND state = 'waiting')
  OR EXISTS (SELECT FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = :orderId AND r.status = 'requested')
  AS is_under_way;
