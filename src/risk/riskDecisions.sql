-- One statement with bounded subqueries. `isHere`: the buyer is at `network`; otherwise uses the last decision. Only
-- paid orders of others count: otherwise a stranger could raise the score of a network.
-- @name readFacts
-- @null network, country, instrument, product_id, newest
-- @type newest: { version: number; weights: unknown } | null
WITH place AS MATERIALIZED (
  SELECT :network::text AS network, :country::text AS country WHERE :isHere::boolean
  UNION ALL (SELECT network, country FROM risk_decisions WHERE order_id = :orderId AND NOT :isHere
    ORDER BY created_at DESC LIMIT 1))
SELECT u.email, floor(extract(epoch FROM now() - u.created_at) / 3600)::int AS account_age_hours, p.*, t.*,
  (SELECT network FROM place) AS network, (SELECT country FROM place) AS country,
  (SELECT count(DISTINCT user_id)::int FROM (
    SELECT d.user_id FROM risk_decisions d JOIN users n ON n.id = d.user_id
    WHERE d.network = (SELECT network FROM place) AND d.stage = 'paid' AND d.created_at > now() - interval '24 hours'
      AND d.user_id <> :userId AND n.created_at > now() - interval '7 days' ORDER BY d.created_at DESC LIMIT 500) near) AS network_accounts,
  (SELECT count(DISTINCT user_id)::int FROM (
    SELECT user_id FROM risk_decisions WHERE instrument = :instrument AND stage = 'paid' AND user_id <> :userId
      AND created_at > now() - interval '30 days' ORDER BY created_at DESC LIMIT 500) shared) AS instrument_accounts,
  (SELECT count(DISTINCT user_id)::int FROM (
    SELECT user_id FROM risk_decisions WHERE rush_product_id = p.product_id AND user_id <> :userId
      AND created_at > now() - interval '1 hour' ORDER BY created_at DESC LIMIT 200) wanting) AS rush,
  (SELECT least(100, coalesce(sum(CASE severity WHEN 'critical' THEN 40 WHEN 'high' THEN 25 WHEN 'medium' THEN 15 ELSE 5 END), 0))::int
    FROM risk_hints WHERE user_id = :userId AND received_at > now() - interval '30 minutes') AS hints,
  EXISTS (SELECT FROM risk_holds WHERE user_id = :userId AND resolved_how = 'confirmed'
    AND resolved_at > now() - interval '1 hour') AS is_confirmed,
  EXISTS (SELECT FROM risk_holds WHERE order_id = :orderId AND kind = 'hold') AS is_held,
  (SELECT to_json(w) FROM (SELECT version, weights FROM risk_weights ORDER BY version DESC LIMIT 1) w) AS newest
FROM users u CROSS JOIN purchase_facts(:orderId, :userId) p CROSS JOIN (
  SELECT count(*) FILTER (WHERE created_at > now() - interval '10 minutes')::int AS declines_ten_minutes,
    count(*) FILTER (WHERE created_at > now() - interval '24 hours')::int AS declines_day, count(DISTINCT instrument)::int AS instruments_week
  FROM counted_decline WHERE user_id = :userId) t
WHERE u.id = :userId;

-- @name insertDecision
-- @null network, instrument, country, rushProductId
INSERT INTO risk_decisions
  (order_id, user_id, stage, decision, score, reasons, facts, weights_version, network, instrument, country, rush_product_id)
VALUES (:orderId, :userId, :stage, :decision, :score, :reasons, :facts, :weightsVersion, :network, :instrument, :country, :rushProductId)
RETURNING id;

-- The network of the last decision.
-- @name findLastNetwork
SELECT network FROM risk_decisions WHERE order_id = :orderId ORDER BY created_at DESC LIMIT 1;

-- The stored facts of recent orders.
-- @name listFacts
-- @type facts: import('./score.rules.ts').Facts
SELECT o.id AS order_id, d.facts FROM (SELECT id, created_at FROM orders ORDER BY created_at DESC, id DESC LIMIT 5 * :most::int) o
CROSS JOIN LATERAL (SELECT facts FROM risk_decisions WHERE order_id = o.id ORDER BY created_at DESC LIMIT 1) d
ORDER BY o.created_at DESC, o.id DESC LIMIT :most;
