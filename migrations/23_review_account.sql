-- Captured money that waits for a decision of staff stands in an account of its own. Before this file it stood in none.
WITH held AS (
  SELECT gen_random_uuid() AS transfer_id, id, amount_cents, 'provider:' || provider || ':' || mode AS account
  FROM payments WHERE status = 'capturing' AND provider_capture_id IS NOT NULL
)
INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id)
SELECT transfer_id, account, amount_cents, id FROM held
UNION ALL SELECT transfer_id, 'review', -amount_cents, id FROM held;
