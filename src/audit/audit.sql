-- The faults of some orders. The cost depends on the number of `ids`, not on the size of the shop.
-- @name findOrderFaults
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
SELECT rule, code, order_id AS subject, facts FROM order_fault WHERE order_id = ANY (:ids::uuid[]);

-- @name findMemberFaults
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
SELECT rule, code, user_id AS subject, facts FROM credit_account_fault WHERE user_id = ANY (:ids::uuid[]);

-- @name findTransferFaults
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
SELECT rule, code, transfer_id AS subject, facts FROM transfer_fault WHERE transfer_id = ANY (:ids::uuid[]);

-- @name findDiscountFaults
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
SELECT rule, code, discount_id AS subject, facts FROM discount_fault WHERE discount_id = ANY (:ids::uuid[]);

-- @name findShopFaults
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
-- @null subject
SELECT rule, code, subject, facts FROM shop_fault;

-- Work that is unfinished `hours` after its start. Refunds at the provider, or without the buyer's address, have
-- `longHours`.
-- @name findOverdue
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
SELECT 'INV8' AS rule, 'order_overdue' AS code, id AS subject, '{}'::jsonb AS facts
FROM orders WHERE status = 'pending' AND expires_at < now() - :hours::int * interval '1 hour'
UNION ALL
SELECT 'INV8', 'payment_overdue', p.id, '{}' FROM payments p
WHERE p.status = 'capturing' AND p.updated_at <= now() - :hours * interval '1 hour'
  AND NOT EXISTS (SELECT FROM risk_holds h WHERE h.order_id = p.order_id AND h.state = 'open')
UNION ALL
SELECT 'INV8', 'refund_overdue', r.id, '{}' FROM refunds r
WHERE r.status = 'requested' AND r.created_at <= now() - interval '1 hour' * CASE
    WHEN r.provider_refund_id IS NOT NULL
      OR EXISTS (SELECT FROM usdc_exceptions x WHERE x.refund_id = r.id AND x.state <> 'done') THEN :longHours::int
    ELSE :hours END
  AND NOT EXISTS (SELECT FROM disputes d WHERE d.payment_id = r.payment_id AND d.ended_at IS NULL AND d.stage <> 'warning');

-- All faults of some rules except overdue work. Reads all rows.
-- @name findFaults
-- @type code: import('./sentences.rules.ts').Code
-- @type facts: import('./sentences.rules.ts').Facts
-- @null subject
SELECT rule, code, subject, facts FROM fault WHERE rule = ANY (:rules::text[]);

-- Orders with a new event, or with a new ledger entry for one of their payments.
-- @name findChangedOrders
SELECT order_id AS id FROM order_events WHERE id > :event
UNION
SELECT p.order_id FROM ledger_entries l JOIN payments p ON p.id = l.payment_id WHERE l.id > :entry
LIMIT :max;

-- @name findChangedMembers
SELECT DISTINCT substr(account, 8)::uuid AS id FROM ledger_entries
WHERE id > :entry AND account ~ '^credit:[0-9a-f-]{36}$' LIMIT :max;

-- @name findChangedTransfers
SELECT DISTINCT transfer_id AS id FROM ledger_entries WHERE id > :entry LIMIT :max;

-- @name findChangedDiscounts
SELECT DISTINCT discount_id AS id FROM discount_uses
WHERE order_id IN (SELECT order_id FROM order_events WHERE id > :event) LIMIT :max;

-- A page of ids: those above `after` up to `end`.
-- @name pageOrders
SELECT id FROM orders WHERE id > :after AND id <= :end ORDER BY id LIMIT :max;

-- @name pageMembers
SELECT user_id AS id FROM credit_accounts WHERE user_id > :after AND user_id <= :end ORDER BY user_id LIMIT :max;

-- @name pageTransfers
SELECT DISTINCT transfer_id AS id FROM ledger_entries
WHERE transfer_id > :after AND transfer_id <= :end ORDER BY transfer_id LIMIT :max;

-- @name pageDiscounts
SELECT id FROM discounts WHERE id > :after AND id <= :end ORDER BY id LIMIT :max;
