import { sql } from 'kysely'
import type { Tx } from '../kit/database.server.ts'

/** Takes everything a seller sells off the shelf; files stay for those who bought them. */
export async function withdrawProductsOf(tx: Tx, sellerId: string) {
  await tx
    .updateTable('products')
    .set({ isActive: false, updatedAt: sql`now()` })
    .where('sellerId', '=', sellerId)
    .where('isActive', '=', true)
    .execute()
}
