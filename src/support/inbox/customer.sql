-- The purchases of a customer. $1 is the account.
WITH sums AS (SELECT * FROM purchase_sums($1)),
  latest AS (
    SELECT id, status, total_cents, created_at FROM orders WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 5),
  -- a debt is no credit
  credit AS (SELECT greatest(coalesce(max(balance_cents), 0), 0)::bigint AS cents FROM credit_accounts WHERE user_id = $1)
SELECT json_build_object(
  'orders', total, 'spent', :decimal(spent), 'credit', :decimal(cents),
  'risk', (SELECT d.score FROM latest JOIN risk_decisions d ON d.order_id = latest.id ORDER BY d.created_at DESC LIMIT 1),
  'latest', (
    SELECT coalesce(json_agg(json_build_object('id', id, 'status', status, 'total', :decimal(total_cents),
      'createdAt', to_json(created_at)) ORDER BY created_at DESC, id DESC), '[]')
    FROM latest))::text AS json
FROM sums, credit
