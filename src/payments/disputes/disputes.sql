-- Finds a dispute with this disputed or lost amount. It must be open, or lost less than a day ago.
-- @name findBySum
SELECT * FROM disputes
WHERE payment_id = :paymentId AND :amountCents::bigint IN (amount_cents, lost_cents) AND stage <> 'warning'
  AND (ended_at IS NULL OR (state = 'lost' AND ended_at > now() - interval '1 day'))
ORDER BY created_at DESC LIMIT 1;

-- The amount that the payment's other disputes hold.
-- @name sumHeld
SELECT coalesce(sum(held_cents), 0)::bigint AS cents FROM disputes WHERE payment_id = :paymentId AND id <> :exceptId;

-- Open disputes that the shop last read at least `minutes` ago, oldest first. Won disputes once a day for 30 days,
-- because a buyer may appeal.
-- @name listIdle
SELECT * FROM disputes
WHERE provider = :provider AND CASE WHEN ended_at IS NULL THEN looked_at < now() - :minutes::float8 * interval '1 minute'
  ELSE state = 'won' AND ended_at > now() - interval '30 days' AND looked_at < now() - interval '1 day' END
ORDER BY looked_at LIMIT :most;
