import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { addReport, findQuestion, findTakeDown, lockCase, saveAnswer } from './cases.store.server.ts'
import { answerTakeDown, getTakeDown, report } from './moderation.contract.ts'
import { answerQuestion } from './question.contract.ts'
import { reasonsFor } from './reasons.rules.ts'
import { required } from '../kit/values/required.ts'

const MISSING = new Failure(404, 'Not found')
const REPORT_DECIDED = new Failure(
  409,
  'We have looked at your report and decided. Message us if there is something new.',
  'report_decided',
)

/** Routes for members: report, and answer about their own products. */
export const reportRoutes: Route[] = [
  handle(
    report,
    { limits: [{ per: 'account', count: 20, seconds: 3600, isShared: true }] },
    async ({ id: reported, reviewId = null, reason, note }, { user, db }) => {
      if (!(reason in reasonsFor(reviewId !== null))) throw new Failure(400, 'reason: Choose a reason', 'invalid')
      await inTransaction(db, async (tx) => {
        // staff handle a variant with its product
        const id = await findPageId(tx, reported)
        await refuseUnseen(tx, user.id, id, reviewId)
        const isTaken = await addReport(tx, { userId: user.id, productId: id, reviewId, reason, note })
        if (!isTaken) throw REPORT_DECIDED
      })
      return {}
    },
  ),

  handle(getTakeDown, { limits: [{ per: 'account', count: 120, seconds: 60 }] }, ({ id }, { user, db }) =>
    takeDownOf(db, id, user.id),
  ),

  handle(
    answerTakeDown,
    { limits: [{ per: 'account', count: 10, seconds: 3600, isShared: true }] },
    ({ id, answer }, { user, db }) =>
      inTransaction(db, async (tx) => {
        const found = await findTakeDown(tx, id, user.id)
        if (!found || (await lockCase(tx, found.id))?.decision !== 'taken_down') throw MISSING
        await saveAnswer(tx, found.id, answer)
        return takeDownOf(tx, id, user.id)
      }),
  ),

  handle(
    answerQuestion,
    { limits: [{ per: 'account', count: 10, seconds: 3600, isShared: true }] },
    ({ id, answer }, { user, db }) =>
      inTransaction(db, async (tx) => {
        const found = await findQuestion(tx, id, user.id)
        const isOpen = found && (await lockCase(tx, found.id))?.decision === null
        if (!isOpen) throw MISSING
        await saveAnswer(tx, found.id, answer)
        const answerBy = required(found.answerBy, 'the deadline of the question')
        return { question: required(found.question, 'the question'), answerBy: answerBy.toISOString(), answer }
      }),
  ),
]

async function findPageId(tx: Tx, id: string): Promise<string> {
  const product = await tx.selectFrom('products').select('variantOf').where('id', '=', id).executeTakeFirst()
  return product?.variantOf ?? id
}

/** Members can report only products that are listed or that they bought, and visible reviews. */
async function refuseUnseen(tx: Tx, userId: string, productId: string, reviewId: string | null) {
  const product = await tx
    .selectFrom('products')
    .select((row) => [
      'sellerId',
      'isListed',
      row
        .exists(
          row
            .selectFrom('entitlements')
            .where('userId', '=', userId)
            .where(sql<boolean>`product_id = ANY (ARRAY (SELECT w.id FROM with_variants(products.id) w))`),
        )
        .as('isBought'),
    ])
    .where('id', '=', productId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!product || !(product.isListed || product.isBought)) throw MISSING
  if (!reviewId && product.sellerId === userId) throw new Failure(409, 'This is your own product.', 'own_product')
  if (!reviewId) return
  const review = await tx
    .selectFrom('reviews')
    .select('userId')
    .where('id', '=', reviewId)
    .where('productId', '=', productId)
    .where('hiddenAt', 'is', null)
    .executeTakeFirst()
  if (!review) throw MISSING
  if (review.userId === userId) throw new Failure(409, 'This is your own review.', 'own_review')
}

async function takeDownOf(db: Db | Tx, productId: string, sellerId: string) {
  const found = await findTakeDown(db, productId, sellerId)
  if (!found) throw MISSING
  const at = required(found.at, 'the time of the take-down')
  return { why: required(found.why, 'the reason of the take-down'), at: at.toISOString(), answer: found.answer }
}
