import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'

/** When a code of an order was first shown; null if none was. A refund does not reset it. */
export async function firstReveal(db: Db | Tx, orderId: string): Promise<Date | null> {
  const { at } = await db
    .selectFrom('deliveryEvents')
    .innerJoin('entitlements', 'entitlements.id', 'deliveryEvents.entitlementId')
    .innerJoin('orderLines', 'orderLines.id', 'entitlements.orderLineId')
    .select((row) => row.fn.min('deliveryEvents.createdAt').as('at'))
    .where('orderLines.orderId', '=', orderId)
    .where('deliveryEvents.kind', '=', 'reveal')
    .executeTakeFirstOrThrow()
  return at as Date | null
}

/** The lines of an order that were downloaded or revealed. Under the order's lock no use starts meanwhile. */
export async function readUsedLines(db: Db | Tx, orderId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT l.id FROM order_lines l JOIN entitlements e ON e.order_line_id = l.id
    WHERE l.order_id = ${orderId}::uuid AND (
      EXISTS (SELECT FROM delivery_events v WHERE v.entitlement_id = e.id)
      OR EXISTS (SELECT FROM download_grants g WHERE g.entitlement_id = e.id AND g.started_at IS NOT NULL))`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes the buyer's IP addresses from the delivery records, which stay. */
export async function forgetDeliveriesOf(tx: Tx, userId: string) {
  await tx
    .updateTable('deliveryEvents')
    .set({ ipAddress: null })
    .where('userId', '=', userId)
    .where('ipAddress', 'is not', null)
    .execute()
}
