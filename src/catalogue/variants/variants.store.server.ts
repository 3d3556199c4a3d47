import { sql } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { toCents } from '../../kit/money.ts'
import { only } from '../../kit/values/required.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { readVariantUse } from './variant.statements.server.ts'
import { type AskedVariant, isFaultless, variantProblems } from './variants.rules.ts'

// Stores the variants of a product. Triggers copy its texts to them and their lowest price to it.

const CHANGED = new Failure(409, 'This product was changed elsewhere. Load the page again to go on.', 'changed')
const FIXED_ONLY = new Failure(409, 'Variants have fixed prices. Set a fixed price first.', 'fixed_price_only')
const NO_BUNDLE = new Failure(409, 'A bundle has no variants.', 'is_bundle')
const NO_COURSE = new Failure(409, 'A course has no variants: its lessons belong to one price.', 'is_course')
const IN_BUNDLE = new Failure(409, 'It is in a bundle. Take it out there first.', 'in_bundle')

type SaveVariantsInput = { sellerId: string; id: string; version: number; variants: AskedVariant[] }

/**
 * Saves the whole variant list in order. The product's codes move to the first variant with its price. Throws a
 * Failure: 404 for another seller's product, 409 `changed` for a stale version or unknown variant, `sold` if a missing
 * one was sold or has codes.
 */
export const saveVariants = (db: Db, { sellerId, id, version, variants }: SaveVariantsInput) =>
  inTransaction(db, async (tx) => {
    const product = await lockProduct(tx, sellerId, id)
    if (product.version !== version) throw CHANGED
    if (product.delivery === 'bundle') throw NO_BUNDLE
    if (product.delivery === 'course') throw NO_COURSE
    if (product.suggestedCents !== null) throw FIXED_ONLY
    const problems = variantProblems(variants, { mayBeFree: product.delivery === 'file' })
    if (!isFaultless(problems))
      throw new Failure(400, 'Look at the names and prices.', 'invalid', { details: { problems } })
    const own = await tx
      .selectFrom('products')
      .select(['id', 'variantName'])
      .where('variantOf', '=', id)
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const isFirst = own.length === 0 && variants.length > 0
    if (isFirst && only(await readVariantUse(tx, { id })).isBundled) throw IN_BUNDLE
    const ids: string[] = []
    const known = new Set(own.map((one) => one.id))
    const kept = new Set(variants.flatMap((one) => one.id ?? []))
    if ([...kept].some((one) => !known.has(one)) || kept.size < variants.filter((one) => one.id).length) throw CHANGED
    for (const gone of own.filter((one) => !kept.has(one.id))) await deleteVariant(tx, gone.id, gone.variantName!)
    for (const [position, { id: variantId, name, price, isActive }] of variants.entries()) {
      const words = { variantName: name.trim(), priceCents: toCents(price), variantPosition: position, isActive }
      if (variantId) {
        ids.push(variantId)
        await tx
          .updateTable('products')
          .set({ ...words, withdrawnAt: isActive ? null : sql`coalesce(withdrawn_at, now())` })
          .where('id', '=', variantId)
          .execute()
      } else {
        const made = await tx
          .insertInto('products')
          .values({
            ...{ ...words, variantOf: id, sellerId, title: product.title, categoryId: product.categoryId },
            ...{ delivery: product.delivery, isOutOfStock: product.delivery === 'code' },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        ids.push(made.id)
      }
    }
    const at = variants.findIndex(({ price }) => toCents(price) === product.priceCents)
    // Read last, because codes may have arrived in the meantime.
    if (isFirst && at === -1 && only(await readVariantUse(tx, { id })).hasOpenCodes)
      throw new Failure(
        409,
        `It has codes of ${usd(product.priceCents)}. One variant must have this price, to take them.`,
        'codes_without_variant',
      )
    const takesCodes = isFirst && product.delivery === 'code' && at !== -1
    await tx
      .updateTable('products')
      .set({ version: version + 1, ...(takesCodes && { codesTo: ids[at]! }) })
      .where('id', '=', id)
      .execute()
  })

async function lockProduct(tx: Tx, sellerId: string, id: string) {
  const product = await tx
    .selectFrom('products')
    .select(['version', 'delivery', 'priceCents', 'suggestedCents', 'title', 'categoryId'])
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .where('variantOf', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!product) throw new Failure(404, 'Product not found')
  return product
}

/** Deletes a variant but leaves its row for carts. Throws a Failure 409 if it was sold, has codes or is in a bundle. */
async function deleteVariant(tx: Tx, id: string, name: string) {
  const { isSold, hasValidCodes, isBundled } = only(await readVariantUse(tx, { id }))
  const why = isSold ? 'was sold' : hasValidCodes ? 'has codes' : isBundled ? 'is in a bundle' : null
  if (why) throw new Failure(409, `“${name}” ${why}, so it can’t be deleted. Take it off sale instead.`, 'sold')
  await tx.updateTable('products').set({ deletedAt: now, isActive: false }).where('id', '=', id).execute()
}
