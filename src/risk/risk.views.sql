-- Views of purchase risk for other rooms.

-- Declines of the last seven days that came after the last block of their account ended.
CREATE OR REPLACE VIEW counted_decline AS
SELECT d.user_id, d.instrument, d.created_at FROM risk_declines d
WHERE d.created_at > now() - interval '7 days'
  AND d.created_at > coalesce((SELECT max(coalesce(b.lifted_at, b.expires_at)) FROM risk_blocks b
    WHERE b.kind = 'account' AND b.subject = d.user_id::text
      AND (b.lifted_at IS NOT NULL OR (b.made_by IS NULL AND b.expires_at <= now()))), '-infinity');

-- The purchases of an account for risk: those of the last day including this order, unpaid ones, and settled old ones.
-- `copies`: of the order's cash-like product that the account buys most of in a day.
CREATE OR REPLACE FUNCTION purchase_facts(this_order uuid, buyer uuid) RETURNS TABLE (day_cents bigint, day_cash_cents bigint,
    copies int, product_id uuid, orders_hour int, unpaid_day int, settled_old int, settled_old_cents bigint, lost_disputes int)
  LANGUAGE sql STABLE ROWS 1 AS $$
  WITH bought AS MATERIALIZED (
    SELECT o.id, o.created_at > now() - interval '1 hour' AS is_fresh FROM orders o
    WHERE o.user_id = buyer AND o.created_at > now() - interval '24 hours' AND o.id <> this_order AND o.source <> 'gift'
      AND (o.status = 'completed' OR EXISTS (SELECT FROM payments y WHERE y.order_id = o.id AND y.status = 'capturing'))
    ORDER BY o.created_at DESC LIMIT 200),
  lines AS MATERIALIZED (
    SELECT l.product_id, l.quantity, l.price_cents * l.quantity - l.discount_cents AS cents, l.order_id = this_order AS is_now, c.is_cash
    FROM (SELECT this_order AS id UNION ALL SELECT id FROM bought) o
    JOIN order_lines l ON l.order_id = o.id JOIN products p ON p.id = l.product_id JOIN categories c ON c.id = p.category_id),
  most AS MATERIALIZED (
    SELECT product_id, sum(quantity)::int AS copies FROM lines WHERE is_cash
    GROUP BY product_id HAVING bool_or(is_now) ORDER BY copies DESC, product_id LIMIT 1)
  SELECT (SELECT coalesce(sum(cents), 0)::bigint FROM lines), (SELECT coalesce(sum(cents) FILTER (WHERE is_cash), 0)::bigint FROM lines),
    coalesce(m.copies, 0), m.product_id, (SELECT count(*)::int + 1 FROM bought WHERE is_fresh),
    (SELECT count(*)::int FROM (SELECT FROM orders WHERE user_id = buyer AND created_at > now() - interval '24 hours'
      AND id <> this_order AND status = 'failed' LIMIT 200) failed),
    least(3, old.purchases)::int, old.cents,
    (SELECT count(*)::int FROM disputes WHERE user_id = buyer AND state = 'lost'
      AND coalesce(lost_cents, amount_cents) >= amount_cents AND ended_at > now() - interval '1 year')
  FROM (
    SELECT count(*) AS purchases, coalesce(sum(total_cents - credit_cents), 0)::bigint AS cents FROM (
      SELECT total_cents, credit_cents FROM orders WHERE user_id = buyer AND status = 'completed' AND total_cents > 0
        AND created_at < now() - interval '60 days' AND completed_at < now() - interval '60 days'
      ORDER BY created_at LIMIT 50) settled) old LEFT JOIN most m ON true
$$;

-- Paid orders whose goods wait for a review by staff. `id` is the order.
CREATE OR REPLACE VIEW waiting_hold AS
SELECT h.order_id AS id, h.created_at AS since, h.ends_at AS due_at, NULL::uuid AS owner_id,
  (SELECT u.email FROM users u WHERE u.id = h.user_id AND u.erased_at IS NULL) AS about,
  (SELECT o.total_cents FROM orders o WHERE o.id = h.order_id) AS cents
FROM risk_holds h WHERE h.state = 'open' AND h.kind = 'hold';
