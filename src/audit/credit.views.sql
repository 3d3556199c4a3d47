-- Faults of store credit, which is money that the shop owes.

CREATE OR REPLACE VIEW credit_account_fault AS
SELECT 'CREDIT' AS rule, 'balance_unlike_entries' AS code, a.user_id,
  jsonb_build_object('balance', a.balance_cents, 'entries', moved.cents) AS facts
FROM credit_accounts a
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS cents FROM credit_entries e WHERE e.user_id = a.user_id) moved
WHERE a.balance_cents <> moved.cents
UNION ALL
SELECT 'CREDIT', 'balance_unlike_ledger', a.user_id, jsonb_build_object('balance', a.balance_cents, 'owed', ledger.owed)
FROM credit_accounts a
CROSS JOIN LATERAL (SELECT coalesce(-sum(amount_cents), 0) AS owed FROM ledger_entries l
  WHERE l.account = 'credit:' || a.user_id) ledger
WHERE a.balance_cents <> ledger.owed
UNION ALL
SELECT 'CREDIT', 'credit_overspent', user_id, jsonb_build_object('after', after)
FROM (SELECT *, sum(amount_cents) OVER (PARTITION BY user_id ORDER BY id) AS after FROM credit_entries) step
WHERE kind = 'spent' AND after < 0;

-- A failed order returns its credit. A refund returns the part that credit paid.
CREATE OR REPLACE VIEW order_credit_fault AS
SELECT 'CREDIT' AS rule, 'credit_unlike_order' AS code, o.id AS order_id,
  jsonb_build_object('status', o.status, 'credit', o.credit_cents, 'taken', moved.taken, 'back', moved.back) AS facts
FROM orders o
CROSS JOIN LATERAL (
  SELECT coalesce(-sum(amount_cents) FILTER (WHERE kind IN ('spent', 'returned')), 0) AS taken,
    coalesce(sum(amount_cents) FILTER (WHERE kind = 'refunded'), 0) AS back
  FROM credit_entries WHERE order_id = o.id) moved
CROSS JOIN LATERAL (
  SELECT coalesce(sum(CASE p.provider WHEN 'store credit' THEN r.amount_cents ELSE r.credit_cents END), 0) AS cents
  FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = o.id AND r.status = 'completed') refunded
WHERE moved.taken <> CASE o.status WHEN 'failed' THEN 0 ELSE o.credit_cents END
  OR moved.back <> CASE o.status WHEN 'refunded' THEN o.credit_cents WHEN 'completed' THEN refunded.cents ELSE 0 END;

-- The bonus of a member's first purchase.
CREATE OR REPLACE VIEW bonus_fault AS
SELECT 'BONUS' AS rule, 'bonus_unlike_entries' AS code, b.order_id,
  jsonb_build_object('earned', b.amount_cents, 'taken', b.taken_back_cents, 'entries', moved.cents) AS facts
FROM credit_bonuses b
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS cents FROM credit_entries e
  WHERE e.order_id = b.order_id AND e.user_id = b.user_id AND e.kind IN ('earned', 'taken_back')) moved
WHERE b.amount_cents - b.taken_back_cents <> moved.cents
UNION ALL
SELECT 'BONUS', 'bonus_of_later_order', e.order_id, '{}'
FROM credit_entries e
WHERE e.kind = 'earned' AND NOT EXISTS (SELECT FROM credit_bonuses b WHERE b.order_id = e.order_id AND b.user_id = e.user_id)
UNION ALL
SELECT 'BONUS', 'bonus_kept', o.id, jsonb_build_object('status', o.status, 'kept', b.amount_cents - b.taken_back_cents)
FROM orders o JOIN credit_bonuses b ON b.order_id = o.id
WHERE o.status <> 'completed' AND b.amount_cents > b.taken_back_cents;
