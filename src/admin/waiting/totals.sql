-- @name readTotals
WITH since AS (SELECT utc_day(now()) - (:days::int - 1) AS day)
SELECT coalesce(sum(orders), 0)::int AS orders, coalesce(sum(sales), 0)::int AS sales, coalesce(sum(gross_cents), 0)::bigint AS revenue,
  coalesce(sum(returned_cents), 0)::bigint AS refunded, coalesce(sum(fee_cents), 0)::bigint AS fees,
  (SELECT coalesce(sum(amount_cents), 0)::bigint FROM provider_fees WHERE charged_at >= (SELECT day FROM since)) AS costs,
  (SELECT count(*)::int FROM users WHERE erased_at IS NULL AND created_at >= (SELECT day FROM since)) AS new_members
FROM sales_days WHERE kind = 'all' AND day >= (SELECT day FROM since);
