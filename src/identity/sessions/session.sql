-- While a session shows the shop as a member, it is that member, without a role. This ends with the time, with the
-- erasure of the member, and when staff may not see the account any more.
-- @name findSession
-- @null view_name, view_ends_at
-- @type role: import('../../kit/contract.ts').Role
SELECT coalesce(v.id, u.id) AS id, coalesce(v.email, u.email) AS email, CASE WHEN v.id IS NULL THEN u.role ELSE 'member' END AS role,
  u.id AS owner_id, coalesce(nullif(btrim(concat_ws(' ', v.first_name, v.last_name)), ''), v.email) AS view_name,
  CASE WHEN v.id IS NOT NULL THEN s.view_ends_at END AS view_ends_at,
  s.updated_at < now() - interval '1 hour' AS is_due,
  (extract(epoch FROM least(s.expires_at, CASE WHEN s.view_ends_at > now() THEN s.view_ends_at END) - now()) * 1000)::float8 AS ends_in_ms
FROM sessions s JOIN users u ON u.id = s.user_id
LEFT JOIN users v ON v.id = s.viewed_id AND s.view_ends_at > now() AND v.erased_at IS NULL
  AND (u.role = 'admin' OR u.role = 'support' AND v.role = 'member')
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

-- The session gets another token, so that no node answers from its cache. No row: the session has ended.
-- @name startView
UPDATE sessions SET token_hash = :nextHash, viewed_id = :memberId, view_ends_at = now() + :minutes::int * interval '1 minute'
WHERE token_hash = :tokenHash RETURNING view_ends_at;

-- @name endView
WITH viewing AS (SELECT id, viewed_id FROM sessions WHERE token_hash = :tokenHash AND viewed_id IS NOT NULL FOR UPDATE)
UPDATE sessions s SET token_hash = :nextHash, viewed_id = NULL, view_ends_at = NULL FROM viewing WHERE s.id = viewing.id RETURNING viewing.viewed_id;

-- @name endDueViews
UPDATE sessions SET viewed_id = NULL, view_ends_at = NULL WHERE viewed_id IS NOT NULL AND view_ends_at <= now();
