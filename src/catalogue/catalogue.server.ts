import type { Config } from '../kit/config.server.ts'
import { codeOf, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, handleCached, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { toCents } from '../kit/money.ts'
import type { Storage } from '../uploads/storage.server.ts'
import {
  createProduct,
  getProduct,
  listCategories,
  listOwnProducts,
  listProducts,
  MANY_OWN,
  setProductFiles,
} from './catalogue.contract.ts'
import { setFiles } from './files.server.ts'
import { readCategories, readOwn, readProduct } from './product.server.ts'
import { asPage, readCursor } from './shelf/cursor.server.ts'
import { readProducts } from './shelf/list.server.ts'

export type CatalogueOptions = { storage: Storage; config: Pick<Config, 'publicUrl'>; publicUrl?: string | undefined }

const channels = ['catalogue']
const reads: Limit[] = [{ per: 'address', count: 120, seconds: 60 }]
// a pointer near a card preloads its product
const detailReads: Limit[] = [{ per: 'address', count: 300, seconds: 60 }]

export function catalogueRoutes({ storage, config, publicUrl = config.publicUrl }: CatalogueOptions): Route[] {
  return [
    handleCached(listCategories, { channels, limits: reads, load: (_, { pool }) => readCategories(pool) }),

    handleCached(listProducts, { channels, limits: reads, load: (asked, { pool }) => readProducts(pool, asked) }),

    handleCached(getProduct, {
      channels: [...channels, 'reviews'],
      limits: detailReads,
      // the public answer is shared, so `isMine` is false even for the seller
      load: ({ id }, { pool }) => readProduct(pool, id),
      otherwise: async ({ id }, { pool, user }) => {
        const product = user && (await readProduct(pool, id, user))
        if (!product) throw new Failure(404, 'Product not found')
        return product
      },
    }),

    handle(
      createProduct,
      { limits: [{ per: 'account', count: 10, seconds: 3600, isShared: true }] },
      async ({ title, description, price, categoryId }, { user, db, pool }) => {
        const { id } = await db
          .insertInto('products')
          .values({ sellerId: user.id, categoryId, title, description: description ?? '', priceCents: toCents(price) })
          .returning('id')
          .executeTakeFirstOrThrow()
          .catch((error: unknown) => {
            if (codeOf(error) !== '23503') throw error
            throw new Failure(400, 'categoryId: Category is required', 'invalid', { details: { field: 'categoryId' } })
          })
        return (await readProduct(pool, id, user))!
      },
    ),

    handle(
      listOwnProducts,
      { limits: [{ per: 'account', count: 60, seconds: 60 }] },
      async ({ limit = MANY_OWN, after }, { user, pool }) => {
        const [created = null, id = null] = readCursor(after, 'own', ['number', 'id'])
        const [page] = await readOwn(pool, user.id, limit, created, id)
        return asPage(page!, 'own', '/api/account/products', { limit })
      },
    ),

    handle(
      setProductFiles,
      { limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }] },
      async ({ id, imageURL, digitalFileURL }, caller) => {
        await setFiles({ storage, publicUrl, ...caller }, { id, imageURL, digitalFileURL })
        return (await readProduct(caller.pool, id, caller.user))!
      },
    ),
  ]
}

/**
 * The current products of these ids, in the order of their ids. Locked until the transaction ends, so that no price or
 * file changes while an order is written. Deleted products are missing.
 */
export async function findBuyable(tx: Tx, ids: string[]) {
  if (ids.length === 0) return []
  return tx
    .selectFrom('products')
    .select(['id', 'title', 'priceCents', 'sellerId', 'delivery', 'fileId', 'isListed'])
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
}

/** Takes all products of a seller off sale. Buyers keep their files. */
export async function withdrawProductsOf(tx: Tx, sellerId: string) {
  await tx
    .updateTable('products')
    .set({ isActive: false, updatedAt: now })
    .where('sellerId', '=', sellerId)
    .where('isActive', '=', true)
    .execute()
}
