-- @name listUnfinished
-- @type entered: import('./unfinished.contract.ts').Entered
SELECT id, entered, updated_at FROM unfinished_products WHERE user_id = :userId ORDER BY updated_at DESC, id LIMIT :limit;

-- Saves of a member run one after another, so that none exceeds the maximum.
-- @name lockUnfinished
SELECT pg_advisory_xact_lock(hashtextextended('unfinished ' || :userId::uuid, 0))::text AS locked;

-- No row: the id belongs to another member, or the member has the maximum.
-- @name saveUnfinished
INSERT INTO unfinished_products AS u (id, user_id, entered)
SELECT :id::uuid, :userId::uuid, :entered::jsonb
WHERE EXISTS (SELECT FROM unfinished_products o WHERE o.id = :id)
  OR (SELECT count(*) FROM unfinished_products o WHERE o.user_id = :userId) < :most::int
ON CONFLICT (id) DO UPDATE SET entered = excluded.entered, updated_at = now() WHERE u.user_id = excluded.user_id RETURNING u.id;

-- @name removeUnfinished
DELETE FROM unfinished_products WHERE id = :id AND user_id = :userId;

-- @name forgetUnfinished
DELETE FROM unfinished_products WHERE user_id = :userId;
