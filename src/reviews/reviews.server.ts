import { sql } from 'kysely'
import { IS_SALE, shownName } from '../catalogue/product.sql.server.ts'
import { pageOf, withVariants } from '../catalogue/variants/variants.sql.server.ts'
import { asPage, type Page, readCursor } from '../catalogue/shelf/cursor.server.ts'
import { type Db, inTransaction, now, statement, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, handleCached } from '../kit/handle.server.ts'
import { isoOf } from '../kit/sql/json.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import {
  deleteReview,
  listOwnReviews,
  listPurchases,
  listReviews,
  listSellerReviews,
  saveReview,
} from './reviews.contract.ts'

const MANY = 10
const reads: Limit[] = [{ per: 'address', count: 120, seconds: 60 }]
const writes: Limit[] = [{ per: 'account', count: 30, seconds: 3600 }]

export const reviewRoutes = [
  handleCached(listReviews, {
    channels: ['reviews', 'catalogue'],
    limits: reads,
    load: async ({ id, limit = MANY, after }, { pool }) => {
      const [page] = await readPage(pool, id, limit, ...keysOf(after))
      return page!.is_listed ? asPage(page!, 'reviews', `/api/products/${id}/reviews`, { limit }) : null
    },
    otherwise: () => {
      throw new Failure(404, 'Product not found')
    },
  }),

  handle(
    listOwnReviews,
    { limits: [{ per: 'account', count: 60, seconds: 60 }] },
    async ({ id, limit = MANY, after }, { user, pool }) => {
      const [page] = await readPage(pool, id, limit, ...keysOf(after))
      if (page!.seller_id !== user.id) throw new Failure(404, 'Product not found')
      return asPage(page!, 'reviews', `/api/account/products/${id}/reviews`, { limit })
    },
  ),

  handleCached(listSellerReviews, {
    channels: ['reviews', 'catalogue'],
    limits: reads,
    load: async ({ handle: seller, limit = MANY, after }, { pool }) => {
      const [page] = await readSellerPage(pool, seller, limit, ...keysOf(after))
      return page!.is_open ? asPage(page!, 'reviews', `/api/sellers/${seller}/reviews`, { limit }) : null
    },
    otherwise: () => {
      throw new Failure(404, 'Seller not found')
    },
  }),

  handle(listPurchases, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, async ({ id }, { user, pool }) => {
    const [all] = await readPurchases(pool, user.id, id, null)
    return asJson(all!.json)
  }),

  handle(saveReview, { limits: writes }, async ({ lineId, stars, text }, { user, db, pool }) => {
    await inTransaction(db, async (tx) => {
      const { productId } = await findReviewable(tx, user.id, lineId)
      const own = await lockOwn(tx, { userId: user.id, productId, lineId })
      if (!own)
        await tx
          .insertInto('reviews')
          .values({ productId, orderLineId: lineId, userId: user.id, stars, body: text })
          // the order line can have a hidden review, or a review of a former account
          .onConflict((line) =>
            line
              .column('orderLineId')
              .doUpdateSet({ userId: user.id, stars, body: text, editedAt: now, hiddenAt: null }),
          )
          .execute()
      else
        await tx
          .updateTable('reviews')
          .set({ stars, body: text, editedAt: now })
          .where('id', '=', own.id)
          // an unchanged review is not edited
          .where((row) => row.or([row('stars', '<>', stars), row('body', '<>', text)]))
          .execute()
    })
    const [saved] = await readPurchases(pool, user.id, null, lineId)
    return asJson(saved!.json.slice(1, -1))
  }),

  handle(deleteReview, { limits: writes }, async ({ lineId }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      const productId = await productOf(tx, user.id, lineId)
      const own = productId && (await lockOwn(tx, { userId: user.id, productId, lineId }))
      const { numDeletedRows } = await tx
        .deleteFrom('reviews')
        .where((row) => row.or([row('orderLineId', '=', lineId), ...(own ? [row('id', '=', own.id)] : [])]))
        .where('userId', '=', user.id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw new Failure(404, 'Not found')
    })
    return { lineId }
  }),
]

/** SQL condition: the review `n` is shown, or hidden by staff. A review that a refund hid does not count. */
export const IS_OWN = '(n.hidden_at IS NULL OR n.taken_down IS NOT NULL)'

const keysOf = (after: string | undefined): [at: unknown, id: unknown] => {
  const [at = null, id = null] = readCursor(after, 'reviews', ['number', 'id'])
  return [at, id]
}

/**
 * Locks and returns the member's visible review of a product. Throws a Failure 409 if staff hid a review of the member or of the order
 * line, because a new text would show it again.
 */
async function lockOwn(
  tx: Tx,
  { userId, productId, lineId }: { userId: string; productId: string; lineId: string },
): Promise<{ id: string } | undefined> {
  // serialises two first reviews from two purchases at the same time
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`review ${userId} ${productId}`}, 0))`.execute(tx)
  const reviews = await tx
    .selectFrom('reviews')
    .select(['id', 'userId', 'takenDown', 'hiddenAt'])
    .where((row) => row.or([row.and({ userId, productId }), row('orderLineId', '=', lineId)]))
    .forUpdate()
    .execute()
  if (reviews.some(({ takenDown }) => takenDown !== null))
    throw new Failure(409, 'We have hidden this review, so it can’t be changed.', 'review_hidden')
  return reviews.find((review) => review.hiddenAt === null && review.userId === userId)
}

/** Returns the product of a line that the member bought. */
async function productOf(tx: Tx, userId: string, lineId: string): Promise<string | undefined> {
  const line = await tx
    .selectFrom('orderLines')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .select(sql<string>`${sql.raw(pageOf('products'))}`.as('productId'))
    .where('orderLines.id', '=', lineId)
    .where('orders.userId', '=', userId)
    .executeTakeFirst()
  return line?.productId
}

/** A review as JSON; reads `reviews AS r` and the buyer's `users AS u`. */
const FIELDS = `'id', r.id, 'author', coalesce(r.sample_author, ${shownName('u', 'A buyer')}),
  'stars', r.stars, 'text', r.body, 'createdAt', ${isoOf('r.created_at')}, 'editedAt', ${isoOf('r.edited_at')},
  'isSample', r.sample_author IS NOT NULL,
  'isFree', EXISTS (SELECT FROM order_lines b WHERE b.id = r.order_line_id AND b.price_cents * b.quantity = b.discount_cents)`
const REVIEW = `json_build_object(${FIELDS})`

/** The newest shown reviews of a product after the cursor. */
const newestOf = (productId: string) => `SELECT * FROM reviews
  WHERE product_id = ${productId} AND hidden_at IS NULL AND ($4::uuid IS NULL OR
    (created_at, id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid))
  ORDER BY created_at DESC, id DESC LIMIT $2::int + 1`

const COUNT = 'stars_1 + stars_2 + stars_3 + stars_4 + stars_5'
const PAGE = `page AS (SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS n FROM hits)`
const NEXT = `CASE WHEN count(*) > $2 THEN
  max(json_build_array((extract(epoch FROM r.created_at) * 1000000)::bigint, r.id)::text) FILTER (WHERE n = $2) END`

type ProductPage = Page & { is_listed: boolean; seller_id: string | null }

/** A page of a product's reviews: one index lookup, with a total that triggers maintain. */
const readPage = statement<ProductPage, [productId: string, limit: number, at: unknown, id: unknown]>(
  'reviews_page',
  `WITH hits AS MATERIALIZED (${newestOf('$1')}), ${PAGE}
  SELECT EXISTS (SELECT FROM products WHERE id = $1 AND is_listed) AS is_listed,
    (SELECT seller_id FROM products WHERE id = $1 AND deleted_at IS NULL) AS seller_id,
    coalesce(json_agg(${REVIEW} ORDER BY n) FILTER (WHERE n <= $2), '[]')::text AS json,
    coalesce((SELECT ${COUNT} FROM ratings WHERE product_id = $1), 0) AS total, ${NEXT} AS next
  FROM page r LEFT JOIN users u ON u.id = r.user_id`,
)

/** A page of the reviews of what a seller has on sale: one index lookup for each reviewed product. */
const readSellerPage = statement<
  Page & { is_open: boolean },
  [handle: string, limit: number, at: unknown, id: unknown]
>(
  'reviews_seller_page',
  `WITH seller AS (SELECT s.user_id AS id FROM seller_handles h JOIN storefronts s USING (user_id)
      WHERE h.handle = $1 AND s.opened_at IS NOT NULL),
    goods AS MATERIALIZED (SELECT p.id, p.title, ${COUNT} AS reviews FROM products p JOIN ratings t ON t.product_id = p.id
      WHERE p.seller_id = (SELECT id FROM seller) AND p.is_listed),
    hits AS MATERIALIZED (SELECT r.*, g.title FROM goods g CROSS JOIN LATERAL (${newestOf('g.id')}) r
      WHERE g.reviews > 0 ORDER BY r.created_at DESC, r.id DESC LIMIT $2::int + 1), ${PAGE}
  SELECT EXISTS (SELECT FROM seller) AS is_open,
    coalesce(json_agg(json_build_object(${FIELDS}, 'product', json_build_object('id', r.product_id, 'title', r.title)) ORDER BY n)
      FILTER (WHERE n <= $2), '[]')::text AS json,
    (SELECT coalesce(sum(reviews), 0) FROM goods) AS total, ${NEXT} AS next
  FROM page r LEFT JOIN users u ON u.id = r.user_id`,
)

/** Returns purchases whose money was not returned, each with the member's review of the product. */
const readPurchases = statement<{ json: string }, [userId: string, productId: string | null, lineId: string | null]>(
  'reviews_purchases',
  `SELECT coalesce(json_agg(json_build_object('lineId', l.id, 'orderId', o.id, 'boughtAt', ${isoOf('o.completed_at')},
      'delivery', CASE WHEN e.revoked_at IS NULL THEN l.delivery END,
      'review', CASE WHEN r.id IS NOT NULL THEN ${REVIEW} END, 'takenDown', r.taken_down) ORDER BY o.completed_at DESC, l.id), '[]')::text AS json
  FROM orders o JOIN order_lines l ON l.order_id = o.id JOIN entitlements e ON e.order_line_id = l.id AND ${IS_SALE}
  JOIN products p ON p.id = l.product_id
  LEFT JOIN LATERAL (SELECT * FROM reviews n WHERE n.user_id = $1 AND n.product_id = ${pageOf('p')} AND ${IS_OWN}
    ORDER BY n.hidden_at NULLS FIRST LIMIT 1) r ON true
  LEFT JOIN users u ON u.id = r.user_id
  WHERE o.user_id = $1 AND o.status = 'completed' AND l.seller_id <> $1 AND l.gift_id IS NULL
    AND ($2::uuid IS NULL OR l.product_id = ${withVariants('$2::uuid')}) AND ($3::uuid IS NULL OR l.id = $3::uuid)`,
)

/** Finds a line of a completed order that was not refunded. Locks the order against refunds until the transaction ends. */
async function findReviewable(tx: Tx, userId: string, lineId: string) {
  const line = await tx
    .selectFrom('orderLines')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .select(['orderLines.sellerId', 'orders.status', sql<string>`${sql.raw(pageOf('products'))}`.as('productId')])
    .where('orderLines.id', '=', lineId)
    // reviews are the buyers'
    .where('orderLines.giftId', 'is', null)
    .where('orders.userId', '=', userId)
    .forShare('orders')
    .executeTakeFirst()
  if (!line) throw new Failure(404, 'Not found')
  if (line.status !== 'completed' && line.status !== 'refunded')
    throw new Failure(409, 'You can review a product after you’ve bought it.', 'not_bought')
  // a separate statement, so that it reads a refund that committed while the lock waited
  if (line.status === 'refunded' || !(await isBought(tx, lineId)))
    throw new Failure(409, 'This purchase was refunded, so you can’t review it anymore.', 'refunded')
  if (line.sellerId === userId) throw new Failure(409, 'You can’t review your own product.', 'own_product')
  return line
}

/** SQL condition: the line `l` was bought, and no refund of the line or the order returned its money. */
const BOUGHT = (line: string) =>
  `EXISTS (SELECT FROM entitlements e JOIN order_lines l ON l.id = e.order_line_id JOIN orders o ON o.id = l.order_id
    WHERE l.id = ${line} AND o.status = 'completed' AND ${IS_SALE})`

async function isBought(tx: Tx, lineId: string): Promise<boolean> {
  const { rows } = await sql<{ isBought: boolean }>`SELECT ${sql.raw(BOUGHT('m.id'))} AS is_bought
    FROM order_lines m WHERE m.id = ${lineId}::uuid`.execute(tx)
  return rows[0]!.isBought
}

/** A refund ends the right to a review: hides the reviews of these order lines in the transaction of the refund. */
export async function hideReviews(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('reviews')
    .set({ hiddenAt: now })
    .where('orderLineId', 'in', orderLineIds)
    .where('hiddenAt', 'is', null)
    .execute()
}

/** Hides a review for `why`, in the words that its author reads. */
export const takeReviewDown = (tx: Tx, id: string, why: string) =>
  tx
    .updateTable('reviews')
    .set((row) => ({ takenDown: why, hiddenAt: row.fn.coalesce('hiddenAt', now) }))
    .where('id', '=', id)
    .execute()

/** Shows a hidden review again, unless its purchase was refunded or its author has another review of the product. */
export const restoreReview = (tx: Tx, id: string) =>
  tx
    .updateTable('reviews')
    .set({
      takenDown: null,
      hiddenAt: sql<Date | null>`CASE WHEN NOT ${sql.raw(BOUGHT('reviews.order_line_id'))}
        OR EXISTS (SELECT FROM reviews n WHERE n.user_id = reviews.user_id AND n.product_id = reviews.product_id
          AND n.id <> reviews.id AND n.hidden_at IS NULL) THEN hidden_at END`,
    })
    .where('id', '=', id)
    .execute()

export type Sample = { productId: string; author: string; stars: number; text: string; createdAt: Date }

/** Adds reviews without a purchase to the demo store. They are shown as samples. */
export async function addSamples(db: Db, samples: Sample[]) {
  await db
    .insertInto('reviews')
    .values(
      samples.map(({ productId, author, stars, text, createdAt }) => ({
        productId,
        sampleAuthor: author,
        stars,
        body: text,
        createdAt,
      })),
    )
    .execute()
}

export async function removeSamples(db: Db): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('reviews').where('sampleAuthor', 'is not', null).executeTakeFirst()
  return Number(numDeletedRows)
}
