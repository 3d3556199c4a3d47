-- @name sumBooked
SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM ledger_entries WHERE payment_id = :paymentId AND account = :account;

-- Money that staff returned to the buyer without a refund.
-- @name sumReturned
SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM usdc_exceptions
WHERE payment_id = :paymentId AND kind <> 'refund' AND resolution = 'returned';

-- @name findOrderOf
SELECT p.id AS payment_id, o.id AS order_id, o.user_id FROM usdc_exceptions e
JOIN payments p ON p.id = e.payment_id JOIN orders o ON o.id = p.order_id WHERE e.id = :id;

-- @name lockPayment
SELECT FROM payments WHERE id = :id FOR NO KEY UPDATE;

-- @name lockException
SELECT kind, state, payment_id, amount_cents, refund_address, coalesce(address_waits_until > now(), false) AS is_waiting
FROM usdc_exceptions WHERE id = :id FOR UPDATE;

-- Open exceptions, oldest first. With `isDone` closed exceptions, newest first.
-- @name listExceptions
SELECT e.id, e.kind, e.amount_cents, e.state, e.refund_address, e.address_waits_until, e.tx_hash, e.resolution, e.problem, e.created_at,
  e.done_at, o.id AS order_id, o.user_id, u.email AS buyer, a.address, a.units, a.chain_id,
  (SELECT coalesce(sum(t.units), 0)::bigint FROM usdc_transfers t WHERE t.address = a.address AND t.removed_at IS NULL) AS received_units
FROM (SELECT * FROM usdc_exceptions WHERE (state = 'done') = :isDone::boolean
  ORDER BY CASE WHEN :isDone THEN done_at END DESC, CASE WHEN NOT :isDone THEN created_at END, id LIMIT :most) e
JOIN payments p ON p.id = e.payment_id JOIN orders o ON o.id = p.order_id JOIN users u ON u.id = o.user_id
JOIN usdc_addresses a ON a.payment_id = e.payment_id
ORDER BY CASE WHEN :isDone THEN e.done_at END DESC, CASE WHEN NOT :isDone THEN e.created_at END, e.id;

-- Money that was returned on a day in UTC.
-- @name listSent
SELECT e.tx_hash, e.log_index, e.amount_cents, e.done_at FROM usdc_exceptions e JOIN usdc_addresses a ON a.payment_id = e.payment_id
WHERE a.chain_id = :chainId AND a.token = :token AND e.resolution = 'returned'
  AND e.done_at >= :day::date::timestamp AT TIME ZONE 'UTC' AND e.done_at < (:day::date + 1)::timestamp AT TIME ZONE 'UTC';

-- @name findSent
SELECT e.tx_hash, e.log_index, e.amount_cents FROM usdc_exceptions e JOIN usdc_addresses a ON a.payment_id = e.payment_id
WHERE a.chain_id = :chainId AND a.token = :token AND e.resolution = 'returned' AND e.tx_hash || ':' || e.log_index = ANY (:refs::text[]);
