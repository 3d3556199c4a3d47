import type { Db, Tx } from '../kit/database.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './product.statements.server.ts'

// Takes products off sale independently of their seller. A trigger notifies all nodes. Buyers retain their goods.

/** `why` is the text shown to the seller. Null puts the product back on sale. */
export const setTakenDown = (tx: Tx, productId: string, why: string | null) =>
  tx.updateTable('products').set({ takenDown: why }).where('id', '=', productId).execute()

/** Records whether the stock is used up. */
export const setOutOfStock = (tx: Tx, productId: string, isOutOfStock: boolean) =>
  tx.updateTable('products').set({ isOutOfStock }).where('id', '=', productId).execute()

/**
 * Takes a seller's products off sale during a suspension or before an account deletion, and puts them back afterwards.
 * A trigger does so for new products. Returns true if they are off sale.
 */
export async function updateSuspended(tx: Tx, sellerId: string): Promise<boolean> {
  // Waits for products being added. NO KEY, because a checkout that locked a product also locks the key of this row.
  await tx.selectFrom('users').select('id').where('id', '=', sellerId).forNoKeyUpdate().execute()
  // a separate statement after the lock, so that it reads the commits of other transactions
  const { isSuspended } = only(await statements.isSellerSuspended(tx, { sellerId }))
  const changed = await tx
    .selectFrom('products')
    .select('id')
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    // the same lock order as a checkout
    .orderBy((row) => row('delivery', '<>', 'bundle'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  // an update without rows would still clear the catalogue cache of every node
  if (changed.length > 0)
    await tx
      .updateTable('products')
      .set({ isSuspended })
      .where('sellerId', '=', sellerId)
      .where('isSuspended', '<>', isSuspended)
      .execute()
  return isSuspended
}

/**
 * Finds sellers with products that `updateSuspended` would change. Nodes of an older release may have started or ended
 * a suspension or deletion without it.
 */
export async function findUnsettledSellers(db: Db, limit: number): Promise<string[]> {
  return (await statements.findUnsettledSellers(db, { limit })).map(({ id }) => id)
}
