import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { IS_RECORDED_EACH_TIME, type Use } from './uses.rules.ts'
import { only } from '../kit/values/required.ts'

type Used = { entitlementId: string; userId: string; kind: Use; ip: string }

/** Records a use of goods. Records every reveal of a secret, and any other use once a day. */
export async function recordUse(db: Tx, { entitlementId, userId, kind, ip }: Used) {
  await sql`INSERT INTO delivery_events (entitlement_id, user_id, kind, ip_address)
    SELECT ${entitlementId}::uuid, ${userId}::uuid, ${kind}, ${ip}
    WHERE ${IS_RECORDED_EACH_TIME.has(kind)}::boolean OR NOT EXISTS (SELECT FROM delivery_events WHERE entitlement_id = ${entitlementId}::uuid AND kind = ${kind}
      AND created_at > now() - interval '1 day')`.execute(db)
}

/** The lines `m` of the line `l`: itself, and those that gifts of it became. */
export const WITH_GIFTS = `CROSS JOIN LATERAL (SELECT l.id UNION ALL
      SELECT c.id FROM gifts g JOIN order_lines c ON c.gift_id = g.id WHERE g.order_line_id = l.id) m`

/** When a code of an order was first shown, to its buyer or to who claimed it; null if none was. A refund does not reset it. */
export async function firstReveal(db: Db | Tx, orderId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT min(v.created_at) AS at FROM order_lines l ${sql.raw(WITH_GIFTS)} JOIN entitlements e ON e.order_line_id = m.id
    JOIN delivery_events v ON v.entitlement_id = e.id WHERE l.order_id = ${orderId}::uuid AND v.kind = 'reveal'`.execute(
    db,
  )
  return only(rows).at
}

export async function forgetDeliveriesOf(tx: Tx, userId: string) {
  await tx
    .updateTable('deliveryEvents')
    .set({ ipAddress: null })
    .where('userId', '=', userId)
    .where('ipAddress', 'is not', null)
    .execute()
}
