import type { Tx } from '../kit/database.server.ts'

/** Removes the buyer's IP addresses from the delivery records, which stay. */
export async function forgetDeliveriesOf(tx: Tx, userId: string) {
  await tx
    .updateTable('deliveryEvents')
    .set({ ipAddress: null })
    .where('userId', '=', userId)
    .where('ipAddress', 'is not', null)
    .execute()
}
