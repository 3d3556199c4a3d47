-- Finds the waiting refund with the same request by the same member of staff.
-- @name findSame
-- @null askedBy, lines
SELECT id FROM refund_approvals
WHERE order_id = :orderId AND state = 'waiting' AND amount_cents = :amountCents AND reason = :reason AND is_code_seen = :isCodeSeen
  AND asked_by IS NOT DISTINCT FROM :askedBy::uuid AND lines IS NOT DISTINCT FROM :lines::jsonb;

-- When the buyer last used goods of the order after a refund was requested.
-- @name readLastUse
-- @null at
SELECT max(v.created_at) AS at FROM refund_approvals a JOIN order_lines l ON l.order_id = a.order_id
CROSS JOIN LATERAL copy_lines(l.id) m JOIN entitlements e ON e.order_line_id = m.line_id
JOIN delivery_events v ON v.entitlement_id = e.id AND v.created_at > a.created_at WHERE a.id = :approvalId;

-- The lowest store credit since a returned refund became credit. Only this amount is reclaimable, because the rest was
-- spent. Null: the refund did not become credit. Its entry has the time of the booking.
-- @name readUnspent
-- @null unspent
WITH came AS (SELECT id FROM credit_entries WHERE order_id = :orderId AND kind = 'bounced'
  AND amount_cents = :amountCents AND created_at = (SELECT bounced_at FROM refunds WHERE id = :refundId))
SELECT min(after)::float8 AS unspent FROM (
  SELECT id, sum(amount_cents) OVER (ORDER BY id) AS after FROM credit_entries WHERE user_id = :userId) steps
WHERE id >= (SELECT min(id) FROM came);
