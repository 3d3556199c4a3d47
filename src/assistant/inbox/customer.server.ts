import { statement } from '../../kit/database.server.ts'
import { decimalOf } from '../../kit/sql.server.ts'
import { SUMS } from '../../orders/orders.server.ts'

/** The customer's purchases as the JSON of `AboutCustomer`. */
export const readCustomer = statement<{ json: string }, [userId: string]>(
  'about_customer',
  `WITH sums AS (${SUMS}),
    latest AS (
      SELECT id, status, total_cents, created_at FROM orders WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 5),
    credit AS (SELECT coalesce(max(balance_cents), 0)::bigint AS cents FROM credit_accounts WHERE user_id = $1)
  SELECT json_build_object(
    'orders', total, 'spent', ${decimalOf('spent')},
    -- a debt is no credit
    'credit', ${decimalOf('greatest(cents, 0)')},
    'risk', (SELECT d.score FROM latest JOIN risk_decisions d ON d.order_id = latest.id ORDER BY d.created_at DESC LIMIT 1),
    'latest', (SELECT coalesce(json_agg(json_build_object('id', id, 'status', status, 'total', ${decimalOf('total_cents')},
      'createdAt', to_json(created_at)) ORDER BY created_at DESC, id DESC), '[]') FROM latest))::text AS json
  FROM sums, credit`,
)
