-- Stores for each key the time at which its budget is full again. Returns no row if the budget is spent.
-- @name spend
-- @null account
INSERT INTO shared_limits AS l (key, account, full_at) VALUES (:key, :account, now() + :stepMs::float8 * interval '1 ms')
ON CONFLICT (key) DO UPDATE SET full_at = greatest(l.full_at, now()) + :stepMs * interval '1 ms'
  WHERE greatest(l.full_at, now()) + :stepMs * interval '1 ms' <= now() + :sizeMs::float8 * interval '1 ms'
RETURNING key;

-- @name readWait
SELECT ceil(extract(epoch FROM full_at - now()) + (:stepMs::float8 - :sizeMs::float8) / 1000)::int AS seconds
FROM shared_limits WHERE key = :key;

-- @name giveBack
UPDATE shared_limits SET full_at = full_at - :stepMs::float8 * interval '1 ms' WHERE key = :key;

-- @name forgetAccount
DELETE FROM shared_limits WHERE account = :account;
