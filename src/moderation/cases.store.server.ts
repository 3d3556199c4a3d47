import { sql } from 'kysely'
import type pg from 'pg'
import { asPage, readCursor } from '../catalogue/shelf/cursor.server.ts'
import { type Db, now, type Tx } from '../kit/database.server.ts'
import * as statements from './reportCases.statements.server.ts'
import type { CaseState } from './moderation.contract.ts'
import { only } from '../kit/values/required.ts'

export type Case = {
  id: string
  decision: string | null
  isWaiting: boolean
  productId: string
  title: string
  sellerId: string
  takenBy: string | null
  question: string | null
  isAsked: boolean
  down: string | null
  review: { id: string; authorId: string | null } | null
}

export async function lockCase(tx: Tx, id: string): Promise<Case | undefined> {
  const row = await tx
    .selectFrom('reportCases as c')
    .innerJoin('products as p', 'p.id', 'c.productId')
    .leftJoin('reviews as r', 'r.id', 'c.reviewId')
    .select(['c.id', 'c.decision', 'c.isWaiting', 'c.productId', 'c.reviewId', 'p.title', 'p.sellerId'])
    .select(['p.takenDown as productDown', 'r.takenDown as reviewDown', 'r.userId as authorId', 'c.question'])
    .select([
      sql<string | null>`(SELECT w.id FROM staff_member w WHERE w.id = c.taken_by)`.as('takenBy'),
      sql<boolean>`coalesce(c.answer_by > now() AND c.answered_at IS NULL, false)`.as('isAsked'),
    ])
    .where('c.id', '=', id)
    .forUpdate(['c', 'p'])
    .executeTakeFirst()
  if (!row) return undefined
  const { reviewId, productDown, reviewDown, authorId, ...rest } = row
  return { ...rest, down: reviewId ? reviewDown : productDown, review: reviewId ? { id: reviewId, authorId } : null }
}

export const setWorker = (tx: Tx, id: string, takenBy: string | null) =>
  tx.updateTable('reportCases').set({ takenBy }).where('id', '=', id).execute()

export async function saveQuestion(tx: Tx, id: string, question: string, days: number): Promise<Date> {
  const answerBy = sql<Date>`now() + ${days} * interval '1 day'`
  const asked = await tx
    .updateTable('reportCases')
    .set({ question, answerBy, answer: null, answeredAt: null })
    .where('id', '=', id)
    .returning('answerBy')
    .executeTakeFirstOrThrow()
  return asked.answerBy!
}

export const decideCase = (tx: Tx, id: string, decidedBy: string, decision: 'kept' | 'taken_down' | 'restored') =>
  tx
    .updateTable('reportCases')
    .set({ decision, decidedBy, decidedAt: now, isWaiting: false, takenBy: decidedBy })
    .$if(decision === 'taken_down', (query) => query.set({ answer: null, answeredAt: null }))
    .where('id', '=', id)
    .execute()

export const settleAnswer = (tx: Tx, id: string) =>
  tx.updateTable('reportCases').set({ isWaiting: false }).where('id', '=', id).execute()

/** Adds a report to the open case, or opens one. Returns false if staff decided about an earlier report. */
export async function addReport(
  tx: Tx,
  said: { userId: string; productId: string; reviewId: string | null; reason: string; note: string },
): Promise<boolean> {
  const { userId, productId, reviewId, reason, note } = said
  const former = await tx
    .selectFrom('reports')
    .innerJoin('reportCases', 'reportCases.id', 'reports.caseId')
    .select('reportCases.decision')
    .where('reports.userId', '=', userId)
    .where('reports.productId', '=', productId)
    .where('reports.reviewId', 'is not distinct from', reviewId)
    .forUpdate()
    .executeTakeFirst()
  if (former?.decision) return false
  const { id: caseId } = await tx
    .insertInto('reportCases')
    .values({ productId, reviewId })
    .onConflict((conflict) =>
      conflict.columns(['productId', 'reviewId']).where('decision', 'is', null).doUpdateSet({ lastAt: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('reports')
    .values({ ...said, caseId })
    .onConflict((conflict) => conflict.columns(['userId', 'productId', 'reviewId']).doUpdateSet({ reason, note }))
    .execute()
  return true
}

export const readReporters = (tx: Tx, caseId: string) =>
  tx
    .selectFrom('reports')
    .innerJoin('users', 'users.id', 'reports.userId')
    .select(['reports.id', 'users.email'])
    .where('reports.caseId', '=', caseId)
    .execute()

/** Clears the answers of an erased seller. Reports of the member are deleted with the account. */
export const forgetAnswersOf = (tx: Tx, userId: string) =>
  tx
    .updateTable('reportCases')
    .set({ answer: '' })
    .where('answer', 'is not', null)
    .where('productId', 'in', tx.selectFrom('products').select('id').where('sellerId', '=', userId))
    .execute()

export const findTakeDown = (db: Db | Tx, productId: string, sellerId: string) =>
  db
    .selectFrom('reportCases as c')
    .innerJoin('products as p', 'p.id', 'c.productId')
    .select(['c.id', 'p.takenDown as why', 'c.decidedAt as at', 'c.answer'])
    .where('c.productId', '=', productId)
    .where('c.reviewId', 'is', null)
    .where('c.decision', '=', 'taken_down')
    .where('p.sellerId', '=', sellerId)
    .where('p.takenDown', 'is not', null)
    .where('p.deletedAt', 'is', null)
    .orderBy('c.decidedAt', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findQuestion = (db: Db | Tx, productId: string, sellerId: string) =>
  db
    .selectFrom('reportCases as c')
    .innerJoin('products as p', 'p.id', 'c.productId')
    .select(['c.id', 'c.question', 'c.answerBy', 'c.answer'])
    .where('c.productId', '=', productId)
    .where('c.decision', 'is', null)
    .where('c.question', 'is not', null)
    .where('p.sellerId', '=', sellerId)
    .where('p.deletedAt', 'is', null)
    .executeTakeFirst()

export const saveAnswer = (tx: Tx, caseId: string, answer: string) =>
  tx
    .updateTable('reportCases')
    .set({ answer, answeredAt: now, lastAt: now, isWaiting: true })
    .where('id', '=', caseId)
    .execute()

type CasesQuery = { state: CaseState; limit: number; after?: string | undefined; readerId: string }

export async function readCases(pool: pg.Pool, { state, limit, after, readerId }: CasesQuery) {
  const [isFirst = null, at = null, id = null] = readCursor(after, 'cases', ['number', 'number', 'id'])
  const page = only(
    await statements.readPage(pool, {
      isWaiting: state !== 'closed',
      limit,
      isFirst: isFirst === null ? null : isFirst === 1,
      at: at === null ? null : Number(at),
      id: id === null ? null : String(id),
      takenBy: state === 'mine' ? readerId : null,
    }),
  )
  return asPage(page, 'cases', '/api/admin/reports', { state, limit })
}
