-- Adds one job for each browser. `key` deduplicates the jobs of an event.
-- @name queuePushes
SELECT (graphile_worker.add_job('push', json_build_object('subscriptionId', p.id, 'message', :message::text),
  queue_name => 'push:' || :userId::uuid, job_key => 'push:' || :key::text || ':' || p.id, max_attempts => 6)).id::text AS job_id
FROM live_subscription p WHERE p.user_id = :userId;

-- @name findSubscription
SELECT endpoint, p256dh, auth FROM live_subscription WHERE id = :id;
