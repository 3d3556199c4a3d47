-- @name countOpenPayments
SELECT status AS value, count(*)::int AS count FROM payments
WHERE status IN ('creating', 'created', 'capturing', 'declined') GROUP BY status;

-- @name countJobs
SELECT state AS value, count(attempts)::int AS count FROM unnest(ARRAY['due', 'later', 'failed']) state
LEFT JOIN graphile_worker.jobs ON state = CASE WHEN attempts >= max_attempts THEN 'failed' WHEN run_at <= now() THEN 'due' ELSE 'later' END
GROUP BY state;

-- @name countRiskDecisions
SELECT decision AS value, count(*)::int AS count FROM risk_decisions WHERE created_at > now() - interval '1 hour' GROUP BY decision;

-- @name countRiskHolds
SELECT count(*)::int AS count FROM risk_holds WHERE state = 'open';

-- @name countStoppedScans
SELECT count(*)::int AS count FROM usdc_cursors WHERE is_alarmed;

-- @name countOpenExceptions
SELECT count(*)::int AS count FROM usdc_exceptions WHERE state <> 'done';

-- @name countBreaches
SELECT count(*)::int AS count FROM ledger_breaches WHERE ended_at IS NULL;

-- @name readBackupAges
SELECT store AS value, extract(epoch FROM now() - max(made_at))::int AS count FROM backups GROUP BY store;

-- @name readRestoreTestAges
SELECT CASE WHEN is_good THEN 'passed' ELSE 'failed' END AS value, extract(epoch FROM now() - max(tested_at))::int AS count
FROM restore_tests GROUP BY 1;

-- @name countFailedRestoreTest
SELECT count(*)::int AS count FROM (SELECT is_good FROM restore_tests ORDER BY tested_at DESC LIMIT 1) last WHERE NOT is_good;

-- A transaction with a lower id may still commit within 15 seconds.
-- @name findLastChange
SELECT coalesce(max(id), 0)::bigint AS id FROM order_events WHERE id > :last AND created_at < now() - interval '15 s';

-- @name countChanges
SELECT to_status AS status, count(*)::int AS count FROM order_events WHERE id > :begin AND id <= :end GROUP BY 1;
