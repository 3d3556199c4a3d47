-- Stores a webhook event in one statement. Events about a settled payment or no payment are marked processed. If a
-- request of the shop may be running, the event waits three seconds for its reply. Any other event is enqueued at once.
-- @name storeEvent
-- @null ref, paymentId, error
WITH known AS (
  SELECT p.id, is_settled(p) AS is_settled,
    -- the buyer's page is capturing the payment or about to
    p.status = 'created' OR (p.status = 'capturing' AND p.lease_until > now()) AS is_under_way
  FROM payments p WHERE (p.provider = :provider AND p.provider_order_id = :ref) OR p.id = :paymentId::uuid LIMIT 1),
stored AS (
  INSERT INTO webhook_events (provider, event_id, event_type, body, payment_id, error, processed_at, due_at)
  SELECT :provider, :eventId, :eventType, CASE WHEN is_over THEN '' ELSE :body END, id, :error, CASE WHEN is_over THEN now() END,
    now() + CASE WHEN is_under_way THEN interval '3 seconds' ELSE interval '10 minutes' END
  FROM (SELECT) received LEFT JOIN known ON true, LATERAL (SELECT is_settled OR :error::text IS NOT NULL AS is_over) verdict
  ON CONFLICT (provider, event_id) DO UPDATE SET times_received = webhook_events.times_received + 1
  RETURNING *)
SELECT (graphile_worker.add_job('webhook', json_build_object('provider', provider, 'eventId', event_id),
  job_key => 'webhook:' || provider || ':' || event_id, queue_name => provider || ':' || abs(hashtext(event_id) % :lanes))).id AS job_id
FROM stored WHERE processed_at IS NULL AND NOT EXISTS (SELECT FROM known WHERE is_under_way);

-- Closes the waiting events whose payment was settled in the meantime.
-- @name closeSettled
WITH settled AS MATERIALIZED (
  SELECT e.provider, e.event_id FROM webhook_events e JOIN payments p ON p.id = e.payment_id
  WHERE e.processed_at IS NULL AND e.due_at <= now() AND is_settled(p)
  ORDER BY e.due_at LIMIT 1000 FOR UPDATE OF e SKIP LOCKED)
UPDATE webhook_events e SET processed_at = now(), body = '' FROM settled s
WHERE e.provider = s.provider AND e.event_id = s.event_id;

-- Enqueues the events that are due. A job with attempts left retains its back-off.
-- @name enqueueDue
WITH due AS MATERIALIZED (
  SELECT provider, event_id FROM webhook_events WHERE processed_at IS NULL AND due_at <= now()
  ORDER BY due_at, received_at LIMIT 100 FOR UPDATE SKIP LOCKED),
marked AS (
  UPDATE webhook_events e SET due_at = now() + interval '10 minutes' FROM due
  WHERE e.provider = due.provider AND e.event_id = due.event_id RETURNING e.provider, e.event_id)
SELECT (graphile_worker.add_job('webhook', json_build_object('provider', provider, 'eventId', event_id),
  job_key => 'webhook:' || provider || ':' || event_id, queue_name => provider || ':' || abs(hashtext(event_id) % :lanes))).id AS job_id
FROM marked WHERE NOT EXISTS (
  SELECT FROM graphile_worker.jobs j WHERE j.key = 'webhook:' || provider || ':' || event_id AND j.attempts < j.max_attempts);

-- The time window of possibly missed events. Events appear in the provider's log within 20 minutes.
-- @name readReplayWindow
SELECT coalesce((SELECT read_until FROM event_replays WHERE provider = :provider),
  (SELECT max(received_at) FROM webhook_events WHERE provider = :provider), now()) - interval '20 minutes' AS since, now() AS until;
