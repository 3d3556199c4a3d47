-- Faults of captured money that is not earned or refunded yet: under review, unused, disputed, returned by a bank or on
-- a chain (decision 51). A sum with FILTER reads the entries of one payment, never those of an account.

CREATE OR REPLACE VIEW review_fault AS
SELECT 'HOLD' AS rule, 'held_without_capture' AS code, h.order_id, jsonb_build_object('status', p.status) AS facts
FROM risk_holds h JOIN payments p ON p.id = h.payment_id
WHERE h.kind = 'hold' AND h.state = 'open' AND p.status <> 'capturing'
UNION ALL
SELECT 'HOLD', 'review_unlike_payment', p.order_id, jsonb_build_object('cents', ledger.held, 'payment', p.id, 'status', p.status)
FROM payments p
CROSS JOIN LATERAL (SELECT coalesce(-sum(amount_cents) FILTER (WHERE account = 'review'), 0) AS held
  FROM ledger_entries WHERE payment_id = p.id) ledger
WHERE ledger.held <> CASE WHEN p.status = 'capturing' AND p.provider_capture_id IS NOT NULL THEN p.amount_cents ELSE 0 END;

-- A payment of a wrong amount stays due until refunds returned it.
CREATE OR REPLACE VIEW unused_fault AS
SELECT 'UNUSED' AS rule, 'unused_unlike_ledger' AS code, p.order_id,
  jsonb_build_object('payment', p.id, 'status', p.status, 'rest', due.rest, 'held', ledger.held) AS facts
FROM payments p
CROSS JOIN LATERAL (SELECT coalesce(-sum(amount_cents) FILTER (WHERE account ~ '^unused(:|$)'), 0) AS held
  FROM ledger_entries WHERE payment_id = p.id) ledger
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents) FILTER (WHERE status = 'completed'), 0) AS back,
    (array_agg(amount_cents ORDER BY created_at, id))[1] AS first
  FROM refunds WHERE payment_id = p.id) made
CROSS JOIN LATERAL (SELECT CASE p.status WHEN 'mismatched' THEN greatest(made.first, made.back) - made.back ELSE 0 END AS rest) due
WHERE due.rest <> ledger.held;

CREATE OR REPLACE VIEW dispute_fault AS
SELECT 'DISPUTE' AS rule, 'disputed_unlike_ledger' AS code, p.order_id,
  jsonb_build_object('kept', ledger.kept, 'payment', p.id, 'held', open.held) AS facts
FROM payments p
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents) FILTER (WHERE account = 'disputed'), 0) AS kept
  FROM ledger_entries WHERE payment_id = p.id) ledger
CROSS JOIN LATERAL (SELECT coalesce(sum(held_cents), 0) AS held FROM disputes WHERE payment_id = p.id) open
WHERE ledger.kept <> open.held
UNION ALL
SELECT 'DISPUTE', CASE WHEN e.is_disputed THEN 'sale_frozen' ELSE 'sale_free' END, e.order_id,
  jsonb_build_object('line', e.order_line_id, 'open', disputed.open)
FROM earnings e CROSS JOIN LATERAL (SELECT count(*) AS open FROM disputes d
  WHERE d.order_id = e.order_id AND d.ended_at IS NULL AND d.stage <> 'warning') disputed
WHERE e.is_disputed <> (disputed.open > 0)
UNION ALL
SELECT 'DISPUTE', 'refunds_exceed_payment', p.order_id,
  jsonb_build_object('back', made.back, 'payment', p.id, 'took', p.amount_cents)
FROM payments p CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS back FROM refunds
  WHERE payment_id = p.id AND status = 'completed') made
WHERE p.status <> 'mismatched' AND made.back > p.amount_cents;

-- The shop compares a due payment with its ledger within seconds.
CREATE OR REPLACE VIEW chain_fault AS
SELECT 'CHAIN' AS rule, 'coins_unlike_ledger' AS code, p.order_id,
  jsonb_build_object('kept', ledger.kept, 'payment', p.id, 'left', chain.arrived - refunded.back - returned.sent) AS facts
FROM payments p JOIN usdc_addresses a ON a.payment_id = p.id
CROSS JOIN LATERAL (
  SELECT coalesce(sum(amount_cents) FILTER (WHERE account = 'provider:' || p.provider || ':' || p.mode), 0) AS kept
  FROM ledger_entries WHERE payment_id = p.id) ledger
CROSS JOIN LATERAL (SELECT floor(coalesce(sum(units), 0) / 10000) AS arrived FROM usdc_transfers
  WHERE address = a.address AND confirmed_at IS NOT NULL AND removed_at IS NULL) chain
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS back FROM refunds
  WHERE payment_id = p.id AND status = 'completed') refunded
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS sent FROM usdc_exceptions
  WHERE payment_id = p.id AND kind <> 'refund' AND resolution = 'returned') returned
WHERE NOT a.is_due AND p.status NOT IN ('creating', 'created', 'capturing', 'declined')
  AND ledger.kept <> chain.arrived - refunded.back - returned.sent;

-- Refunds that a bank returned become credit, or wait for staff. Staff may reclaim the credit.
CREATE OR REPLACE VIEW bounced_fault AS
SELECT 'BOUNCED' AS rule, 'bounced_unlike_credit' AS code, o.id AS order_id,
  jsonb_build_object('bounced', refunded.bounced, 'credited', credit.given + ledger.waiting) AS facts
FROM orders o
CROSS JOIN LATERAL (SELECT coalesce(sum(r.amount_cents), 0) AS bounced FROM payments p JOIN refunds r ON r.payment_id = p.id
  WHERE p.order_id = o.id AND r.bounced_at IS NOT NULL) refunded
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS given FROM credit_entries
  WHERE order_id = o.id AND kind = 'bounced') credit
CROSS JOIN LATERAL (SELECT coalesce(-sum(l.amount_cents) FILTER (WHERE l.account ~ '^bounced(:|$)'), 0) AS waiting
  FROM payments p JOIN ledger_entries l ON l.payment_id = p.id WHERE p.order_id = o.id) ledger
WHERE refunded.bounced <> credit.given + ledger.waiting
UNION ALL
SELECT 'RECLAIMED', 'reclaimed_unlike_credit', o.id, jsonb_build_object('reclaimed', refunded.reclaimed, 'taken', credit.taken)
FROM orders o
CROSS JOIN LATERAL (SELECT coalesce(sum(r.reclaimed_cents), 0) AS reclaimed FROM payments p JOIN refunds r ON r.payment_id = p.id
  WHERE p.order_id = o.id) refunded
CROSS JOIN LATERAL (SELECT coalesce(-sum(amount_cents), 0) AS taken FROM credit_entries
  WHERE order_id = o.id AND kind = 'reclaimed') credit
WHERE refunded.reclaimed <> credit.taken;
