import { sql } from 'kysely'
import { codeOf, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { toCents } from '../kit/money.ts'
import { releaseUpload } from '../uploads/binding.server.ts'
import type { NewProduct } from './add-product/newProduct.contract.ts'
import type { KindName } from './kinds.rules.ts'
import { bindImage, findProduct, openImage, type Owner, refuseProgram } from './files.server.ts'

type Edit = NewProduct & { id: string; version: number; imageURL?: string | null | undefined }

/**
 * Saves the seller's edit of a product. Orders keep the title and price of their day. Throws a Failure: 404 for another
 * seller's product, 409 `changed` if `version` is not the saved one.
 */
export async function editProduct(owner: Owner, { id, version, imageURL, ...given }: Edit) {
  const { db, user } = owner
  const seller = { id: user.id, role: 'member' } as const
  const { imageObjectId } = await findProduct(db, id, seller)
  const image = imageURL ? await openImage(owner, imageURL, imageObjectId) : null
  await inTransaction(db, async (tx) => {
    const product = await findProduct(tx, id, seller, true)
    if (product.version !== version)
      throw new Failure(409, 'This product was changed elsewhere. Compare both versions and save again.', 'changed')
    if (given.categoryId !== product.categoryId && product.files.some(({ isProgram }) => isProgram))
      await refuseProgram(tx, given.categoryId)
    if (image) await bindImage(tx, user.id, product, image)
    if (imageURL === null && product.imageObjectId) {
      await tx.updateTable('products').set({ imageObjectId: null }).where('id', '=', id).execute()
      await releaseUpload(tx, product.imageObjectId)
    }
    const { title, description, price, categoryId } = given
    await tx
      .updateTable('products')
      .set({ title, description: description ?? '', priceCents: toCents(price), categoryId, version: version + 1 })
      .where('id', '=', id)
      .execute()
  }).catch(refuseCategory)
}

/** What a new product of a category sells; one of codes begins without stock. Only a file can be free. */
export const kindOf = ({ categoryId, priceCents }: { categoryId: string; priceCents: number }) =>
  priceCents === 0
    ? {}
    : {
        delivery: sql<KindName>`coalesce((SELECT delivery FROM categories WHERE id = ${categoryId}), 'file')`,
        isOutOfStock: sql<boolean>`EXISTS (SELECT FROM categories WHERE id = ${categoryId} AND delivery = 'code')`,
      }

/** Turns the missing category of a product into a Failure; throws any other error on. */
export function refuseCategory(error: unknown): never {
  if (codeOf(error) !== '23503') throw error
  throw new Failure(400, 'categoryId: Category is required', 'invalid', { details: { field: 'categoryId' } })
}
