-- @name insertPayment
-- @null walletId, sent_minutes
INSERT INTO payments AS p (order_id, provider, mode, amount_cents, wallet_id)
VALUES (:orderId, :provider, :mode, :amountCents, :walletId)
RETURNING p.*, is_leased(p), age_minutes(p), sent_minutes(p);

-- @name findPayment
-- @null sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p WHERE p.id = :id;

-- @name findByCapture
-- @null sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p WHERE p.provider_capture_id = :captureId;

-- @name findByProviderOrder
-- @null sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p
WHERE p.provider = :provider AND p.provider_order_id = :ref;

-- @name findOfBuyer
-- @null sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p
WHERE p.provider_order_id = :ref AND p.order_id IN (SELECT id FROM orders WHERE user_id = :userId);

-- Finds the buyer's payment by the provider's order id or the payment id.
-- @name findAtProvider
-- @null ref, paymentId, sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p
WHERE p.provider = :provider AND (p.provider_order_id = :ref OR p.id = :paymentId)
  AND p.order_id IN (SELECT id FROM orders WHERE user_id = :userId);

-- @name lockPayments
-- @null sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p
WHERE p.order_id = :orderId ORDER BY p.created_at, p.id FOR NO KEY UPDATE;

-- @name listPayments
-- @null sent_minutes
SELECT p.*, is_leased(p), age_minutes(p), sent_minutes(p) FROM payments p
WHERE p.order_id = :orderId ORDER BY p.created_at, p.id;

-- @name nameAtProvider
-- @null sent_minutes
UPDATE payments p SET status = CASE status WHEN 'creating' THEN 'created' ELSE status END,
  provider_order_id = :providerOrderId, updated_at = now()
WHERE p.id = :id AND p.provider_order_id IS NULL
RETURNING p.*, is_leased(p), age_minutes(p), sent_minutes(p);

-- Leases the capture of an approved payment. Returns the payment as it was before.
-- @name leaseAtOnce
-- @type mode: 'sandbox' | 'live'
-- @null provider_order_id, provider_capture_id, wallet_id, lease_until, last_error, closed_at, card, sent_minutes
SELECT p.*, false AS is_leased, age_minutes(p), NULL::float8 AS sent_minutes
FROM lease_capture(:userId, :providerOrderId, now() + :leaseSeconds::int * interval '1 second') p;

-- Enqueues captures whose lease expired without a result, once each. Their jobs have a low priority, because each can
-- wait seconds for an unavailable provider.
-- @name enqueueOverdue
WITH overdue AS MATERIALIZED (
  SELECT id FROM payments
  WHERE status = 'capturing' AND lease_until < now() - interval '5 seconds' AND updated_at < lease_until
  ORDER BY lease_until LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED),
marked AS (
  UPDATE payments SET updated_at = now() FROM overdue WHERE payments.id = overdue.id RETURNING payments.id, provider)
SELECT (graphile_worker.add_job('reconcile_payment', json_build_object('id', id), job_key => 'reconcile:' || id,
  priority => 1, queue_name => provider || ':' || abs(hashtext(id::text) % :lanes))).id AS job_id
FROM marked;

-- Ended payments that the provider could still capture, oldest first. The polling interval grows with their age.
-- @name listUnclosed
SELECT id FROM payments
WHERE provider = :provider AND mode = :mode AND status IN ('canceled', 'expired', 'failed') AND closed_at IS NULL
  AND provider_order_id IS NOT NULL AND created_at > now() - interval '7 days'
  AND updated_at < now() - greatest(interval '10 seconds', (now() - created_at) / 10)
ORDER BY updated_at LIMIT 100;
