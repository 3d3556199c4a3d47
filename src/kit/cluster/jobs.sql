-- @name addJob
-- @null queue, key
SELECT (graphile_worker.add_job(:name, :payload::json, queue_name => :queue, run_at => now() + :delaySeconds::float8 * interval '1 second',
  job_key => :key, max_attempts => :maxAttempts::int)).id::text AS id;

-- Deletes empty queues of members, because each fetch of a job reads all queues.
-- @name deleteEmptyQueues
DELETE FROM graphile_worker._private_job_queues queue
WHERE locked_at IS NULL AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs WHERE job_queue_id = queue.id);

-- @name registerWorkers
INSERT INTO job_workers (worker_id, node_lock) SELECT id, :lock FROM unnest(:workerIds::text[]) id ON CONFLICT DO NOTHING;

-- Deletes the workers of dead nodes: a lock that can be acquired has no living holder.
-- @name deleteDeadWorkers
DELETE FROM job_workers WHERE node_lock IN (
  SELECT node_lock FROM (SELECT DISTINCT node_lock FROM job_workers) nodes
  WHERE pg_try_advisory_xact_lock(:space::int, node_lock::int))
RETURNING worker_id;

-- Finds workers of nodes that never registered.
-- @name findUnknownWorkers
SELECT DISTINCT locked_by AS worker_id FROM graphile_worker.jobs
WHERE locked_at < now() - interval '1 minute' AND locked_by NOT IN (SELECT worker_id FROM job_workers);

-- @name unlockWorkers
SELECT graphile_worker.force_unlock_workers(:workerIds::text[])::text AS unlocked;

-- A newer job with the same key uses up a job's attempts. Such a job gets one more, so that it ends.
-- @name unlockLostJobs
-- @type running: string[]
UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, attempts = least(attempts, max_attempts - 1)
WHERE locked_by = ANY (:workerIds::text[]) AND locked_at < now() - :lostMs::int * interval '1 millisecond'
  AND NOT id = ANY (:running::bigint[]);

-- @name unlockLostQueues
UPDATE graphile_worker._private_job_queues queue SET locked_at = NULL, locked_by = NULL
WHERE locked_by = ANY (:workerIds::text[]) AND locked_at < now() - :lostMs::int * interval '1 millisecond'
  AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs WHERE job_queue_id = queue.id AND locked_at IS NOT NULL);

-- @name forgetReplacedRuns
DELETE FROM graphile_worker._private_jobs job USING graphile_worker._private_tasks task
WHERE task.id = job.task_id AND task.identifier = ANY (:scheduled::text[]) AND job.key IS NULL
  AND job.locked_at IS NULL AND job.attempts >= job.max_attempts;
