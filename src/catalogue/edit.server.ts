import { sql } from 'kysely'
import { codeOf, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { toCents } from '../kit/money.ts'
import { releaseUpload } from '../uploads/binding.server.ts'
import type { AskedProduct } from './add-product/newProduct.contract.ts'
import { FIXED_ONLY, refuseBundlePrice } from './bundles/parts.store.server.ts'
import type { KindName } from './kinds.rules.ts'
import { bindImage, findProduct, openImage, type Owner, refuseProgram } from './files.server.ts'
import { type Asking, askingProblems } from './price/asking.rules.ts'

type Edit = AskedProduct & { id: string; version: number; imageURL?: string | null | undefined }

/**
 * Saves the seller's edit of a product. Orders retain their title and price. Throws a Failure: 404 for another seller's
 * product, 409 `changed` if `version` is not the stored one.
 */
export async function editProduct(owner: Owner, { id, version, imageURL, ...given }: Edit) {
  const { db, user } = owner
  const seller = { id: user.id, role: 'member' } as const
  const { imageObjectId } = await findProduct(db, id, seller)
  const image = imageURL ? await openImage(owner, imageURL, imageObjectId) : null
  await inTransaction(db, async (tx) => {
    const product = await findProduct(tx, id, seller, true)
    if (product.variantOf) throw new Failure(404, 'Product not found')
    if (product.version !== version)
      throw new Failure(409, 'This product was changed elsewhere. Compare both versions and save again.', 'changed')
    if (given.categoryId !== product.categoryId && product.files.some(({ isProgram }) => isProgram))
      await refuseProgram(tx, given.categoryId)
    if (image) await bindImage(tx, user.id, product, image)
    if (imageURL === null && product.imageObjectId) {
      await tx.updateTable('products').set({ imageObjectId: null }).where('id', '=', id).execute()
      await releaseUpload(tx, product.imageObjectId)
    }
    const { title, description, categoryId, ...asking } = given
    const cents = askingCents(asking)
    if (cents.priceCents === 0 && product.delivery !== 'file') throw FILES_ONLY
    if (product.delivery === 'bundle') await refuseBundlePrice(tx, id, cents)
    await tx
      .updateTable('products')
      // a product with variants gets its price from them
      .set({
        title,
        description: description ?? '',
        ...(!product.hasVariants && cents),
        categoryId,
        version: version + 1,
      })
      .where('id', '=', id)
      .execute()
  }).catch(refuseCategory)
}

/** The initial kind of a new product in a category. Codes and lessons are added later. Only a file can be free. */
export const kindOf = ({ categoryId, priceCents }: { categoryId: string; priceCents: number }) =>
  priceCents === 0
    ? {}
    : {
        delivery: sql<KindName>`coalesce((SELECT delivery FROM categories WHERE id = ${categoryId}), 'file')`,
        isOutOfStock: sql<boolean>`EXISTS (SELECT FROM categories WHERE id = ${categoryId} AND delivery IN ('code', 'course'))`,
      }

/** The columns of a kind that the seller chose for a new product. Throws a Failure 409 if the price does not fit. */
export function chosenKind(delivery: KindName, cents: { priceCents: number; suggestedCents: number | null }) {
  if (cents.priceCents === 0 && delivery !== 'file') throw FILES_ONLY
  if (delivery === 'bundle' && cents.suggestedCents !== null) throw FIXED_ONLY
  return { delivery, isOutOfStock: delivery === 'code' || delivery === 'course' || delivery === 'bundle' }
}

const FILES_ONLY = new Failure(409, 'Only files can be free: codes and keys need a payment.', 'free_file_only', {
  details: { field: 'price' },
})

const wrong = (field: string, message: string) =>
  new Failure(400, `${field}: ${message}`, 'invalid', { details: { field } })

/** Converts the seller's price and suggestion to columns. Throws a Failure if they do not fit. */
export function askingCents(asking: Asking) {
  const [problem] = Object.entries(askingProblems(asking))
  if (problem) throw wrong(...problem)
  const { price, suggested = null } = asking
  return { priceCents: toCents(price), suggestedCents: suggested === null ? null : toCents(suggested) }
}

/** Add Product requires a price. Only an edit can make a draft free, because the editor explains the consequences. */
export function refuseFree({ price, suggested }: Asking) {
  if (toCents(price) === 0 && !suggested) throw wrong('price', 'Price must be a positive number')
}

/** Converts the error of a missing category to a Failure. Rethrows other errors. */
export function refuseCategory(error: unknown): never {
  if (codeOf(error) !== '23503') throw error
  throw new Failure(400, 'categoryId: Category is required', 'invalid', { details: { field: 'categoryId' } })
}
