-- The end of the longest active block of an account or its network.
-- @name readBlockEnd
-- @null network, until
SELECT max(expires_at) AS until FROM risk_blocks
WHERE lifted_at IS NULL AND expires_at > now() AND (kind, subject) IN (('account', :userId), ('network', :network));

-- @name countDeclines
SELECT (count(*) FILTER (WHERE created_at > now() - interval '10 minutes'))::int AS tries,
  count(DISTINCT instrument)::int AS instruments
FROM counted_decline WHERE user_id = :userId;

-- @name listBlocks
-- @null made_by, subject
SELECT b.id, b.kind, b.reason, b.created_at, b.expires_at, maker.email AS made_by, owner.email AS subject
FROM risk_blocks b LEFT JOIN users maker ON maker.id = b.made_by LEFT JOIN users owner ON owner.id::text = b.subject
WHERE b.lifted_at IS NULL AND b.expires_at > now() ORDER BY b.created_at DESC LIMIT 500;
