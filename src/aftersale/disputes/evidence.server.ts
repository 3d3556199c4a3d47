import { sql } from 'kysely'
import type { Db } from '../../kit/database.server.ts'
import type { Dispute } from '../../payments/disputes/disputes.store.server.ts'
import type { Evidence } from '../../payments/disputes/disputes.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { type Delivered, deliveryLine, policyOf } from './evidence.rules.ts'
import { only } from '../../kit/values/required.ts'

type Facts = Pick<Evidence, 'buyerName' | 'buyerEmail' | 'ip' | 'country' | 'productDescription'> & {
  boughtAt: Date
  deliveries: Delivered[]
}

const MAX_DELIVERIES = 100

/** What the shop knows about a disputed purchase, as the provider gets it. Staff see the same before they send it. */
export async function collectEvidence(
  { db, config, publicUrl }: Pick<Checkout, 'db' | 'config' | 'publicUrl'>,
  { orderId }: Pick<Dispute, 'orderId'>,
): Promise<Omit<Evidence, 'note'>> {
  const { deliveries, ...facts } = await readFacts(db, orderId)
  return {
    ...facts,
    deliveryLog: deliveries.map(deliveryLine),
    refundPolicy: policyOf(config.selfRefundDays, `${publicUrl}/refunds`),
  }
}

async function readFacts(db: Db, orderId: string): Promise<Facts> {
  const { rows } = await sql<Facts>`
    WITH delivered AS MATERIALIZED (
      SELECT l.title, 'access' AS kind, e.created_at AS at, NULL AS ip, l.position FROM order_lines l
      JOIN entitlements e ON e.order_line_id = l.id WHERE l.order_id = ${orderId}::uuid
      UNION ALL
      SELECT l.title, v.kind, v.created_at, v.ip_address, l.position FROM order_lines l
      JOIN entitlements e ON e.order_line_id = l.id JOIN delivery_events v ON v.entitlement_id = e.id
      WHERE l.order_id = ${orderId}::uuid
      ORDER BY at, position LIMIT ${MAX_DELIVERIES})
    SELECT coalesce(nullif(concat_ws(' ', nullif(u.first_name, ''), nullif(u.last_name, '')), ''), u.email) AS "buyerName",
      u.email AS "buyerEmail", o.created_at AS "boughtAt",
      (SELECT ip FROM delivered WHERE ip IS NOT NULL ORDER BY at LIMIT 1) AS ip,
      (SELECT country FROM risk_decisions d WHERE d.order_id = o.id AND country IS NOT NULL ORDER BY created_at DESC LIMIT 1) AS country,
      (SELECT string_agg(CASE WHEN quantity > 1 THEN quantity || ' x ' ELSE '' END || title, '; ' ORDER BY position)
        FROM order_lines WHERE order_id = o.id) AS "productDescription",
      coalesce((SELECT json_agg(json_build_object('title', title, 'kind', kind, 'at', at, 'ip', ip) ORDER BY at, position)
        FROM delivered), '[]') AS deliveries
    FROM orders o JOIN users u ON u.id = o.user_id WHERE o.id = ${orderId}::uuid`.execute(db)
  return only(rows)
}
