import type { Tx } from '../kit/database.server.ts'

/** What was delivered stays written down, but not where its buyer was. */
export async function forgetDeliveriesOf(tx: Tx, userId: string) {
  await tx
    .updateTable('deliveryEvents')
    .set({ ipAddress: null })
    .where('userId', '=', userId)
    .where('ipAddress', 'is not', null)
    .execute()
}
