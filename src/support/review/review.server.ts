import { sql } from 'kysely'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { only } from '../../kit/values/required.ts'
import type { Mind } from '../../assistant/answers/answer.server.ts'
import { deleteLesson, readLessons, saveLesson } from '../../assistant/answers/answers.statements.server.ts'
import type { Help } from '../../assistant/help/help.server.ts'
import { isVerbatim, lessonFrom, namesAsker } from './lesson.rules.ts'
import { listAnswers, listLessons, MANY_ANSWERS, markReviewed, teach, unteach } from './review.contract.ts'

export const answerReviewRoutes = (help: Help, mind: Pick<Mind, 'forgetLessons'> | null): Route[] => [
  handle(listAnswers, async ({ all, userId }, { db }) => readAnswers(db, all === 'yes', userId)),

  handle(markReviewed, async ({ questionId }, { user, db }) => {
    const { numUpdatedRows } = await db
      .updateTable('chatAnswers')
      .set({ reviewedAt: now, reviewedBy: user.id })
      .where('questionId', '=', questionId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Failure(404, 'Not found')
    return { isReviewed: true }
  }),

  handle(listLessons, (_, { db }) => readLessons(db, {})),

  handle(teach, async ({ question, questionId, slug, answer }, { user, db }) => {
    if ((slug === undefined) === (answer === undefined)) throw new Failure(400, 'Give an article or an answer.')
    if (slug !== undefined && help.bodyOf(slug) === undefined) throw new Failure(400, 'There is no such article.')
    const given = { slug: slug ?? null, answer: answer ?? null, staffId: user.id }
    await inTransaction(db, async (tx) => {
      const messageId = await messageOf(tx, question, questionId)
      const { id: lesson } = only(await saveLesson(tx, { question, messageId, ...given }))
      await recordAct(tx, { actorId: user.id, act: 'support.taught', details: { lesson } })
    })
    mind?.forgetLessons()
    return readLessons(db, {})
  }),

  handle(unteach, async ({ id }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      const [gone] = await deleteLesson(tx, { id })
      if (gone) await recordAct(tx, { actorId: user.id, act: 'support.taught', details: { forgotten: id } })
    })
    mind?.forgetLessons()
    return readLessons(db, {})
  }),
]

/** Returns the message whose words the lesson repeats, or null. Throws a 400 Failure if the lesson names a person. */
async function messageOf(tx: Tx, question: string, questionId: string | undefined): Promise<string | null> {
  const asked =
    questionId === undefined
      ? null
      : await tx
          .selectFrom('chatMessages as m')
          .innerJoin('users as u', 'u.id', 'm.userId')
          .select(['m.id', 'm.message', 'u.firstName', 'u.lastName'])
          .where('m.id', '=', questionId)
          .where('m.author', '=', 'user')
          // Locks the message until the lesson refers to it.
          .forShare('m')
          .executeTakeFirst()
  if (asked === undefined) throw new Failure(404, 'This question was deleted. Close it and open the page again.')
  if (namesAsker(question, asked ?? { firstName: null, lastName: null }))
    throw new Failure(400, 'Leave out names, addresses and numbers: every customer may get this answer.', 'personal')
  return asked && isVerbatim(question, asked.message) ? asked.id : null
}

async function readAnswers(db: Db, isAll: boolean, userId: string | undefined) {
  const rows = await db
    .selectFrom('chatAnswers as a')
    .innerJoin('chatMessages as q', 'q.id', 'a.questionId')
    .innerJoin('chatMessages as r', 'r.id', 'a.answerId')
    .innerJoin('users as u', 'u.id', 'a.userId')
    .select(['u.firstName', 'u.lastName'])
    .select(['a.questionId', 'a.userId', 'a.intent', 'a.confidence', 'a.tools', 'a.sources', 'a.model', 'a.dropped'])
    .select(['a.tookMs', 'a.rating', 'a.reason', 'a.startedAt', 'q.message as question', 'r.message as answer'])
    .select(sql<string>`to_char(a.cost_microdollars / 1000000.0, 'FM990.000000')`.as('cost'))
    .$call((some) => (userId !== undefined ? some.where('a.userId', '=', userId) : some))
    .$if(!isAll && userId === undefined, (some) =>
      some.where('a.reviewedAt', 'is', null).where(sql<boolean>`(a.confidence < 0.5 OR a.rating = -1)`),
    )
    .orderBy('a.startedAt', 'desc')
    .limit(MANY_ANSWERS)
    .execute()
  return rows.map(({ startedAt, firstName, lastName, ...row }) => ({
    ...row,
    lesson: lessonFrom(row.question, { firstName, lastName }),
    at: startedAt.toISOString(),
  }))
}
