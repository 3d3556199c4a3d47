import { readCursor, writeCursor, type Keys } from '../catalogue/shelf/cursor.server.ts'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, handleCached } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { deleteReview, listPurchases, listReviews, saveReview } from './reviews.contract.ts'
import { readPage, readPurchases } from './reviews.sql.server.ts'

const MANY = 10
const reads: Limit[] = [{ per: 'address', count: 120, seconds: 60 }]
const writes: Limit[] = [{ per: 'account', count: 30, seconds: 3600 }]

export const reviewRoutes = [
  handleCached(listReviews, {
    channels: ['reviews', 'catalogue'],
    limits: reads,
    load: async ({ id, limit = MANY, after }, { pool }) => {
      const keys = after === undefined ? [null, null] : readCursor(after, 'reviews', ['number', 'id'])
      const [page] = await readPage(pool, id, limit, keys[0], keys[1])
      if (!page!.is_listed) return null
      const next = page!.next && writeCursor('reviews', JSON.parse(page!.next) as Keys)
      const link = next && `</api/products/${id}/reviews?limit=${limit}&after=${next}>; rel="next"`
      return asJson(page!.json, { 'x-total-count': String(page!.total), ...(link && { link }) })
    },
    otherwise: () => {
      throw new Failure(404, 'Product not found')
    },
  }),

  handle(listPurchases, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, async ({ id }, { user, pool }) => {
    const [all] = await readPurchases(pool, user.id, id, null)
    return asJson(all!.json)
  }),

  handle(saveReview, { limits: writes }, async ({ lineId, stars, text }, { user, db, pool }) => {
    await inTransaction(db, async (tx) => {
      const { productId } = await findReviewable(tx, user.id, lineId)
      await tx
        .insertInto('reviews')
        .values({ productId, orderLineId: lineId, userId: user.id, stars, body: text })
        .onConflict((conflict) =>
          conflict
            .column('orderLineId')
            .doUpdateSet({ stars, body: text, editedAt: now })
            // saving an identical review is no edit
            .where((row) => row.or([row('reviews.stars', '<>', stars), row('reviews.body', '<>', text)])),
        )
        .execute()
    })
    const [saved] = await readPurchases(pool, user.id, null, lineId)
    return asJson(saved!.json.slice(1, -1))
  }),

  handle(deleteReview, { limits: writes }, async ({ lineId }, { user, db }) => {
    const { numDeletedRows } = await db
      .deleteFrom('reviews')
      .where('orderLineId', '=', lineId)
      .where('userId', '=', user.id)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Failure(404, 'Not found')
    return { lineId }
  }),
]

/** A line of the buyer's completed order. Locks the order against refunds until the transaction ends. */
async function findReviewable(tx: Tx, userId: string, lineId: string) {
  const line = await tx
    .selectFrom('orderLines')
    .innerJoin('orders', 'orders.id', 'orderLines.orderId')
    .select(['orderLines.productId', 'orderLines.sellerId', 'orders.status'])
    .where('orderLines.id', '=', lineId)
    .where('orders.userId', '=', userId)
    .forShare('orders')
    .executeTakeFirst()
  if (!line) throw new Failure(404, 'Not found')
  if (line.status === 'refunded')
    throw new Failure(409, 'This purchase was refunded, so you can’t review it anymore.', 'refunded')
  if (line.status !== 'completed')
    throw new Failure(409, 'You can review a product after you’ve bought it.', 'not_bought')
  if (line.sellerId === userId) throw new Failure(409, 'You can’t review your own product.', 'own_product')
  return line
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

/** Deletes every sample; returns their number. */
export async function removeSamples(db: Db): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('reviews').where('sampleAuthor', 'is not', null).executeTakeFirst()
  return Number(numDeletedRows)
}
