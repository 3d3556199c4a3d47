import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'

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
  const { rows } = await sql<{
    isSuspended: boolean
  }>`SELECT is_seller_suspended(${sellerId}::uuid) AS is_suspended`.execute(tx)
  const { isSuspended } = rows[0]!
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
  const { rows } = await sql<{ id: string }>`
    WITH off AS MATERIALIZED (SELECT DISTINCT seller_id AS id FROM products WHERE is_suspended),
      stopped AS (SELECT id FROM users WHERE erase_at IS NOT NULL UNION SELECT seller_id FROM suspensions WHERE lifted_at IS NULL)
    SELECT id FROM off WHERE NOT is_seller_suspended(id)
    UNION ALL SELECT id FROM stopped s WHERE EXISTS (SELECT FROM products WHERE seller_id = s.id AND NOT is_suspended)
    LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
