import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { bindUpload, releaseUpload } from '../../uploads/binding.server.ts'
import { isPlain, type StoredDesign } from './design.rules.ts'

const NOT_YOURS = new Failure(409, 'Choose one of your products.', 'not_yours', { details: { field: 'featuredId' } })

export async function readHeaderId(db: Db | Tx, userId: string): Promise<string | null> {
  const design = await db
    .selectFrom('storefrontDesigns')
    .select('headerObjectId')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return design?.headerObjectId ?? null
}

/**
 * Saves the design of a seller's page. `header` is a new picture, null for none, or undefined to leave the picture. The
 * caller holds the lock of the member. Throws a Failure 409 for a featured product of another seller.
 */
export async function putDesign(
  tx: Tx,
  userId: string,
  { links, featuredId, ...design }: StoredDesign,
  header: { id: string } | null | undefined,
) {
  if (featuredId !== null) await refuseForeign(tx, userId, featuredId)
  const before = await readHeaderId(tx, userId)
  const headerObjectId = header === undefined ? before : (header?.id ?? null)
  if (header) await bindUpload(tx, { userId, id: header.id, isImage: true })
  await tx.deleteFrom('storefrontLinks').where('userId', '=', userId).execute()
  if (headerObjectId === null && isPlain({ ...design, links, featuredId }))
    await tx.deleteFrom('storefrontDesigns').where('userId', '=', userId).execute()
  else {
    const values = { ...design, headerObjectId, featuredProductId: featuredId, updatedAt: now }
    await tx
      .insertInto('storefrontDesigns')
      .values({ userId, ...values })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
      .execute()
    if (links.length > 0)
      await tx
        .insertInto('storefrontLinks')
        .values(links.map(({ label, url }, i) => ({ userId, position: i + 1, label, url: new URL(url).href })))
        .execute()
  }
  if (before !== null && before !== headerObjectId) await releaseUpload(tx, before)
}

async function refuseForeign(tx: Tx, userId: string, productId: string) {
  const own = await tx
    .selectFrom('products')
    .select('id')
    .where('id', '=', productId)
    .where('sellerId', '=', userId)
    .where('variantOf', 'is', null)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!own) throw NOT_YOURS
}

/** Deletes the design of an erased account and releases its picture. */
export async function forgetDesignOf(tx: Tx, userId: string) {
  const gone = await tx
    .deleteFrom('storefrontDesigns')
    .where('userId', '=', userId)
    .returning('headerObjectId')
    .executeTakeFirst()
  if (gone?.headerObjectId) await releaseUpload(tx, gone.headerObjectId)
}
