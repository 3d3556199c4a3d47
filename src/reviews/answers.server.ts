import { inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { only } from '../kit/values/required.ts'
import { deleteAnswer, saveAnswer } from './reviews.contract.ts'
import * as statements from './reviewAnswers.statements.server.ts'

const writes: Limit[] = [{ per: 'account', count: 30, seconds: 3600 }]

/** Sellers answer reviews of their products, once each. */
export const answerRoutes: Route[] = [
  handle(saveAnswer, { limits: writes }, ({ id, text }, { user, db }) =>
    inTransaction(db, async (tx) => {
      await lockOpen(tx, id, user.id)
      return only(await statements.writeAnswer(tx, { id, text }))
    }),
  ),

  handle(deleteAnswer, { limits: writes }, ({ id }, { user, db }) =>
    inTransaction(db, async (tx) => {
      await lockOpen(tx, id, user.id)
      const { numDeletedRows } = await tx.deleteFrom('reviewAnswers').where('reviewId', '=', id).executeTakeFirst()
      if (numDeletedRows === 0n) throw new Failure(404, 'Not found')
      return { id }
    }),
  ),
]

/** Locks a shown review of a product of the seller. Throws a Failure 404 for another one, and 409 after staff hid its answer. */
async function lockOpen(tx: Tx, id: string, sellerId: string) {
  const [review] = await statements.lockReview(tx, { id, sellerId })
  if (!review) throw new Failure(404, 'Not found')
  if (review.takenDown !== null)
    throw new Failure(409, `We have hidden your answer: ${review.takenDown}`, 'answer_hidden')
}

/** Hides the answer to a review for `why`, or shows it again for null. Answers false if it stands so already. */
export const setAnswerHidden = async (tx: Tx, id: string, why: string | null): Promise<boolean> =>
  (await statements.hideAnswer(tx, { id, why })).length > 0
