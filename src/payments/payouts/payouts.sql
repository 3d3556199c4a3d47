-- Sellers, by id, whose monthly payout is due.
-- @name listDue
SELECT d.user_id FROM payout_details d WHERE d.schedule = 'monthly' AND is_month_due(d) AND d.user_id > :after
ORDER BY d.user_id LIMIT :most;

-- @name findDue
SELECT d.user_id FROM payout_details d WHERE d.user_id = :userId AND is_month_due(d);

-- @name readNow
SELECT now() AS at;
