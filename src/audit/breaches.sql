-- The last rows that the hourly check read, and the newest rows.
-- @name readPlace
SELECT part, event_id_before AS event, entry_id_before AS entry, (SELECT coalesce(max(id), 0) FROM order_events) AS next_event,
  (SELECT coalesce(max(id), 0) FROM ledger_entries) AS next_entry
FROM ledger_checks;

-- @name savePlace
UPDATE ledger_checks SET part = (part + 1) % :parts::int, checked_at = now(), took_ms = :tookMs,
  event_id_before = event_id, event_id = :nextEvent, entry_id_before = entry_id, entry_id = :nextEntry;

-- Subjects of open breaches.
-- @name findBroken
SELECT DISTINCT subject AS id FROM ledger_breaches WHERE scope = :scope AND ended_at IS NULL;

-- Stores the breaches and returns new ones. `isAll`: ends breaches that are not in the list.
-- @name recordBreaches
-- @type scope: import('./faults.server.ts').Scope
WITH given AS (
  SELECT * FROM json_to_recordset(:breaches::json) AS g (rule text, scope text, subject uuid, violation text)),
ended AS (
  UPDATE ledger_breaches b SET ended_at = now()
  WHERE :isAll::boolean AND ended_at IS NULL AND scope <> 'report'
    AND NOT EXISTS (SELECT FROM given g WHERE (g.rule, g.scope, g.subject) = (b.rule, b.scope, b.subject))),
changed AS (
  UPDATE ledger_breaches b SET violation = g.violation FROM given g
  WHERE b.ended_at IS NULL AND (g.rule, g.scope, g.subject) = (b.rule, b.scope, b.subject))
INSERT INTO ledger_breaches (rule, scope, subject, violation)
SELECT * FROM given g WHERE NOT EXISTS (
  SELECT FROM ledger_breaches b WHERE b.ended_at IS NULL AND (g.rule, g.scope, g.subject) = (b.rule, b.scope, b.subject))
RETURNING rule, scope, subject, violation;

-- `unread`: the oldest report of the last two weeks that was unreadable for `lateDays`.
-- @name sumUpBreaches
-- @null first, hours, unread
SELECT (SELECT count(*) FROM ledger_breaches WHERE ended_at IS NULL) AS count,
  (SELECT rule || ': ' || violation FROM ledger_breaches WHERE ended_at IS NULL ORDER BY found_at LIMIT 1) AS first,
  (SELECT extract(epoch FROM now() - checked_at)::float8 / 3600 FROM ledger_checks) AS hours,
  (SELECT provider || ' for ' || day FROM reconciled_days WHERE compared_at IS NULL AND looked_at IS NOT NULL
    AND day < (now() AT TIME ZONE 'UTC')::date - :lateDays::int AND day > (now() AT TIME ZONE 'UTC')::date - 14
  ORDER BY day LIMIT 1) AS unread;

-- Payments that need staff.
-- @name countStuck
SELECT (SELECT count(*) FROM payments WHERE status = 'mismatched') AS mismatched,
  (SELECT count(*) FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.status = 'failed' AND p.status <> 'refunded') AS refused;

-- The balance of each ledger account: positive is money of the shop, negative is money that it owes. Sums accounts of
-- members and payouts by kind. Reads the whole ledger.
-- @name readBalances
SELECT CASE WHEN account ~ '^(seller|payouts):' OR account ~ '^credit:[0-9a-f-]{36}$' THEN split_part(account, ':', 1)
    ELSE account END AS account,
  count(DISTINCT account) AS accounts, sum(amount_cents)::bigint AS cents
FROM ledger_entries GROUP BY 1 ORDER BY 1;
