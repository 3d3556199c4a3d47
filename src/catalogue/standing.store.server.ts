import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'

// A seller takes products off sale or back on sale. Carts, orders and entitlements do not change.

type Chosen = { sellerId: string; ids: string[] }

/** Takes products off sale. Returns those that were on sale. Throws a Failure 404 unless the seller owns all. */
export const withdrawProducts = (db: Db, chosen: Chosen) =>
  inTransaction(db, async (tx) => {
    const own = await lockOwn(tx, chosen)
    const changed = own.filter(({ isActive }) => isActive).map(({ id }) => id)
    // even an update without rows would clear the catalogue cache of every node
    if (changed.length > 0)
      await tx.updateTable('products').set({ isActive: false, withdrawnAt: now }).where('id', 'in', changed).execute()
    return { changed, refused: [] as string[] }
  })

/**
 * Puts products on sale. Returns those that were off sale, and those without goods. Throws a Failure 404 unless the
 * seller owns all.
 */
export const relistProducts = (db: Db, chosen: Chosen) =>
  inTransaction(db, async (tx) => {
    const off = (await lockOwn(tx, chosen)).filter(({ isActive }) => !isActive)
    const lacksGoods = ({ delivery, fileId, hasVariants, isOutOfStock }: (typeof off)[number]) =>
      delivery === 'file' && !hasVariants ? fileId === null : isOutOfStock
    const changed = off.filter((one) => !lacksGoods(one)).map(({ id }) => id)
    if (changed.length > 0)
      await tx.updateTable('products').set({ isActive: true, withdrawnAt: null }).where('id', 'in', changed).execute()
    return { changed, refused: off.filter(lacksGoods).map(({ id }) => id) }
  })

/** Locks in the order of a checkout: bundles first, then by id. */
async function lockOwn(tx: Tx, { sellerId, ids }: Chosen) {
  const own = await tx
    .selectFrom('products')
    .select(['id', 'isActive', 'delivery', 'fileId', 'hasVariants', 'isOutOfStock'])
    .where('id', 'in', ids)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .orderBy((row) => row('delivery', '<>', 'bundle'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (own.length < new Set(ids).size) throw new Failure(404, 'Product not found')
  return own
}

/** Takes all products of a seller off sale. Buyers retain their files. */
export async function withdrawProductsOf(tx: Tx, sellerId: string) {
  await tx
    .updateTable('products')
    .set({ isActive: false, withdrawnAt: now })
    .where('sellerId', '=', sellerId)
    .where('isActive', '=', true)
    .execute()
}
