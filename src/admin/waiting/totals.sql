-- Today and the last 7 days.
-- @name readTotals
SELECT p.days, s.*, (SELECT coalesce(sum(f.amount_cents), 0)::bigint FROM provider_fees f WHERE f.charged_at >= p.first_day) AS costs,
  (SELECT count(*)::int FROM users u WHERE u.erased_at IS NULL AND u.created_at >= p.first_day) AS new_members
FROM (SELECT days, utc_day(now()) - (days - 1) AS first_day FROM unnest(ARRAY[1, 7]) days) p CROSS JOIN LATERAL (
  SELECT coalesce(sum(d.orders), 0)::int AS orders, coalesce(sum(d.sales), 0)::int AS sales,
    coalesce(sum(d.gross_cents), 0)::bigint AS revenue, coalesce(sum(d.returned_cents), 0)::bigint AS refunded,
    coalesce(sum(d.fee_cents), 0)::bigint AS fees
  FROM sales_days d WHERE d.kind = 'all' AND d.day >= p.first_day) s
ORDER BY p.days;
