import { sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '../kit/config.server.ts'
import { statement, type Tx } from '../kit/database.server.ts'
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
import { PARTS } from './bundles/parts.sql.server.ts'
import icons from './categories/icons.json' with { type: 'json' }
import { setArrangement } from './arrangement.server.ts'
import { askingCents, kindOf, refuseCategory, refuseFree } from './edit.server.ts'
import { type Owner, setFiles } from './files.server.ts'
import { previewRoutes } from './previews/previews.server.ts'
import { IS_SOLD_OUT, PRODUCT_FIELDS, STANDING_FIELDS } from './product.sql.server.ts'
import { readProducts } from './shelf/list.server.ts'
import { openSuggestions } from './shelf/suggestions.server.ts'
import { VARIANTS } from './variants/variants.sql.server.ts'

export type CatalogueOptions = Pick<Owner, 'refuseUnstampable'> & {
  storage: Storage
  config: Pick<Config, 'publicUrl'>
  publicUrl?: string | undefined
}

const channels = ['catalogue']
// cards show ratings
const cards = [...channels, 'reviews']
const reads: Limit[] = [{ per: 'address', count: 120, seconds: 60 }]
// a correction takes a while
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
      async ({ title, description, isDraft = false, categoryId, ...asking }, { user, db, pool }) => {
        if (!isDraft) refuseFree(asking)
        const product = { categoryId, title, description: description ?? '', ...askingCents(asking) }
        const { id } = await db
          .insertInto('products')
          .values({ ...product, ...kindOf(product), sellerId: user.id, isActive: !isDraft })
          .returning('id')
          .executeTakeFirstOrThrow()
          .catch(refuseCategory)
        return (await readProduct(pool, id, user))!
      },
    ),

    handle(
      setProductFiles,
      // enough to fill a product with files and to replace some
      { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
      async (given, caller) => {
        await setFiles({ storage, publicUrl, refuseUnstampable, ...caller }, given)
        return (await readProduct(caller.pool, given.id, caller.user))!
      },
    ),

    handle(
      arrangeFiles,
      { limits: [{ per: 'account', count: 120, seconds: 3600, isShared: true }] },
      async ({ id, files, removedId }, { db, pool, user }) => {
        await setArrangement(db, user.id, { id, files, removedId })
        return (await readProduct(pool, id, user))!
      },
    ),

    ...previewRoutes({ storage, publicUrl }),
  ]
}

const soldFileId = sql<string | null>`sold_file(p)`
const soldMoreFileIds = sql<string[]>`sold_more_files(p)`

export type Buyable = Awaited<ReturnType<typeof findBuyable>>[number]

/**
 * The products of these ids, locked until the transaction ends. Deleted products are missing. Bundles come first, then the
 * others by id: in this order every transaction locks them.
 */
export async function findBuyable(tx: Tx, ids: string[]) {
  if (ids.length === 0) return []
  return tx
    .selectFrom('products as p')
    .innerJoin('categories as c', 'c.id', 'p.categoryId')
    .select([
      'p.id',
      'title',
      'priceCents',
      'suggestedCents',
      sql<number>`min_cents(p, (SELECT count(*) FROM bundle_parts k WHERE k.bundle_id = p.id))`.as('leastCents'),
      'sellerId',
      'categoryId',
      'p.delivery',
      soldFileId.as('fileId'),
      soldMoreFileIds.as('moreFileIds'),
      'isOnSale',
      'variantOf',
      'hasVariants',
      sql<boolean>`c.is_cash OR EXISTS (SELECT FROM bundle_parts k JOIN products q ON q.id = k.product_id
        JOIN categories d ON d.id = q.category_id WHERE k.bundle_id = p.id AND d.is_cash)`.as('isCash'),
    ])
    .where('p.id', 'in', ids)
    .where('deletedAt', 'is', null)
    .orderBy(sql`p.delivery <> 'bundle'`)
    .orderBy('p.id')
    .forShare(['p'])
    .execute()
}

type Json = { json: string }

async function readCategories(pool: pg.Pool): Promise<JsonText> {
  const [all] = await categories(pool, JSON.stringify(icons))
  return asJson(all!.json)
}

/**
 * A product as the viewer or the public sees it; null when it is deleted, or unlisted and another's. The id of a variant
 * leads to its product.
 */
export async function readProduct(pool: pg.Pool, id: string, viewer?: User): Promise<JsonText | null> {
  const [product] = await productStatement(pool, id, viewer?.id ?? null, viewer?.role === 'admin')
  return product ? asJson(product.json) : null
}

const categories = statement<Json, [icons: string]>(
  'categories',
  `SELECT json_agg(json_build_object('id', c.id, 'name', c.name, 'productCount', coalesce(n.count, 0),
    'icon', $1::jsonb -> c.icon) ORDER BY c.position)::text AS json
  FROM categories c LEFT JOIN listed_products n ON n.category_id = c.id`,
)

const starsOf = (rating: string) =>
  `json_build_array(${[1, 2, 3, 4, 5].map((stars) => `coalesce(${rating}.stars_${stars}, 0)`).join(', ')})`

const productStatement = statement<Json, [id: string, viewerId: string | null, isAdmin: boolean]>(
  'product',
  `SELECT json_build_object(${PRODUCT_FIELDS}, ${STANDING_FIELDS},
    'sellerId', p.seller_id, 'delivery', p.delivery,
    'hasPreviews', EXISTS (SELECT FROM product_previews v WHERE v.product_id = p.id),
    'sellerHandle', (SELECT s.handle FROM storefronts s WHERE s.user_id = p.seller_id AND s.opened_at IS NOT NULL),
    'file', CASE WHEN f.id IS NOT NULL AND p.delivery = 'file' THEN
      json_build_object('name', f.file_name, 'contentType', f.content_type, 'sizeBytes', f.size_bytes) END,
    'stampsPdf', p.stamps_pdf,
    'moreFiles', (SELECT coalesce(json_agg(m.file_name ORDER BY s.n), '[]')
      FROM unnest(p.more_file_ids) WITH ORDINALITY s (id, n) JOIN product_files m ON m.id = s.id WHERE p.delivery = 'file'),
    'totalBytes', (SELECT coalesce(sum(m.size_bytes), 0)::bigint FROM product_files m
      WHERE m.id = ANY (p.file_id || p.more_file_ids) AND p.delivery = 'file'),
    'variants', ${VARIANTS}, 'parts', ${PARTS},
    'isMine', coalesce(p.seller_id = $2::uuid, false),
    'rating', json_build_object('product', ${starsOf('r')}, 'store', ${starsOf('s')}, 'samples', coalesce(s.samples, 0),
      'productSamples', coalesce(r.samples, 0))
    )::text AS json
  FROM products p
  LEFT JOIN ratings r ON r.product_id = p.id LEFT JOIN store_rating s ON s.id
  LEFT JOIN product_files f ON f.product_id = p.id AND f.id = p.file_id
  WHERE p.id = coalesce((SELECT variant_of FROM products WHERE id = $1::uuid), $1::uuid)
    AND p.deleted_at IS NULL AND (p.is_listed OR ${IS_SOLD_OUT} OR p.seller_id = $2::uuid OR $3::boolean)`,
)
