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

/** Removes the buyer's IP addresses from the delivery records, which stay. */
export async function forgetDeliveriesOf(tx: Tx, userId: string) {
  await tx
    .updateTable('deliveryEvents')
    .set({ ipAddress: null })
    .where('userId', '=', userId)
    .where('ipAddress', 'is not', null)
    .execute()
}
