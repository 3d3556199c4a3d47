import type pg from 'pg'
import { readRefundOffer } from '../../checkout/refunds/refund.routes.server.ts'
import type { Config } from '../../kit/config.server.ts'
import { type Db, statement } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { decimalOf, isoOf } from '../../kit/sql.server.ts'
import { findOrders, type OrderFile, readOrderFile } from './adminOrders.contract.ts'
import { readSearch } from './orderSearch.rules.ts'
import { searchOrders } from './orderSearch.server.ts'

const MANY = 25

export const adminOrderRoutes = (config: Pick<Config, 'smtpUrl'>): Route[] => [
  handle(
    findOrders,
    { limits: [{ per: 'account', count: 240, seconds: 60 }] },
    async ({ q = '', status, after, limit = MANY }, { db }) => {
      const search = readSearch(q)
      const found = search ? await searchOrders(db, { search, status, after, limit: limit + 1 }) : []
      const page = found.slice(0, limit)
      const asked = new URLSearchParams({ ...(q && { q }), ...(status && { status }), limit: String(limit) })
      const next = found.length > limit && `</api/admin/orders?${asked}&after=${page.at(-1)!.id}>; rel="next"`
      return asJson(JSON.stringify(page), next ? { link: next } : {})
    },
  ),
  handle(readOrderFile, { limits: [{ per: 'account', count: 240, seconds: 60 }] }, ({ id }, page) =>
    fileOf(page, id, config),
  ),
]

const MOST_USES = 100

const listOf = (json: string, order: string) => `coalesce(json_agg(json_build_object(${json}) ORDER BY ${order}), '[]')`

type Row = { json: Omit<OrderFile, 'areMailsSent' | 'offer'>; credit_cents: number; erased_at: Date | null }

const readFile = statement<Row, [id: string]>(
  'order_file',
  `WITH paid AS (SELECT * FROM payments WHERE order_id = $1),
    given_back AS (SELECT r.*, u.email FROM refunds r JOIN paid ON paid.id = r.payment_id LEFT JOIN users u ON u.id = r.asked_by),
    uses AS MATERIALIZED (SELECT v.*, e.order_line_id FROM delivery_events v JOIN entitlements e ON e.id = v.entitlement_id
      JOIN order_lines l ON l.id = e.order_line_id WHERE l.order_id = $1 ORDER BY v.id DESC LIMIT ${MOST_USES})
  SELECT o.credit_cents, u.erased_at, json_build_object(
    'id', o.id, 'status', o.status, 'total', ${decimalOf('o.total_cents')}, 'credit', ${decimalOf('o.credit_cents')},
    'paymentMethod', o.payment_method, 'createdAt', ${isoOf('o.created_at')},
    'buyer', json_build_object('id', u.id, 'email', CASE WHEN u.erased_at IS NULL THEN u.email END,
      'name', CASE WHEN u.erased_at IS NOT NULL THEN 'Former member'
        ELSE coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), 'Digital Store User') END,
      'joinedAt', ${isoOf('u.created_at')}, 'orders', (SELECT count(*) FROM orders WHERE user_id = u.id)),
    'lines', (SELECT ${listOf(
      `'id', l.id, 'productId', l.product_id, 'title', l.title, 'quantity', l.quantity, 'price', ${decimalOf('l.price_cents')},
      'delivery', l.delivery, 'seller', CASE WHEN s.erased_at IS NULL THEN s.email END,
      'deliveredAt', ${isoOf('e.created_at')}, 'closedAt', ${isoOf('e.revoked_at')},
      'uses', (SELECT ${listOf(`'kind', kind, 'at', ${isoOf('created_at')}`, 'id DESC')} FROM uses WHERE order_line_id = l.id)`,
      'l.position',
    )} FROM order_lines l JOIN users s ON s.id = l.seller_id LEFT JOIN entitlements e ON e.order_line_id = l.id
      WHERE l.order_id = o.id),
    'events', (SELECT ${listOf(`'status', to_status, 'reason', reason, 'at', ${isoOf('created_at')}`, 'id')}
      FROM order_events WHERE order_id = o.id),
    'payments', (SELECT ${listOf(
      `'id', id, 'provider', provider, 'mode', mode, 'status', status, 'amount', ${decimalOf('amount_cents')},
      'providerOrderId', provider_order_id, 'captureId', provider_capture_id, 'declines', declines, 'lastError', last_error,
      'createdAt', ${isoOf('created_at')}, 'changedAt', ${isoOf('updated_at')}`,
      'created_at, id',
    )} FROM paid),
    'refunds', (SELECT ${listOf(
      `'id', id, 'status', status, 'amount', ${decimalOf('amount_cents')}, 'reason', reason, 'askedBy', email,
      'refusal', refusal, 'providerRefundId', provider_refund_id,
      'createdAt', ${isoOf('created_at')}, 'changedAt', ${isoOf('updated_at')}`,
      'created_at, id',
    )} FROM given_back),
    'bonus', (SELECT json_build_object('earned', ${decimalOf('amount_cents')}, 'takenBack', ${decimalOf('taken_back_cents')})
      FROM credit_bonuses WHERE order_id = o.id AND amount_cents > 0),
    'risk', (SELECT json_build_object('decision', decision, 'score', score, 'reasons', reasons, 'at', ${isoOf('created_at')},
        'hold', (SELECT json_build_object('state', state, 'resolvedHow', resolved_how, 'endsAt', ${isoOf('ends_at')})
          FROM risk_holds WHERE order_id = o.id AND kind = 'hold' LIMIT 1))
      FROM risk_decisions WHERE order_id = o.id ORDER BY created_at DESC LIMIT 1),
    -- the refund mail of a mismatched payment has the payment's id
    'mails', (SELECT ${listOf(
      `'subject', subject, 'at', ${isoOf('created_at')}, 'sentAt', ${isoOf('sent_at')}, 'isRefused', refused_at IS NOT NULL`,
      'created_at',
    )} FROM mails WHERE key = ANY (ARRAY['held:' || o.id, 'receipt:' || o.id]
      || ARRAY(SELECT 'refund:' || id FROM paid UNION ALL SELECT 'refund:' || id FROM given_back)))
  ) AS json
  FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = $1`,
)

/** All records of one order. Throws a 404 Failure. */
async function fileOf(
  { db, pool }: { db: Db; pool: pg.Pool },
  id: string,
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
): Promise<OrderFile> {
  const [row] = await readFile(pool, id)
  if (!row) throw new Failure(404, 'Not found')
  const { json, credit_cents: creditCents, erased_at: erasedAt } = row
  return {
    ...json,
    areMailsSent: smtpUrl !== undefined,
    offer: await readRefundOffer(db, { id, creditCents, erasedAt }),
  }
}
