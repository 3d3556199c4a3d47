-- Faults of the ledger itself.

CREATE OR REPLACE VIEW transfer_fault AS
SELECT 'LEDGER' AS rule, 'transfer_unbalanced' AS code, transfer_id, jsonb_build_object('cents', sum(amount_cents)) AS facts
FROM ledger_entries GROUP BY transfer_id HAVING sum(amount_cents) <> 0
UNION ALL
SELECT 'EARNINGS', 'seller_money_unexplained', transfer_id, jsonb_build_object('account', account)
FROM ledger_entries l
WHERE account LIKE 'seller:%' AND payment_id IS NULL
  AND NOT EXISTS (SELECT FROM ledger_entries p WHERE p.transfer_id = l.transfer_id AND p.account LIKE 'payouts%')
UNION ALL
SELECT 'COSTS', 'costs_unlike_reports', transfer_id, jsonb_build_object('booked', booked, 'reported', reported)
FROM (SELECT transfer_id, sum(amount_cents) AS booked FROM ledger_entries WHERE account LIKE 'costs:%' GROUP BY transfer_id) ledger
CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents), 0) AS reported FROM provider_fees f
  WHERE f.transfer_id = ledger.transfer_id) fees
WHERE booked <> reported;

-- Reads the whole ledger.
CREATE OR REPLACE VIEW total_fault AS
SELECT 'LEDGER' AS rule, 'entries_unbalanced' AS code, jsonb_build_object('cents', sum(amount_cents)) AS facts
FROM ledger_entries HAVING sum(amount_cents) <> 0
UNION ALL
SELECT 'EARNINGS', 'fees_unlike_ledger', jsonb_build_object('kept', kept, 'owed', owed)
FROM (SELECT coalesce(sum(fee_cents - returned_fee_cents), 0) AS kept FROM earnings) fees,
  (SELECT coalesce(-sum(amount_cents), 0) AS owed FROM ledger_entries WHERE account = 'fees') ledger
WHERE kept <> owed;

CREATE OR REPLACE VIEW reserved_credit_fault AS
SELECT 'CREDIT' AS rule, 'credit_unlike_pending' AS code, jsonb_build_object('held', held, 'wanted', wanted) AS facts
FROM (SELECT coalesce(-sum(amount_cents), 0) AS held FROM ledger_entries WHERE account = 'credit:held') ledger,
  (SELECT coalesce(sum(credit_cents), 0) AS wanted FROM orders WHERE status = 'pending') pending
WHERE held <> wanted;
