import { now, type Tx } from '../kit/database.server.ts'
import type { OrderLineRow } from './orders.store.server.ts'

/** Stored in place of a payment method in the order of a gift. */
const GIFT_METHOD = 'gift'

/** Inserts the completed order of a claimed gift. It is free, has no payment and does not count as a sale. */
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
