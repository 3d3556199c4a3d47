import { type Db, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { only } from '../../kit/values/required.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { countParts } from './bundle.statements.server.ts'

// Stores the parts of a bundle. Triggers take a bundle off sale with any of its parts.

const CHANGED = new Failure(409, 'This product was changed elsewhere. Load the page again to go on.', 'changed')
export const FIXED_ONLY = new Failure(409, 'A bundle has a fixed price. Set one first.', 'fixed_price_only')
const UNFIT = new Failure(
  409,
  'Choose products of your own: no bundles, and one variant of those that have some.',
  'unfit',
)

type SavePartsInput = { sellerId: string; id: string; version: number; partIds: string[] }

/** Replaces the parts. Throws a Failure: 404 for another's or no bundle, 409 for a stale version or unfit parts. */
export const saveParts = (db: Db, { sellerId, id, version, partIds }: SavePartsInput) =>
  inTransaction(db, async (tx) => {
    const bundle = await tx
      .selectFrom('products')
      .select(['version', 'priceCents'])
      .where('id', '=', id)
      .where('sellerId', '=', sellerId)
      .where('delivery', '=', 'bundle')
      .where('deletedAt', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!bundle) throw new Failure(404, 'Product not found')
    if (bundle.version !== version) throw CHANGED
    refuseTooCheap(bundle.priceCents, partIds.length)
    // serializes with transactions that take a part off sale
    const fitting = await tx
      .selectFrom('products')
      .select('id')
      .where('id', 'in', partIds)
      .where('sellerId', '=', sellerId)
      .where('deletedAt', 'is', null)
      .where('delivery', '<>', 'bundle')
      .where('hasVariants', '=', false)
      .orderBy('id')
      .forShare()
      .execute()
    if (fitting.length < partIds.length) throw UNFIT
    await tx.deleteFrom('bundleParts').where('bundleId', '=', id).execute()
    await tx
      .insertInto('bundleParts')
      .values(partIds.map((productId, position) => ({ bundleId: id, productId, position })))
      .execute()
    await tx
      .updateTable('products')
      .set({ version: version + 1 })
      .where('id', '=', id)
      .execute()
  })

/** A bundle has a fixed price of at least a cent per part. */
export async function refuseBundlePrice(
  tx: Tx,
  id: string,
  { priceCents, suggestedCents }: { priceCents: number; suggestedCents: number | null },
) {
  if (suggestedCents !== null) throw FIXED_ONLY
  refuseTooCheap(priceCents, only(await countParts(tx, { id })).count)
}

function refuseTooCheap(priceCents: number, count: number) {
  if (priceCents >= count) return
  throw new Failure(409, `A bundle of ${count} products costs ${usd(count)} at least.`, 'too_cheap', {
    details: { field: 'price' },
  })
}
