import { sql } from 'kysely'
import type { Tx } from '../kit/database.server.ts'
import { kindOf } from './edit.server.ts'

export type Draft = {
  id: string
  place: number
  title: string
  description: string
  priceCents: number
  suggestedCents: number | null
  categoryId: string
}

/** Adds drafts with the caller's ids. The newest-first list sorts them by `place`. */
export async function addDrafts(tx: Tx, sellerId: string, drafts: Draft[]) {
  await tx
    .insertInto('products')
    .values(
      drafts.map(({ place, ...draft }) => ({
        ...{ ...draft, ...kindOf(draft), sellerId, isActive: false },
        createdAt: sql<Date>`now() - ${place} * interval '1 microsecond'`,
      })),
    )
    .execute()
}

/** Deletes the seller's drafts that were not changed since `addDrafts`. Returns their number. */
export async function deleteDrafts(tx: Tx, sellerId: string, ids: string[]): Promise<number> {
  const gone = await tx
    .deleteFrom('products')
    .where('id', 'in', ids)
    .where('sellerId', '=', sellerId)
    .where('isActive', '=', false)
    .where('withdrawnAt', 'is', null)
    .where('deletedAt', 'is', null)
    .where('version', '=', 1)
    .where('imageObjectId', 'is', null)
    .where((row) =>
      row.not(row.exists(row.selectFrom('productFiles').select('id').whereRef('productId', '=', 'products.id'))),
    )
    .returning('id')
    .execute()
  return gone.length
}
