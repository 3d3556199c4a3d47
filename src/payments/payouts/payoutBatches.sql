-- @name lockBatches
SELECT id FROM payout_batches WHERE id IN (SELECT batch_id FROM payouts WHERE id = ANY (:payoutIds::uuid[])) ORDER BY id FOR UPDATE;

-- The lease is longer than the timeout of all requests of one batch, so that two callers never send it at once.
-- @name leaseBatch
UPDATE payout_batches b SET lease_until = now() + interval '60 seconds', looked_at = now(),
  first_sent_at = coalesce(b.first_sent_at, now())
FROM (SELECT id, first_sent_at FROM payout_batches WHERE id = :id FOR UPDATE) old
WHERE b.id = old.id AND b.state = 'approved' AND b.provider IS NOT NULL AND (b.lease_until IS NULL OR b.lease_until < now())
RETURNING old.first_sent_at IS NULL AS is_first,
  (extract(epoch FROM now() - coalesce(old.first_sent_at, now())) / 86400)::float8 AS sent_days;

-- Open batches of providers, and finished batches once a day, because a provider can reverse a payout for about a
-- month. Oldest read first; older batches are read less often.
-- @name listOpen
SELECT id, state FROM payout_batches
WHERE provider IS NOT NULL
  AND (state IN ('approved', 'sent') OR (state = 'over' AND provider_batch_id IS NOT NULL
    AND created_at > now() - interval '35 days' AND looked_at < now() - interval '1 day'))
  AND (looked_at IS NULL OR looked_at < now() - greatest(:idleSeconds::float8 * interval '1 second',
    least(interval '6 hours', (now() - created_at) / 30)))
ORDER BY looked_at NULLS FIRST LIMIT 100;
