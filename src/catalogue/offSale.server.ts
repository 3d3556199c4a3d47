import { sql } from 'kysely'
import type { Tx } from '../kit/database.server.ts'

// What takes products off sale beside their seller's own wish. A trigger tells all nodes; buyers keep what they bought.

/** `why` in the words that the seller reads; null puts the product back on sale. */
export const setTakenDown = (tx: Tx, productId: string, why: string | null) =>
  tx.updateTable('products').set({ takenDown: why }).where('id', '=', productId).execute()

/** Its stock is used up, or there is some again. */
export const setOutOfStock = (tx: Tx, productId: string, isOutOfStock: boolean) =>
  tx.updateTable('products').set({ isOutOfStock }).where('id', '=', productId).execute()

/**
 * Takes all products of a seller off sale while the seller is suspended or is about to delete the account, and puts them
 * back on sale afterwards. New ones learn it by a trigger.
 */
export async function updateSuspended(tx: Tx, sellerId: string) {
  // products that are being added hold this row until they are there
  await tx.selectFrom('users').select('id').where('id', '=', sellerId).forUpdate().execute()
  const isSuspended = sql<boolean>`is_seller_suspended(${sellerId}::uuid)`
  const changed = await tx
    .selectFrom('products')
    .select(['id', isSuspended.as('isSuspended')])
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    // in the order in which a checkout locks them
    .orderBy((row) => row('delivery', '<>', 'bundle'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (changed.length === 0) return
  // even an update of no row would evict the catalogue on every node
  await tx
    .updateTable('products')
    .set({ isSuspended })
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    .execute()
}
