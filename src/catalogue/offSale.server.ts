import type { Db, Tx } from '../kit/database.server.ts'
import { only } from '../kit/values/required.ts'
import * as statements from './product.statements.server.ts'

// What takes products off sale beside their seller's own wish. A trigger tells all nodes; buyers keep what they bought.

/** `why` in the words that the seller reads; null puts the product back on sale. */
export const setTakenDown = (tx: Tx, productId: string, why: string | null) =>
  tx.updateTable('products').set({ takenDown: why }).where('id', '=', productId).execute()

/** Its stock is used up, or there is some again. */
export const setOutOfStock = (tx: Tx, productId: string, isOutOfStock: boolean) =>
  tx.updateTable('products').set({ isOutOfStock }).where('id', '=', productId).execute()

/**
 * Takes all products of a seller off sale while the seller is suspended or is about to delete the account, and puts them
 * back on sale afterwards. A trigger does the same for new products. Returns true if they are off sale for one of these reasons.
 */
export async function updateSuspended(tx: Tx, sellerId: string): Promise<boolean> {
  // Waits for products that are being added. NO KEY, because a checkout that locked a product also locks the key of this row.
  await tx.selectFrom('users').select('id').where('id', '=', sellerId).forNoKeyUpdate().execute()
  // a separate statement after the lock, so that it reads the commits of other transactions
  const { isSuspended } = only(await statements.isSellerSuspended(tx, { sellerId }))
  const changed = await tx
    .selectFrom('products')
    .select('id')
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    // the lock order of a checkout
    .orderBy((row) => row('delivery', '<>', 'bundle'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  // an update of no row would also clear the catalogue cache of every node
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
 * Sellers with products that `updateSuspended` would change. Nodes of a release that does not know of `is_seller_suspended` may have
 * begun or ended a suspension or a deletion.
 */
export async function findUnsettledSellers(db: Db, limit: number): Promise<string[]> {
  return (await statements.findUnsettledSellers(db, { limit })).map(({ id }) => id)
}
