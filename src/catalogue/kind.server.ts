import { type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { FIXED_ONLY } from './bundles/parts.store.server.ts'
import type { KindName } from './kinds.rules.ts'
import { removeStaleCuts } from './previews/staleCuts.server.ts'
import { readUse } from './product.statements.server.ts'
import { only } from '../kit/values/required.ts'

const SOLD = new Failure(
  409,
  'It was sold already, so buyers rely on what it is. Add another product for other goods.',
  'sold',
)

const FREE_FILE_ONLY = new Failure(409, 'Only a file can be free. Give it a price first.', 'free_file_only')

const VARIANTS_FIRST = new Failure(409, 'It has variants. Delete them first.', 'has_variants')

type Chosen = { sellerId: string; id: string; delivery: KindName }

/** Changes the kind of a product. Throws a Failure: 404 for another seller's product, 409 if sold or free. */
export const changeKind = (db: Db, { sellerId, id, delivery }: Chosen) =>
  inTransaction(db, async (tx) => {
    const product = await tx
      .selectFrom('products')
      .select(['delivery', 'priceCents', 'suggestedCents', 'hasVariants', 'variantOf'])
      .where('id', '=', id)
      .where('sellerId', '=', sellerId)
      .where('deletedAt', 'is', null)
      // the lock waits for checkouts that froze the old kind
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!product || product.variantOf) throw new Failure(404, 'Product not found')
    if (product.delivery === delivery) return
    if (product.hasVariants) throw VARIANTS_FIRST
    const use = only(await readUse(tx, { id }))
    if (use.isSold || use.isSoldBundle || use.isBundled) throw SOLD
    if (delivery === 'bundle' && product.suggestedCents !== null) throw FIXED_ONLY
    if (product.priceCents === 0 && delivery !== 'file') throw FREE_FILE_ONLY
    if (product.delivery === 'bundle') await tx.deleteFrom('bundleParts').where('bundleId', '=', id).execute()
    // a new bundle has no parts
    const isOutOfStock =
      delivery === 'bundle' || (delivery === 'code' && !use.hasCodeSource) || (delivery === 'course' && !use.hasLesson)
    await tx.updateTable('products').set({ delivery, isOutOfStock }).where('id', '=', id).execute()
    await removeStaleCuts(tx, id)
  })

/** True if a product for codes or lessons has neither these nor sales, so that a file may replace them. */
export async function isUnstocked(tx: Tx, id: string): Promise<boolean> {
  const { hasCodes, hasLesson, isSold } = only(await readUse(tx, { id }))
  return !hasCodes && !hasLesson && !isSold
}
