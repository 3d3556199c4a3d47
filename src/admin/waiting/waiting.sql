-- Some items exclude one member of staff, the `owner_id`: the first who asked or approved, or the reported member.
-- @name countOpenWork
-- @type kind: import('./waiting.contract.ts').WaitingKind
SELECT kind, count(*)::int AS count, (count(*) FILTER (WHERE owner_id = :readerId))::int AS mine, min(since) AS oldest_at
FROM open_work WHERE kind = ANY (:kinds::text[])
  AND NOT (kind IN ('refundApprovals', 'payouts', 'messageReports') AND owner_id IS NOT DISTINCT FROM :readerId) GROUP BY kind;

-- The first items of each kind: the reader's own, then the most urgent. Former staff own nothing.
-- @name listOpenWork
-- @type kind: import('./waiting.contract.ts').WaitingKind
-- @null about, cents, due_at, owner
SELECT w.kind, w.id, w.about, w.cents, w.since, w.due_at, coalesce(s.id = :readerId, false) AS is_mine,
  coalesce(nullif(btrim(s.first_name), ''), s.email) AS owner
FROM unnest(:kinds::text[]) k (kind) CROSS JOIN LATERAL (
  SELECT * FROM open_work o WHERE o.kind = k.kind
    AND NOT (o.kind IN ('refundApprovals', 'payouts', 'messageReports') AND o.owner_id IS NOT DISTINCT FROM :readerId)
  ORDER BY o.owner_id IS DISTINCT FROM :readerId::uuid, coalesce(o.due_at, o.since), o.id LIMIT :most) w
LEFT JOIN users s ON s.id = w.owner_id AND s.role <> 'member' AND s.erased_at IS NULL;
