import type { Db, Tx } from '../kit/database.server.ts'

/** When codes of an order were shown first, and whether any were; a refund does not unsee them. */
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

export const areCodesSeen = async (tx: Db | Tx, orderId: string) => (await firstReveal(tx, orderId)) !== null
