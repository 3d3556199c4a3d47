-- The accounts of captured money that bought no goods.
-- @name listUnused
SELECT account, -sum(amount_cents)::bigint AS cents FROM ledger_entries
WHERE payment_id = :paymentId AND account ~ '^unused(:|$)' GROUP BY account HAVING sum(amount_cents) < 0;

-- @name findAccount
SELECT account FROM ledger_entries WHERE payment_id = :paymentId AND account ~ '^unused(:|$)' LIMIT 1;
