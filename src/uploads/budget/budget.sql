-- @name lockUploads
SELECT pg_advisory_xact_lock(hashtextextended('uploads ' || :userId::uuid, 0))::text AS locked;

-- Unfinished uploads count with their announced size, except the upload `id`.
-- @name countBytesOfDay
-- @null id
SELECT coalesce(sum(bytes), 0)::bigint AS total FROM (
  SELECT size_bytes AS bytes FROM objects WHERE user_id = :userId::uuid AND stored_at > now() - interval '1 day'
  UNION ALL
  SELECT size_bytes FROM objects WHERE user_id = :userId AND malware IS NOT NULL AND created_at > now() - interval '1 day'
  UNION ALL
  SELECT announced_bytes FROM objects WHERE user_id = :userId AND status = 'issued' AND (expires_at > now() OR checking_until > now())
    AND id IS DISTINCT FROM :id::uuid) known;

-- Returns no row if the account has no turn left.
-- @name takeTurn
INSERT INTO upload_turns (user_id, until)
SELECT :userId, now() + :leaseSeconds::int * interval '1 second'
WHERE (SELECT count(*) FROM upload_turns WHERE user_id = :userId) < :most::int
RETURNING id;

-- @name prolongTurn
UPDATE upload_turns SET until = now() + :leaseSeconds::int * interval '1 second' WHERE id = :id;
