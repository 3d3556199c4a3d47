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
 * Takes all products of a seller off sale while the seller is suspended or the deletion of the account is pending. Otherwise puts them
 * back on sale. A trigger does the same for new products.
 */
export async function updateSuspended(tx: Tx, sellerId: string) {
  // a transaction that adds a product locks this row until it commits
  await tx.selectFrom('users').select('id').where('id', '=', sellerId).forUpdate().execute()
  const isSuspended = sql<boolean>`is_seller_suspended(${sellerId}::uuid)`
  const changed = await tx
    .selectFrom('products')
    .select(['id', isSuspended.as('isSuspended')])
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    // the lock order of a checkout
    .orderBy((row) => row('delivery', '<>', 'bundle'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (changed.length === 0) return
  // an update without rows would still evict the catalogue cache of every node
  await tx
    .updateTable('products')
    .set({ isSuspended })
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    .execute()
}
