-- Locks the buyer, so that concurrent refunds of two orders count each other.
-- @name lockBuyer
-- @type lock: unknown
SELECT pg_advisory_xact_lock(hashtextextended('self refund:' || :userId::text, 0)) AS lock;

-- Finds the buyer's earlier self-service refund of exactly these copies.
-- @name findTaken
-- @type status: 'requested' | 'completed'
SELECT r.id, r.status, (r.amount_cents + r.credit_cents)::bigint AS cents FROM refunds r JOIN payments p ON p.id = r.payment_id
WHERE p.order_id = :orderId AND r.is_by_buyer AND r.status <> 'failed'
  AND (SELECT json_agg(json_build_array(order_line_id, quantity) ORDER BY order_line_id) FROM refund_lines WHERE refund_id = r.id)::jsonb
    = (SELECT json_agg(json_build_array(n."orderLineId", n.quantity) ORDER BY n."orderLineId")
      FROM json_to_recordset(:copies::json) n ("orderLineId" uuid, quantity int))::jsonb;

-- @name readStanding
SELECT (extract(epoch FROM now() - o.completed_at) / 86400)::float8 AS age_days,
  (SELECT count(*)::int FROM refunds WHERE asked_by = o.user_id AND is_by_buyer AND status <> 'failed'
    AND created_at > now() - interval '30 days') AS recent,
  (SELECT count(*)::int FROM disputes WHERE user_id = o.user_id AND state = 'lost'
    AND coalesce(lost_cents, amount_cents) >= amount_cents AND ended_at > now() - interval '1 year') AS lost_disputes
FROM orders o WHERE o.id = :orderId;
