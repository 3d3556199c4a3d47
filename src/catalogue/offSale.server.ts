import type { Tx } from '../kit/database.server.ts'

// What takes products off sale beside their seller's own wish. A trigger tells all nodes; buyers keep what they bought.

/** `why` in the words that the seller reads; null puts the product back on sale. */
export const setTakenDown = (tx: Tx, productId: string, why: string | null) =>
  tx.updateTable('products').set({ takenDown: why }).where('id', '=', productId).execute()

/** Its stock is used up, or there is some again. */
export const setOutOfStock = (tx: Tx, productId: string, isOutOfStock: boolean) =>
  tx.updateTable('products').set({ isOutOfStock }).where('id', '=', productId).execute()

/** All products of a seller. New ones learn it by a trigger. */
export const setSuspended = (tx: Tx, sellerId: string, isSuspended: boolean) =>
  tx
    .updateTable('products')
    .set({ isSuspended })
    .where('sellerId', '=', sellerId)
    .where('isSuspended', '<>', isSuspended)
    .execute()
