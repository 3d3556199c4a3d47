-- @name findSession
SELECT u.id, u.email, u.role, s.updated_at < now() - interval '1 hour' AS is_due,
  (extract(epoch FROM s.expires_at - now()) * 1000)::float8 AS ends_in_ms
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.token_hash = :tokenHash AND s.expires_at > now() AND s.created_at > now() - interval '14 days' AND u.erased_at IS NULL;

-- @name prolongSession
UPDATE sessions SET updated_at = now(), expires_at = least(now() + interval '24 hours', created_at + interval '14 days')
WHERE token_hash = :tokenHash AND updated_at < now() - interval '1 hour';

-- @name findProof
SELECT user_id FROM sessions WHERE token_hash = :tokenHash AND verified_at > now() - interval '10 minutes';

-- A staff session is open for 8 hours after a proof of identity, and closes after 30 minutes without use.
-- @name findWork
SELECT s.verified_at > now() - interval '8 hours' AND last.use > now() - interval '30 minutes' AS is_open,
  last.use < now() - interval '1 minute' AS is_due,
  EXISTS (SELECT FROM second_factors WHERE user_id = s.user_id AND confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM passkeys WHERE user_id = s.user_id) AS has_factor
FROM sessions s, greatest(s.verified_at, s.staff_used_at) AS last (use) WHERE s.token_hash = :tokenHash;

-- @name noteUse
UPDATE sessions SET staff_used_at = now() WHERE token_hash = :tokenHash;
