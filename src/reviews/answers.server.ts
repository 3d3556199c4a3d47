import type pg from 'pg'
import { inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { deleteAnswer, type Review, saveAnswer } from './reviews.contract.ts'
import * as statements from './reviewAnswers.statements.server.ts'

const MISSING = new Failure(404, 'Not found')
const hidden = (why: string) => new Failure(409, `We have hidden your answer: ${why}`, 'answer_hidden')

const writes: Limit[] = [{ per: 'account', count: 30, seconds: 3600, isShared: true }]

/** Sellers answer reviews of their products, once each. */
export const answerRoutes: Route[] = [
  handle(saveAnswer, { limits: writes }, ({ id, text }, { user, db }) =>
    inTransaction(db, async (tx) => {
      await lockOpen(tx, id, user.id)
      const [written] = await statements.writeAnswer(tx, { id, text })
      if (!written) throw await refusalOf(tx, id, user.id)
      return written
    }),
  ),

  handle(deleteAnswer, { limits: writes }, ({ id }, { user, db }) =>
    inTransaction(db, async (tx) => {
      await lockOpen(tx, id, user.id)
      const { numDeletedRows } = await tx
        .deleteFrom('reviewAnswers')
        .where('reviewId', '=', id)
        .where('takenDown', 'is', null)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw await refusalOf(tx, id, user.id)
      return { id }
    }),
  ),
]

/** Locks a shown review of a product of the seller. Throws a Failure 404 for another one, and 409 after staff hid its answer. */
async function lockOpen(tx: Tx, id: string, sellerId: string) {
  const [review] = await statements.lockReview(tx, { id, sellerId })
  if (!review) throw MISSING
  if (review.takenDown !== null) throw hidden(review.takenDown)
}

/** Why a change of the answer found no row: staff hid the answer after `lockOpen`, or there is none. */
async function refusalOf(tx: Tx, id: string, sellerId: string): Promise<Failure> {
  const [review] = await statements.lockReview(tx, { id, sellerId })
  return review?.takenDown ? hidden(review.takenDown) : MISSING
}

/** Hides the answer with this text for `why`, or shows it again for null. Returns false if it changed since staff read it. */
export const setAnswerHidden = async (
  tx: Tx,
  answer: { id: string; text: string },
  why: string | null,
): Promise<boolean> => (await statements.hideAnswer(tx, { ...answer, why })).length > 0

/** Adds the answers that staff hid to the JSON of reviews, for the seller who wrote them. */
export async function addHiddenAnswers(pool: pg.Pool, json: string): Promise<string> {
  const reviews = JSON.parse(json) as Review[]
  const rows = await statements.listHiddenAnswers(pool, { ids: reviews.map(({ id }) => id) })
  const hidden = new Map(rows.map(({ reviewId, ...answer }) => [reviewId, answer]))
  return JSON.stringify(reviews.map((review) => ({ ...review, hiddenAnswer: hidden.get(review.id) ?? null })))
}

/** Deletes what an erased seller said to reviews. */
export const forgetReviewAnswersOf = (tx: Tx, sellerId: string) =>
  tx
    .deleteFrom('reviewAnswers')
    .where('reviewId', 'in', (query) =>
      query
        .selectFrom('reviews')
        .innerJoin('products', 'products.id', 'reviews.productId')
        .select('reviews.id')
        .where('products.sellerId', '=', sellerId),
    )
    .execute()
