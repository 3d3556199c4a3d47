-- @name readJobs
-- @null names
SELECT count(*) FILTER (WHERE is_due)::int AS waiting,
  coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_due)), 0)::int AS oldest_seconds,
  count(*) FILTER (WHERE has_failed)::int AS failed,
  string_agg(DISTINCT task_identifier, ', ') FILTER (WHERE has_failed) AS names
FROM (SELECT *, run_at < now() AND locked_at IS NULL AND attempts < max_attempts AS is_due,
    -- a running job has its attempt counted already
    locked_at IS NULL AND attempts >= max_attempts AS has_failed
  FROM graphile_worker.jobs) jobs;

-- @name countUnsentMails
SELECT count(*)::int AS kept FROM mails WHERE sent_at IS NULL;

-- Shows rejected mails for a week.
-- @name readLateMails
-- @null error
SELECT count(*)::int AS late, (array_agg(error ORDER BY created_at DESC) FILTER (WHERE error IS NOT NULL))[1] AS error
FROM mails WHERE sent_at IS NULL AND created_at < now() - interval '10 minutes'
  AND (refused_at IS NULL OR refused_at > now() - interval '7 days');

-- @name readLastBackup
SELECT extract(epoch FROM now() - made_at)::float8 / 86400 AS days, store FROM backups ORDER BY made_at DESC LIMIT 1;

-- @name readLastRestoreTest
-- @null is_good
SELECT EXISTS (SELECT FROM backups) AS has_backup, t.is_good, t.says, extract(epoch FROM now() - t.tested_at)::float8 / 86400 AS days
FROM (VALUES (1)) one LEFT JOIN (SELECT * FROM restore_tests ORDER BY tested_at DESC LIMIT 1) t ON true;
