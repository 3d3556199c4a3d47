-- @name queueTest
SELECT queue_hook(:id::uuid, 'test', :data::jsonb)::text AS queued;

-- @name countFailed
SELECT count(*)::int AS count FROM (SELECT FROM hook_messages m JOIN hook_endpoints e ON e.id = m.endpoint_id
  WHERE e.user_id = :userId AND e.disabled_at IS NULL AND m.state = 'failed' AND m.type <> 'test'
    AND m.created_at > now() - :days::int * interval '1 day' LIMIT :limit) failed;

-- Starts new series of attempts, oldest event first. `is_first`: the first event of its address.
-- @name restartFailed
WITH failed AS (SELECT m.id FROM hook_messages m JOIN hook_endpoints e ON e.id = m.endpoint_id
  WHERE e.user_id = :userId AND e.disabled_at IS NULL AND m.state = 'failed' AND m.type <> 'test'
    AND m.created_at > now() - :days::int * interval '1 day'
  ORDER BY m.created_at, m.id LIMIT :limit FOR UPDATE OF m SKIP LOCKED),
started AS (UPDATE hook_messages m SET state = 'waiting', attempts = 0, next_at = now()
  FROM failed f WHERE m.id = f.id RETURNING m.id, m.endpoint_id, m.created_at)
SELECT id, row_number() OVER (PARTITION BY endpoint_id ORDER BY created_at, id) = 1 AS is_first
FROM started ORDER BY created_at, id;

-- Marks due events without a job as failed, because nothing would send them.
-- @name failWithoutJob
UPDATE hook_messages m SET state = 'failed', next_at = NULL
WHERE m.state = 'waiting' AND coalesce(m.next_at, m.created_at) < now() - interval '1 hour'
  AND NOT EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'hook:' || m.id);
