import type pg from 'pg'
import type { Config } from '../kit/config.server.ts'
import type { Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, handleCached, type JsonText, type Route, type User } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import {
  arrangeFiles,
  createProduct,
  getProduct,
  listCategories,
  listProducts,
  setProductFiles,
  suggestProducts,
} from './catalogue.contract.ts'
import { fileDraftRoute } from './add-product/fileDraft.server.ts'
import { unfinishedRoutes } from './add-product/unfinished.server.ts'
import { DEFAULT_DEVICES } from './kinds.rules.ts'
import icons from './categories/icons.json' with { type: 'json' }
import { setArrangement } from './arrangement.server.ts'
import { askingCents, chosenKind, kindOf, refuseCategory, refuseFree } from './edit.server.ts'
import { type Owner, setFiles } from './files.server.ts'
import { previewRoutes } from './previews/previews.server.ts'
import * as statements from './product.statements.server.ts'
import { readProducts } from './shelf/list.server.ts'
import { openSuggestions } from './shelf/suggestions.server.ts'
import { relistProducts } from './standing.store.server.ts'
import { only, required } from '../kit/values/required.ts'

export type CatalogueOptions = Pick<Owner, 'refuseUnstampable'> & {
  storage: Storage
  config: Pick<Config, 'publicUrl'>
  publicUrl?: string | undefined
}

const channels = ['catalogue']
// ratings on cards change with reviews
const cards = [...channels, 'reviews']
const reads: Limit[] = [{ per: 'address', count: 120, seconds: 60 }]
// corrections are slow to compute
const suggestions: Limit[] = [{ per: 'address', count: 20, seconds: 60 }]
// a pointer near a card preloads its product
const detailReads: Limit[] = [{ per: 'address', count: 300, seconds: 60 }]

export function catalogueRoutes({
  storage,
  config,
  publicUrl = config.publicUrl,
  refuseUnstampable,
}: CatalogueOptions): Route[] {
  const suggest = openSuggestions()
  return [
    handleCached(listCategories, { channels, limits: reads, load: (_, { pool }) => readCategories(pool) }),

    handleCached(listProducts, {
      channels: cards,
      limits: reads,
      load: (asked, { pool }) => readProducts(pool, asked),
    }),

    handleCached(suggestProducts, {
      channels: cards,
      limits: suggestions,
      load: ({ q }, { pool }) => suggest(pool, q),
    }),

    handleCached(getProduct, {
      channels: cards,
      limits: detailReads,
      // the public response is shared, so `isMine` is false even for the seller
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
      async ({ title, description, isDraft = false, categoryId, delivery, ...asking }, { user, db, pool }) => {
        if (!isDraft) refuseFree(asking)
        const product = { categoryId, title, description: description ?? '', ...askingCents(asking) }
        const kind = delivery ? chosenKind(delivery, product) : kindOf(product)
        const { id } = await db
          .insertInto('products')
          .values({ ...product, ...kind, sellerId: user.id, isActive: !isDraft })
          .returning('id')
          .executeTakeFirstOrThrow()
          .catch(refuseCategory)
        return required(await readProduct(pool, id, user), 'the product')
      },
    ),

    handle(
      setProductFiles,
      // enough to fill a product with files and replace some
      { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
      async ({ putsOnSale = false, ...given }, caller) => {
        await setFiles({ storage, publicUrl, refuseUnstampable, ...caller }, given)
        if (putsOnSale) await relistProducts(caller.db, { sellerId: caller.user.id, ids: [given.id] })
        return required(await readProduct(caller.pool, given.id, caller.user), 'the product')
      },
    ),

    handle(
      arrangeFiles,
      { limits: [{ per: 'account', count: 120, seconds: 3600, isShared: true }] },
      async ({ id, files, removedId }, { db, pool, user }) => {
        await setArrangement(db, user.id, { id, files, removedId })
        return required(await readProduct(pool, id, user), 'the product')
      },
    ),

    fileDraftRoute({ storage, publicUrl, refuseUnstampable }),
    ...unfinishedRoutes({ storage, publicUrl }),
    ...previewRoutes({ storage, publicUrl }),
  ]
}

export type Buyable = statements.FindBuyableRow

/**
 * Finds and locks products until the transaction ends. Omits deleted ones. Bundles come first, then ids in order: every
 * transaction locks them in this order.
 */
export const findBuyable = async (tx: Tx, ids: string[]): Promise<Buyable[]> =>
  ids.length === 0 ? [] : statements.findBuyable(tx, { ids })

const ICONS = JSON.stringify(icons)

async function readCategories(pool: pg.Pool): Promise<JsonText> {
  return asJson(only(await statements.readCategories(pool, { icons: ICONS })).json)
}

/** Why a product is not listed, as shown to its seller. The reason of staff is appended. */
const UNLISTED_REASONS = JSON.stringify({
  taken_down: 'We took it off sale. ',
  suspended: 'You can’t sell at the moment. We emailed you the reason.',
  part_off_sale: 'A product of this bundle is not for sale at the moment. It goes on sale again with all of them.',
  no_variant: 'No variant is for sale. Add the goods of one, or put one back on sale.',
  no_lesson: 'Add at least one lesson. Your course goes on sale as soon as it has one.',
  no_code: 'Add at least one code. Your product goes on sale as soon as it has one.',
  no_file: 'Add the file buyers will get. Your product goes on sale as soon as it is uploaded.',
  draft: 'This is a draft. You put it on sale in My Products.',
  withdrawn: 'You took it off sale.',
})

/**
 * Reads a product for the viewer or the public. Null if it is deleted, or unlisted and another's. A variant id returns
 * the variant's product.
 */
export async function readProduct(pool: pg.Pool, id: string, viewer?: User): Promise<JsonText | null> {
  const [product] = await statements.readProduct(pool, {
    id,
    viewerId: viewer?.id ?? null,
    isAdmin: viewer?.role === 'admin',
    reasons: UNLISTED_REASONS,
    defaultDevices: DEFAULT_DEVICES,
  })
  return product ? asJson(product.json) : null
}
