-- @name sumRefunds
SELECT coalesce(sum(amount_cents), 0)::bigint AS amount_cents, coalesce(sum(credit_cents), 0)::bigint AS credit_cents
FROM refunds WHERE payment_id = :paymentId AND status = ANY (:statuses::text[]);

-- Refunds since a time that the provider made without a request of the shop.
-- @name sumUnasked
SELECT coalesce(sum(amount_cents), 0)::bigint AS cents FROM refunds
WHERE payment_id = :paymentId AND status = 'completed' AND asked_by IS NULL AND reason = :reason AND created_at > :since;

-- The amount of a mismatched payment. Its first refund requests the whole amount.
-- @name readMismatched
SELECT greatest((array_agg(amount_cents ORDER BY created_at, id))[1], sum(amount_cents) FILTER (WHERE status = 'completed'))::float8 AS cents
FROM refunds WHERE payment_id = :paymentId;

-- @name findRefund
SELECT r.*, (extract(epoch FROM now() - r.created_at) / 60)::float8 AS age_minutes FROM refunds r WHERE r.id = :id;

-- Refunds whose job was lost or gave up. Oldest request first, so that failing refunds do not block the queue.
-- @name markIdle
UPDATE refunds SET taken_up_at = now() WHERE id IN (
  SELECT id FROM refunds
  WHERE status = 'requested' AND greatest(updated_at, taken_up_at) < now() - interval '10 minutes'
  ORDER BY greatest(updated_at, taken_up_at) LIMIT :most) RETURNING id;
