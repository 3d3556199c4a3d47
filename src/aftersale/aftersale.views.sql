-- Views of aftersale for rooms below.

-- Large refunds that wait for a second member of staff. `id` is the order, the owner asked for the refund.
CREATE OR REPLACE VIEW waiting_refund_approval AS
SELECT a.order_id AS id, a.created_at AS since, NULL::timestamptz AS due_at, a.asked_by AS owner_id,
  (SELECT u.email FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = a.order_id AND u.erased_at IS NULL) AS about,
  a.amount_cents AS cents
FROM refund_approvals a WHERE a.state = 'waiting';

-- Orders of which a buyer asks the money of lines back, with the title of the first such line. `id` is the order.
CREATE OR REPLACE VIEW waiting_refund_request AS
SELECT r.order_id AS id, min(r.created_at) AS since, NULL::timestamptz AS due_at, NULL::uuid AS owner_id,
  (array_agg(l.title ORDER BY l.position))[1] AS about, NULL::bigint AS cents
FROM refund_requests r JOIN order_lines l ON l.id = r.order_line_id WHERE r.state = 'open' GROUP BY r.order_id;
