import { codeOf, type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { releaseUpload } from '../uploads/binding.server.ts'

type Own = { sellerId: string; id: string }

// foreign key violations: 23001 since PostgreSQL 18, 23503 in earlier versions
const REFERRED = new Set(['23001', '23503'])

/**
 * Deletes a product with its files. Archives it instead if an order, review, code or cart references it: buyers retain
 * their goods, and carts show that it is gone. Throws a Failure 404 unless the seller owns it.
 */
export async function deleteProduct(db: Db, own: Own): Promise<'deleted' | 'archived'> {
  try {
    const isDeleted = await inTransaction(db, (tx) => eraseRow(tx, own))
    if (isDeleted) return 'deleted'
  } catch (error) {
    if (!REFERRED.has(codeOf(error))) throw error
  }
  await inTransaction(db, async (tx) => {
    await lockOwn(tx, own)
    const gone = { deletedAt: now, isActive: false, featuredRank: null }
    await tx.updateTable('products').set(gone).where('id', '=', own.id).execute()
  })
  return 'archived'
}

/** Returns false for a product in a cart, because the deletion would silently remove the line. */
async function eraseRow(tx: Tx, own: Own): Promise<boolean> {
  const { id, imageObjectId } = await lockOwn(tx, own)
  const inCart = await tx.selectFrom('cartItems').select('id').where('productId', '=', id).limit(1).executeTakeFirst()
  if (inCart) return false
  await tx.updateTable('products').set({ fileId: null, moreFileIds: [] }).where('id', '=', id).execute()
  const files = await tx.deleteFrom('productFiles').where('productId', '=', id).returning('objectId').execute()
  const previews = await tx.deleteFrom('productPreviews').where('productId', '=', id).returning('objectId').execute()
  await tx.deleteFrom('products').where('id', '=', id).execute()
  for (const uploadId of [imageObjectId, ...[...files, ...previews].map(({ objectId }) => objectId)])
    if (uploadId) await releaseUpload(tx, uploadId)
  return true
}

async function lockOwn(tx: Tx, { sellerId, id }: Own) {
  const product = await tx
    .selectFrom('products')
    .select(['id', 'imageObjectId'])
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    // a variant is deleted with its product or in the variant list
    .where('variantOf', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!product) throw new Failure(404, 'Product not found')
  return product
}
