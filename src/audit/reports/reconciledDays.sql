-- Adds yesterday and earlier days that are missing. A report is complete `reportHours` after the end of its day.
-- @name addDueDays
INSERT INTO reconciled_days (provider, day)
SELECT :provider, last - back FROM (
  SELECT (now() AT TIME ZONE 'UTC' - :reportHours::int * interval '1 hour')::date - 1 AS last) yesterday,
  generate_series(0, :maxDays::int) back
WHERE last - back > coalesce((SELECT max(day) FROM reconciled_days WHERE provider = :provider), last - 1)
ON CONFLICT DO NOTHING;

-- Days to compare, newest first. A day with a difference, an unreadable report or unbooked fees is compared once a day.
-- @name findDueDays
SELECT day::text AS day FROM reconciled_days d
WHERE provider = :provider AND day > (now() AT TIME ZONE 'UTC')::date - :maxDays::int
  AND (looked_at IS NULL OR (looked_at < now() - interval '20 hours' AND (compared_at IS NULL OR fees_at IS NULL OR EXISTS (
    SELECT FROM ledger_breaches b WHERE b.ended_at IS NULL AND b.scope = 'report' AND (b.provider, b.day) = (d.provider, d.day)))))
ORDER BY day DESC LIMIT :max;

-- @name markRead
UPDATE reconciled_days SET looked_at = now() WHERE provider = :provider AND day = :day;

-- @name markCompared
UPDATE reconciled_days SET compared_at = now(), fees_at = CASE WHEN :hasFees::boolean THEN now() END
WHERE provider = :provider AND day = :day;

-- Stores the differences of a day and returns new ones. `isAll`: ends differences that are not in the list.
-- @name recordDifferences
WITH given AS (SELECT violation, md5(violation)::uuid AS subject FROM unnest(:found::text[]) violation),
ended AS (
  UPDATE ledger_breaches b SET ended_at = now()
  WHERE :isAll::boolean AND scope = 'report' AND b.provider = :provider AND b.day = :day AND ended_at IS NULL
    AND NOT EXISTS (SELECT FROM given g WHERE g.subject = b.subject))
INSERT INTO ledger_breaches (rule, scope, subject, violation, provider, day)
SELECT DISTINCT 'REPORT', 'report', subject, violation, :provider, :day::date FROM given g WHERE NOT EXISTS (
  SELECT FROM ledger_breaches b WHERE b.ended_at IS NULL AND b.scope = 'report' AND b.subject = g.subject)
RETURNING violation;

-- Ends differences that were not explained within `maxDays`.
-- @name endOldDifferences
UPDATE ledger_breaches SET ended_at = now()
WHERE scope = 'report' AND ended_at IS NULL AND day <= (now() AT TIME ZONE 'UTC')::date - :maxDays::int;

-- Rows of the shop with the references of a report, on any day. A payment of a wrong amount has the amount of its first
-- refund.
-- @name findKnown
-- @type kind: import('../../payments/ledger/report.ts').Booked['kind']
-- @null ref, other_ref, lost_cents
SELECT 'payment' AS kind, p.provider_capture_id AS ref, NULL AS other_ref, CASE p.status WHEN 'mismatched' THEN coalesce(
    (SELECT r.amount_cents FROM refunds r WHERE r.payment_id = p.id ORDER BY r.created_at, r.id LIMIT 1), p.amount_cents)
  ELSE p.amount_cents END AS amount_cents, p.currency, NULL::bigint AS lost_cents
FROM payments p WHERE p.provider = :provider AND p.provider_capture_id = ANY (:refs::text[])
UNION ALL
SELECT 'refund', r.provider_refund_id, r.id::text, r.amount_cents, p.currency, NULL
FROM refunds r JOIN payments p ON p.id = r.payment_id
WHERE p.provider = :provider AND r.provider_refund_id = ANY (:refs) AND r.status <> 'failed'
UNION ALL
SELECT 'payout', o.provider_payout_id, o.id::text, o.amount_cents, 'USD', NULL
FROM payouts o JOIN payout_batches b ON b.id = o.batch_id
WHERE b.provider = :provider AND (o.provider_payout_id = ANY (:refs) OR o.id::text = ANY (:refs))
UNION ALL
SELECT 'dispute', d.provider_dispute_id, p.provider_capture_id, d.amount_cents, p.currency,
  CASE d.state WHEN 'lost' THEN coalesce(d.lost_cents, d.amount_cents) END
FROM disputes d JOIN payments p ON p.id = d.payment_id
WHERE d.provider = :provider AND (d.provider_dispute_id = ANY (:refs) OR p.provider_capture_id = ANY (:refs));

-- Movements of a provider's account between `start` and `end`. Excludes dispute holds, their ends and refunds that a
-- bank returned: these are neither payments nor refunds.
-- @name findBooked
-- @type reportedAt: 'opening' | 'end'
-- @type kind: import('../../payments/ledger/report.ts').Booked['kind']
-- @null ref, other_ref, lost_cents
WITH moved AS MATERIALIZED (
  SELECT * FROM ledger_entries l WHERE l.account = :account AND l.created_at >= :start AND l.created_at < :end
    AND NOT EXISTS (SELECT FROM ledger_entries d WHERE d.transfer_id = l.transfer_id AND (d.account IN ('disputed', 'bounced')
      OR (l.amount_cents > 0 AND d.amount_cents < 0 AND d.account ~ '^credit:[0-9a-f-]{36}$'))))
SELECT DISTINCT 'payment' AS kind, p.provider_capture_id AS ref, NULL AS other_ref, p.amount_cents, p.currency, NULL::bigint AS lost_cents
FROM moved l JOIN payments p ON p.id = l.payment_id WHERE l.amount_cents > 0
UNION ALL
SELECT DISTINCT 'refund', r.provider_refund_id, r.id::text, r.amount_cents, p.currency, NULL::bigint
FROM moved l JOIN payments p ON p.id = l.payment_id
JOIN refunds r ON r.payment_id = p.id AND r.status = 'completed' AND r.updated_at >= :start AND r.updated_at < :end
WHERE l.amount_cents < 0 AND NOT EXISTS (SELECT FROM disputes d WHERE d.refund_id = r.id)
UNION ALL
SELECT DISTINCT 'payout', o.provider_payout_id, o.id::text, o.amount_cents, 'USD', NULL::bigint
FROM moved l JOIN ledger_entries e ON e.transfer_id = l.transfer_id AND e.account LIKE 'payouts:%'
JOIN payouts o ON 'payouts:' || o.id = e.account
WHERE l.payment_id IS NULL AND l.amount_cents < 0
UNION ALL
-- staff enter the outcome of disputes that the provider does not find
SELECT 'dispute', d.provider_dispute_id, p.provider_capture_id, d.amount_cents, p.currency,
  CASE d.state WHEN 'lost' THEN coalesce(d.lost_cents, d.amount_cents) END
FROM disputes d JOIN payments p ON p.id = d.payment_id
WHERE 'provider:' || p.provider || ':' || p.mode = :account AND d.settled_by IS NULL AND d.stage <> 'warning'
  AND CASE :reportedAt::text WHEN 'end' THEN d.refund_id IS NOT NULL AND d.ended_at >= :start AND d.ended_at < :end
    ELSE d.opened_at >= :start AND d.opened_at < :end END;
