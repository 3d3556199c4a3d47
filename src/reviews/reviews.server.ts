import { sql } from 'kysely'
import { asPage, readCursor } from '../catalogue/shelf/cursor.server.ts'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, handleCached } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { only } from '../kit/values/required.ts'
import { addHiddenAnswers } from './answers.server.ts'
import {
  deleteReview,
  listOwnReviews,
  listPurchases,
  listReviews,
  listSellerReviews,
  saveReview,
} from './reviews.contract.ts'
import * as statements from './reviews.statements.server.ts'

const MANY = 10
const reads: Limit[] = [{ per: 'address', count: 120, seconds: 60 }]
const writes: Limit[] = [{ per: 'account', count: 30, seconds: 3600 }]

export const reviewRoutes = [
  handleCached(listReviews, {
    channels: ['reviews', 'catalogue'],
    limits: reads,
    load: async ({ id, limit = MANY, after }, { pool }) => {
      const page = only(await statements.readPage(pool, { productId: id, limit, ...keysOf(after) }))
      return page.isListed ? asPage(page, 'reviews', `/api/products/${id}/reviews`, { limit }) : null
    },
    otherwise: () => {
      throw new Failure(404, 'Product not found')
    },
  }),

  handle(
    listOwnReviews,
    { limits: [{ per: 'account', count: 60, seconds: 60 }] },
    async ({ id, limit = MANY, after }, { user, pool }) => {
      const page = only(await statements.readPage(pool, { productId: id, limit, ...keysOf(after) }))
      if (page.sellerId !== user.id) throw new Failure(404, 'Product not found')
      const json = await addHiddenAnswers(pool, page.json)
      return asPage({ ...page, json }, 'reviews', `/api/account/products/${id}/reviews`, { limit })
    },
  ),

  handleCached(listSellerReviews, {
    channels: ['reviews', 'catalogue'],
    limits: reads,
    load: async ({ handle: seller, limit = MANY, after }, { pool }) => {
      const page = only(await statements.readSellerPage(pool, { handle: seller, limit, ...keysOf(after) }))
      return page.isOpen ? asPage(page, 'reviews', `/api/sellers/${seller}/reviews`, { limit }) : null
    },
    otherwise: () => {
      throw new Failure(404, 'Seller not found')
    },
  }),

  handle(listPurchases, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, async ({ id }, { user, pool }) => {
    return asJson(only(await statements.readPurchases(pool, { userId: user.id, productId: id, lineId: null })).json)
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
          // saving an unchanged review is not an edit
          .where((row) => row.or([row('stars', '<>', stars), row('body', '<>', text)]))
          .execute()
    })
    const saved = only(await statements.readPurchases(pool, { userId: user.id, productId: null, lineId }))
    return asJson(saved.json.slice(1, -1))
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

const keysOf = (after: string | undefined): { at: number | null; id: string | null } => {
  const [at = null, id = null] = readCursor(after, 'reviews', ['number', 'id'])
  return { at: at === null ? null : Number(at), id: id === null ? null : String(id) }
}

/**
 * Locks and returns the member's visible review of a product. Throws a Failure 409 if staff hid a review of the member
 * or of the order line, because a new text would show it again.
 */
async function lockOwn(
  tx: Tx,
  { userId, productId, lineId }: { userId: string; productId: string; lineId: string },
): Promise<{ id: string } | undefined> {
  await statements.lockReviews(tx, { userId, productId })
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

async function productOf(tx: Tx, userId: string, lineId: string): Promise<string | undefined> {
  const line = await tx
    .selectFrom('orderLines')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .select(sql<string>`page_of(products)`.as('productId'))
    .where('orderLines.id', '=', lineId)
    .where('orders.userId', '=', userId)
    .executeTakeFirst()
  return line?.productId
}

/** Finds a line of a completed, not refunded order. Locks the order against refunds until the transaction ends. */
async function findReviewable(tx: Tx, userId: string, lineId: string) {
  const line = await tx
    .selectFrom('orderLines')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .innerJoin('products', 'products.id', 'orderLines.productId')
    .select(['orderLines.sellerId', 'orders.status', sql<string>`page_of(products)`.as('productId')])
    .where('orderLines.id', '=', lineId)
    // only the buyer of a gift may review it, not its recipient
    .where('orderLines.giftId', 'is', null)
    .where('orders.userId', '=', userId)
    .forShare('orders')
    .executeTakeFirst()
  if (!line) throw new Failure(404, 'Not found')
  if (line.status !== 'completed' && line.status !== 'refunded')
    throw new Failure(409, 'You can review a product after you’ve bought it.', 'not_bought')
  // a separate statement, so that it reads a refund that committed while the lock waited
  if (line.status === 'refunded' || !only(await statements.isBought(tx, { lineId })).isBought)
    throw new Failure(409, 'This purchase was refunded, so you can’t review it anymore.', 'refunded')
  if (line.sellerId === userId) throw new Failure(409, 'You can’t review your own product.', 'own_product')
  return line
}

/** Hides the reviews of refunded order lines in the transaction of the refund. */
export async function hideReviews(tx: Tx, orderLineIds: string[]) {
  if (orderLineIds.length === 0) return
  await tx
    .updateTable('reviews')
    .set({ hiddenAt: now })
    .where('orderLineId', 'in', orderLineIds)
    .where('hiddenAt', 'is', null)
    .execute()
}

/** Hides a review. `why` is the reason that its author reads. */
export const takeReviewDown = (tx: Tx, id: string, why: string) =>
  tx
    .updateTable('reviews')
    .set((row) => ({ takenDown: why, hiddenAt: row.fn.coalesce('hiddenAt', now) }))
    .where('id', '=', id)
    .execute()

/** Shows a hidden review again, unless its purchase was refunded or its author has another review of the product. */
export const restoreReview = (tx: Tx, id: string) => statements.restoreReview(tx, { id })

export type Sample = { productId: string; author: string; stars: number; text: string; createdAt: Date }

/** Adds reviews without a purchase to the demo store. Pages mark them as samples. */
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
