-- Payouts that wait for staff, oldest first.
-- @name listWaiting
-- @type state: import('./payout.rules.ts').PayoutState
-- @type method: import('./payout.rules.ts').Method | null
-- @type next_method: import('./payout.rules.ts').Method | null
-- @type schedule: import('./payout.rules.ts').Schedule | null
-- @type first_act: 'approved' | 'failed' | 'returned' | null
-- @type about: import('./payouts.contract.ts').StoredFacts
-- @null batch_id, label, reason, ended_at, first_staff_id, first_email, next_label, waits_until, rejection, monthly_at, after
SELECT * FROM queued_payout WHERE state = 'requested'
  AND (:after::uuid IS NULL OR (created_at, id) > (SELECT created_at, id FROM payouts WHERE id = :after))
ORDER BY created_at, id LIMIT :most;

-- Payouts in other states, newest first.
-- @name listNewest
-- @type state: import('./payout.rules.ts').PayoutState
-- @type method: import('./payout.rules.ts').Method | null
-- @type next_method: import('./payout.rules.ts').Method | null
-- @type schedule: import('./payout.rules.ts').Schedule | null
-- @type first_act: 'approved' | 'failed' | 'returned' | null
-- @type about: import('./payouts.contract.ts').StoredFacts
-- @null batch_id, label, reason, ended_at, first_staff_id, first_email, next_label, waits_until, rejection, monthly_at, after
SELECT * FROM queued_payout WHERE state = ANY (:states::text[])
  AND (:after::uuid IS NULL OR (created_at, id) < (SELECT created_at, id FROM payouts WHERE id = :after))
ORDER BY created_at DESC, id DESC LIMIT :most;

-- @name findQueued
-- @type state: import('./payout.rules.ts').PayoutState
-- @type method: import('./payout.rules.ts').Method | null
-- @type next_method: import('./payout.rules.ts').Method | null
-- @type schedule: import('./payout.rules.ts').Schedule | null
-- @type first_act: 'approved' | 'failed' | 'returned' | null
-- @type about: import('./payouts.contract.ts').StoredFacts
-- @null batch_id, label, reason, ended_at, first_staff_id, first_email, next_label, waits_until, rejection, monthly_at, after
SELECT * FROM queued_payout WHERE id = ANY (:ids::uuid[]) ORDER BY id;

-- @name lockDetails
SELECT FROM payout_details WHERE user_id IN (SELECT seller_id FROM payouts WHERE id = ANY (:ids::uuid[])) ORDER BY user_id FOR SHARE;

-- @name listBatches
SELECT b.id, b.method, b.state, b.created_at, b.problem, u.email AS approved_by, s.payouts, s.cents
FROM payout_batches b JOIN users u ON u.id = b.approved_by CROSS JOIN LATERAL (
  SELECT count(*) AS payouts, coalesce(sum(amount_cents), 0)::bigint AS cents FROM payouts WHERE batch_id = b.id) s
ORDER BY b.created_at DESC, b.id DESC LIMIT :most;
