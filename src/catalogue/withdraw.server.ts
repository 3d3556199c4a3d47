import { now, type Tx } from '../kit/database.server.ts'

/** Takes all products of a seller off sale. Buyers keep their files. */
export async function withdrawProductsOf(tx: Tx, sellerId: string) {
  await tx
    .updateTable('products')
    .set({ isActive: false, updatedAt: now })
    .where('sellerId', '=', sellerId)
    .where('isActive', '=', true)
    .execute()
}
