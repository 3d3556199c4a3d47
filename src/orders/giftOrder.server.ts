import { now, type Tx } from '../kit/database.server.ts'
import type { OrderLineRow } from './orders.store.server.ts'

/** The word for an order of a gift, in the place of a method. */
const GIFT_METHOD = 'gift'

/** The completed order of a member who claims a gift. It costs nothing, so it has no payment, and it is no sale. */
export async function insertGiftOrder(
  tx: Tx,
  { userId, key, line }: { userId: string; key: string; line: Omit<OrderLineRow, 'id' | 'orderId' | 'position'> },
): Promise<OrderLineRow> {
  const order = {
    ...{ userId, checkoutKey: key, requestHash: '', source: 'gift' as const, status: 'completed' as const },
    ...{ totalCents: 0, creditCents: 0, paymentMethod: GIFT_METHOD, expiresAt: now, completedAt: now },
  }
  const { id: orderId } = await tx.insertInto('orders').values(order).returning('id').executeTakeFirstOrThrow()
  await tx
    .insertInto('orderEvents')
    .values([
      { orderId, toStatus: 'pending', reasonCode: 'claimed', reason: 'claimed' },
      { orderId, fromStatus: 'pending', toStatus: 'completed', reasonCode: 'gift', reason: 'gift' },
    ])
    .execute()
  return tx
    .insertInto('orderLines')
    .values({ ...line, orderId, position: 0 })
    .returningAll()
    .executeTakeFirstOrThrow()
}
