-- A fixed group reopens if the error comes from a release that started later than the fix.
-- @name countReport
UPDATE error_groups g SET times = times + 1, people = people + :people::int, message = :message, place = :place, severity = :severity,
  last_seen_at = now(), last_release = :release::text,
  status = CASE WHEN status = 'fixed' AND is_later_than_fix(:release, g) THEN 'open' ELSE status END,
  fixed_in = CASE WHEN status = 'fixed' AND is_later_than_fix(:release, g) THEN NULL ELSE fixed_in END,
  is_reopened = is_reopened OR status = 'fixed' AND is_later_than_fix(:release, g)
WHERE id = :id;

-- Groups to evict: first those of a person who alone reported very many, then those with the fewest people, oldest
-- sighting first. Excludes groups seen by two people within a day.
-- @name findExcess
WITH open AS (
  SELECT g.id, g.people, g.last_seen_at,
    CASE WHEN g.people <= 1 THEN (SELECT min(p.person) FROM error_people p WHERE p.group_id = g.id) END AS alone,
    (SELECT count(*) FROM (SELECT FROM error_people p
      WHERE p.group_id = g.id AND p.last_seen_at > now() - interval '24 hours' LIMIT 2) met) > 1 AS is_met
  FROM error_groups g WHERE g.status = 'open' AND g.id <> :newest::uuid),
ranked AS (SELECT *, alone IS NOT NULL AND count(*) OVER (PARTITION BY alone) > :maxAlone::int AS is_flood FROM open),
total AS (SELECT greatest(0, count(*)::int + 1 - :maxGroups::int) AS excess FROM open)
SELECT excess, ARRAY (SELECT id FROM ranked WHERE NOT is_met ORDER BY is_flood DESC, people, last_seen_at LIMIT excess) AS ids
FROM total;

-- `days`: the number of reports on each of the last 14 days, oldest first.
-- @name readGroups
-- @null groupId, groupStatus
SELECT g.id, g.type, g.severity, g.message, g.place, g.status, g.fixed_in, g.is_reopened, g.first_seen_at, g.last_seen_at,
  g.first_release, g.last_release, g.times, g.people,
  (SELECT array_agg(coalesce(d.times, 0) ORDER BY n DESC) FROM generate_series(0, 13) n LEFT JOIN error_days d
    ON d.group_id = g.id AND d.day = date_trunc('day', now(), 'UTC') - n * interval '24 hours') AS days
FROM error_groups g WHERE (:groupId::uuid IS NULL OR g.id = :groupId) AND (:groupStatus::text IS NULL OR g.status = :groupStatus)
ORDER BY g.last_seen_at DESC LIMIT :limit::int;

-- @name recountPeople
UPDATE error_groups g SET people = n.people
FROM (SELECT o.id, (SELECT count(*) FROM error_people p WHERE p.group_id = o.id)::int AS people
  FROM error_groups o WHERE o.id = ANY (:ids::uuid[])) n
WHERE g.id = n.id AND g.people <> n.people;
