-- Views and functions of payments for other rooms. Functions of a row read the database's clock.

-- A caller holds the lease of the capture.
CREATE OR REPLACE FUNCTION is_leased(p payments) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT p.status = 'capturing' AND coalesce(p.lease_until > now(), false) $$;

CREATE OR REPLACE FUNCTION age_minutes(p payments) RETURNS double precision LANGUAGE sql STABLE AS
  $$ SELECT (extract(epoch FROM now() - p.created_at) / 60)::float8 $$;

CREATE OR REPLACE FUNCTION sent_minutes(p payments) RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT CASE p.status WHEN 'capturing' THEN (extract(epoch FROM now() - coalesce(p.lease_until, p.created_at)) / 60)::float8 END
$$;

-- An event about a settled payment reports nothing new.
CREATE OR REPLACE FUNCTION is_settled(p payments) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT p.status IN ('captured', 'refunded', 'part_refunded', 'mismatched') $$;

-- The seller's share of a sale after fee and refunds.
CREATE OR REPLACE FUNCTION net_cents(e earnings) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT e.gross_cents - e.fee_cents - e.returned_cents + e.returned_fee_cents $$;

-- The part of a buyer's bonus that cannot pay for cash-like goods before `until`.
CREATE OR REPLACE FUNCTION held_bonus(buyer uuid, days int) RETURNS TABLE (cents bigint, until timestamptz)
  LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT b.amount_cents - b.taken_back_cents, b.created_at + days * interval '1 day' FROM credit_bonuses b
  WHERE b.user_id = buyer AND b.created_at + days * interval '1 day' > now() AND b.amount_cents > b.taken_back_cents
$$;

-- Saved methods of a buyer that the configured providers can charge.
CREATE OR REPLACE FUNCTION usable_wallets(buyer uuid, names text[], modes text[]) RETURNS SETOF wallets LANGUAGE sql STABLE AS $$
  SELECT w.* FROM wallets w JOIN unnest(names, modes) AS o (name, mode) ON o.name = w.provider AND o.mode = w.mode
  WHERE w.user_id = buyer AND w.removed_at IS NULL
$$;

-- The monthly payout of the current month is still due.
CREATE OR REPLACE FUNCTION is_month_due(d payout_details) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT (d.monthly_at AT TIME ZONE 'UTC') < date_trunc('month', now() AT TIME ZONE 'UTC') $$;

-- Payouts with facts about the seller for the decision of staff. Purchases by the seller do not count. `about` covers
-- sales of the last 90 days. `seven_days_cents` sums recent payouts, so that splitting one does not avoid the limit.
CREATE OR REPLACE VIEW queued_payout AS
SELECT p.id, p.seller_id, p.amount_cents, p.state, p.batch_id, p.method, p.label, p.reason, p.created_at, p.ended_at,
  c.act AS first_act, c.staff_id AS first_staff_id, first.email AS first_email, u.email, d.method AS next_method,
  d.label AS next_label, d.waits_until, d.rejection, d.schedule, d.monthly_at, now() AS at,
  EXISTS (SELECT FROM suspensions s WHERE s.seller_id = p.seller_id AND s.lifted_at IS NULL) AS is_suspended,
  (SELECT coalesce(sum(w.amount_cents), 0)::bigint FROM payouts w
    WHERE w.seller_id = p.seller_id AND w.state IN ('requested', 'approved', 'processing', 'sent')
      AND (w.approved_at IS NULL OR w.approved_at > now() - interval '7 days')) AS seven_days_cents,
  (SELECT json_build_object('sales', count(*), 'sold', coalesce(sum(e.gross_cents), 0), 'refunded', coalesce(sum(e.returned_cents), 0),
      'disputed', (SELECT count(*) FROM earnings f
        WHERE f.seller_id = p.seller_id AND f.is_disputed AND NOT is_own_purchase(f.order_id, f.seller_id)),
      'isFirst', NOT EXISTS (SELECT FROM payouts f WHERE f.seller_id = p.seller_id AND f.state = 'sent' AND f.id <> p.id),
      'since', iso_of(u.created_at),
      'last', (SELECT coalesce(json_agg(json_build_object('amount', decimal_of(f.amount_cents), 'state', f.state, 'at', iso_of(f.ended_at))
        ORDER BY f.created_at DESC), '[]') FROM (SELECT * FROM payouts f WHERE f.seller_id = p.seller_id AND f.id <> p.id
        AND f.ended_at IS NOT NULL ORDER BY f.created_at DESC, f.id DESC LIMIT 3) f))
    FROM earnings e WHERE e.seller_id = p.seller_id AND e.earned_at > now() - interval '90 days'
      AND NOT is_own_purchase(e.order_id, e.seller_id)) AS about
FROM payouts p
JOIN users u ON u.id = p.seller_id
LEFT JOIN payout_details d ON d.user_id = p.seller_id
LEFT JOIN payout_confirmations c ON c.payout_id = p.id
  AND c.act = CASE p.state WHEN 'requested' THEN 'approved' WHEN 'sent' THEN 'returned' ELSE 'failed' END
LEFT JOIN users first ON first.id = c.staff_id;

-- Staff must send evidence.
CREATE OR REPLACE FUNCTION needs_answer(d disputes) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT d.state = 'needs_evidence' AND d.evidence_id IS NULL AND d.missing_since IS NULL $$;

-- The provider reported twice that it does not know the dispute. A new dispute can be unavailable for some minutes.
CREATE OR REPLACE FUNCTION is_missing(d disputes) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(d.missing_since < now() - interval '1 hour' AND d.looked_at > d.missing_since + interval '30 minutes', false)
$$;

-- Accounts that cannot earn the first-purchase bonus: they had a bonus, or paid an order with money.
CREATE OR REPLACE VIEW bonus_bar AS
SELECT user_id, NULL::uuid AS order_id FROM credit_bonuses
UNION ALL
SELECT user_id, id FROM orders WHERE completed_at IS NOT NULL AND credit_cents < total_cents;

-- Disputes that staff must answer or settle.
CREATE OR REPLACE VIEW waiting_dispute AS
SELECT d.id, d.opened_at AS since, d.evidence_due_at AS due_at, d.evidence_by AS owner_id,
  (SELECT u.email FROM users u WHERE u.id = d.user_id AND u.erased_at IS NULL) AS about, d.amount_cents AS cents
FROM disputes d WHERE d.ended_at IS NULL AND (needs_answer(d) OR is_missing(d));

-- Payouts that wait for approval. The owner is the member of staff who approved first.
CREATE OR REPLACE VIEW waiting_payout AS
SELECT p.id, p.created_at AS since, NULL::timestamptz AS due_at,
  (SELECT c.staff_id FROM payout_confirmations c WHERE c.payout_id = p.id AND c.act = 'approved') AS owner_id,
  (SELECT u.email FROM users u WHERE u.id = p.seller_id AND u.erased_at IS NULL) AS about, p.amount_cents AS cents
FROM payouts p WHERE p.state = 'requested';
