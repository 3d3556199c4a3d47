import { setTakenDown } from '../catalogue/offSale.server.ts'
import { recordAct } from '../identity/audit/audit.server.ts'
import { type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { asJson, handle, type Route } from '../kit/handle.server.ts'
import { setAnswerHidden } from '../reviews/answers.server.ts'
import { restoreReview, takeReviewDown } from '../reviews/reviews.server.ts'
import {
  type Case,
  decideCase,
  lockCase,
  readCases,
  saveQuestion,
  setWorker,
  settleAnswer,
} from './cases.store.server.ts'
import { readCaseFile } from './reportCases.statements.server.ts'
import {
  askSeller,
  CASES_AT_ONCE,
  closeCase,
  judgeAnswer,
  listCases,
  readCase,
  restore,
  takeCase,
  takeDown,
} from './moderation.contract.ts'
import { mailMember, type Mailing } from '../notifications/mail/caseMail.server.ts'
import { mailAnswerJudged, mailKept, mailReporters, mailRestored, mailTakenDown } from './case.mails.server.ts'
import { REASONS, reasonsFor, wordsOf } from './reasons.rules.ts'

const MISSING = new Failure(404, 'Not found')
const DECIDED = new Failure(409, 'Another member of staff was faster. Please look again.', 'case_decided')
const ANSWER_CHANGED = new Failure(409, 'The answer changed meanwhile. Please read it again.', 'answer_changed')
const TAKEN = new Failure(409, 'Another member of staff works on this case.', 'case_taken')
const OWN = new Failure(403, 'This is about you. Another member of staff decides.', 'own_case')

export const moderationRoutes = (mailing: Mailing): Route[] => [
  handle(listCases, ({ state, limit = CASES_AT_ONCE, after }, { user, pool }) =>
    readCases(pool, { state, limit, after, readerId: user.id }),
  ),

  handle(readCase, async ({ id }, { user, pool }) => {
    const [file] = await readCaseFile(pool, { id, readerId: user.id })
    if (!file) throw MISSING
    return asJson(file.json)
  }),

  handle(takeCase, ({ id, isMine }, { user, db }) =>
    change(db, id, user.id, async (tx, found) => {
      const { takenBy } = found
      if (takenBy !== null && takenBy !== user.id && user.role !== 'admin') throw TAKEN
      if (isMine === (takenBy === user.id)) return
      await setWorker(tx, id, isMine ? user.id : null)
      const act = isMine ? 'report.taken' : 'report.released'
      await recordAct(tx, { actorId: user.id, act, subjectId: subjectOf(found) })
    }),
  ),

  handle(askSeller, ({ id, message, days }, { user, db }) =>
    decide(db, id, user.id, async (tx, found) => {
      if (found.review) throw new Failure(409, 'Only the seller of a product can be asked.', 'review_case')
      if (found.decision !== null || found.down !== null) throw DECIDED
      if (found.isAsked) throw new Failure(409, 'The seller has been asked and has time to answer.', 'asked')
      const until = await saveQuestion(tx, id, message, days)
      await setWorker(tx, id, user.id)
      const day = until.toISOString().slice(0, 10)
      await recordAct(tx, {
        actorId: user.id,
        act: 'report.asked',
        subjectId: subjectOf(found),
        details: { until: day },
      })
      await mailMember(tx, mailing, found.sellerId, {
        key: `asked:${id}:${until.getTime()}`,
        subject: 'We have a question about your product',
        lines: [
          `A member reported “${found.title}”. Before we decide, we would like to hear from you: ${message}`,
          `Please answer by ${day}. Your product stays on sale until we decide.`,
        ],
        action: { label: 'Answer', path: `/my-products/${found.productId}` },
      })
    }),
  ),

  handle(takeDown, ({ id, reason, message }, { user, db }) =>
    decide(db, id, user.id, async (tx, found) => {
      if (!(reason in reasonsFor(found.review !== null))) throw new Failure(400, 'reason: Choose a reason', 'invalid')
      if (found.down !== null) throw DECIDED
      const why = wordsOf(reason, message)
      if (found.review) await takeReviewDown(tx, found.review.id, why)
      else await setTakenDown(tx, found.productId, why)
      await decideCase(tx, id, user.id, 'taken_down')
      const act = found.review ? 'review.hidden' : 'product.taken_down'
      await recordAct(tx, { actorId: user.id, act, subjectId: subjectOf(found), details: { reason: REASONS[reason]! } })
      await mailTakenDown(tx, mailing, found, why)
      await mailReporters(tx, mailing, found)
    }),
  ),

  handle(judgeAnswer, ({ id, text, isHidden, message }, { user, db }) =>
    decide(db, id, user.id, async (tx, found) => {
      if (!found.review) throw DECIDED
      const isDone = await setAnswerHidden(tx, { id: found.review.id, text }, isHidden ? message : null)
      if (!isDone) throw ANSWER_CHANGED
      const act = isHidden ? 'review.answer_hidden' : 'review.answer_restored'
      await recordAct(tx, { actorId: user.id, act, subjectId: found.review.id })
      await mailAnswerJudged(tx, mailing, found, { isHidden, message })
    }),
  ),

  handle(closeCase, ({ id }, { user, db }) =>
    decide(db, id, user.id, async (tx, found) => {
      if (!found.isWaiting) throw DECIDED
      await recordAct(tx, { actorId: user.id, act: 'report.closed', subjectId: subjectOf(found) })
      if (found.decision !== null) return void (await settleAnswer(tx, id))
      await decideCase(tx, id, user.id, 'kept')
      await mailReporters(tx, mailing, found)
      if (found.question !== null) await mailKept(tx, mailing, found)
    }),
  ),

  handle(restore, ({ id }, { user, db }) =>
    decide(db, id, user.id, async (tx, found) => {
      if (found.down === null || found.decision !== 'taken_down') throw DECIDED
      if (found.review) await restoreReview(tx, found.review.id)
      else await setTakenDown(tx, found.productId, null)
      await decideCase(tx, id, user.id, 'restored')
      const act = found.review ? 'review.restored' : 'product.restored'
      await recordAct(tx, { actorId: user.id, act, subjectId: subjectOf(found) })
      await mailRestored(tx, mailing, found)
    }),
  ),
]

const subjectOf = ({ productId, review }: Case) => review?.id ?? productId

type Act = (tx: Tx, found: Case) => Promise<void>

/** Only the member of staff who took a waiting case can decide it. */
const decide = (db: Db, id: string, actorId: string, act: Act) =>
  change(db, id, actorId, async (tx, found) => {
    if (found.isWaiting && found.takenBy !== null && found.takenBy !== actorId) throw TAKEN
    await act(tx, found)
  })

async function change(db: Db, id: string, actorId: string, act: Act) {
  await inTransaction(db, async (tx) => {
    const found = await lockCase(tx, id)
    if (!found) throw MISSING
    if (found.sellerId === actorId || found.review?.authorId === actorId) throw OWN
    await act(tx, found)
  })
  return {}
}
