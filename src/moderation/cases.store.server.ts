import { sql } from 'kysely'
import type pg from 'pg'
import { shownName } from '../catalogue/product.sql.server.ts'
import { asPage, type Page, readCursor } from '../catalogue/shelf/cursor.server.ts'
import { type Db, now, statement, type Tx } from '../kit/database.server.ts'
import { decimalOf, isoOf } from '../kit/sql/json.server.ts'
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

/** Who works on case `c`: former staff works on none. */
const WORKER = `users w WHERE w.id = c.taken_by AND w.erased_at IS NULL AND w.role IN ('support', 'admin')`

export async function lockCase(tx: Tx, id: string): Promise<Case | undefined> {
  const row = await tx
    .selectFrom('reportCases as c')
    .innerJoin('products as p', 'p.id', 'c.productId')
    .leftJoin('reviews as r', 'r.id', 'c.reviewId')
    .select(['c.id', 'c.decision', 'c.isWaiting', 'c.productId', 'c.reviewId', 'p.title', 'p.sellerId'])
    .select(['p.takenDown as productDown', 'r.takenDown as reviewDown', 'r.userId as authorId', 'c.question'])
    .select([
      sql<string | null>`(SELECT id FROM ${sql.raw(WORKER)})`.as('takenBy'),
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

/** Joins the open case of the thing, or opens one. Returns false if staff have decided about an earlier report of the member. */
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

/** Empties what an erased seller answered. Reports of the member are deleted with the account. */
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

const BRIEF = `'id', c.id, 'productId', p.id, 'title', p.title, 'categoryId', p.category_id,
  'imageUrl', '/images/' || p.image_object_id || '/640.webp', 'isReview', c.review_id IS NOT NULL,
  'reason', (SELECT mode() WITHIN GROUP (ORDER BY reason) FROM reports WHERE case_id = c.id),
  'reports', (SELECT count(*) FROM reports WHERE case_id = c.id),
  'lastAt', ${isoOf('c.last_at')}, 'decision', c.decision, 'isAnswered', c.answered_at IS NOT NULL,
  'takenBy', (SELECT w.email FROM ${WORKER}), 'answerBy', ${isoOf('c.answer_by')}`

export const SELLER = `'id', s.id, 'name', ${shownName('s', 'Primo seller')}, 'email', s.email,
  'since', ${isoOf('s.created_at')},
  'listed', (SELECT count(*) FROM (SELECT FROM products WHERE seller_id = s.id AND is_listed LIMIT 10000) listed),
  'takeDowns', (SELECT count(*) FROM products q JOIN report_cases d ON d.product_id = q.id
    WHERE q.seller_id = s.id AND d.review_id IS NULL AND d.decision IN ('taken_down', 'restored')),
  'suspension', (SELECT json_build_object('reason', reason, 'at', ${isoOf('created_at')}, 'endsAt', ${isoOf('ends_at')})
    FROM suspensions WHERE seller_id = s.id AND lifted_at IS NULL)`

const readPage = statement<Page, [isWaiting: boolean, limit: number, at: unknown, id: unknown, takenBy: string | null]>(
  'report_cases',
  `WITH hits AS MATERIALIZED (
      SELECT * FROM report_cases WHERE is_waiting = $1 AND ($5::uuid IS NULL OR taken_by = $5)
        AND ($4::uuid IS NULL OR (last_at, id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid))
      ORDER BY last_at DESC, id DESC LIMIT $2::int + 1),
    page AS (SELECT *, row_number() OVER (ORDER BY last_at DESC, id DESC) AS n FROM hits)
  SELECT coalesce(json_agg(json_build_object(${BRIEF}) ORDER BY n) FILTER (WHERE n <= $2), '[]')::text AS json,
    (SELECT count(*) FROM (SELECT FROM report_cases
      WHERE is_waiting = $1 AND ($5::uuid IS NULL OR taken_by = $5) LIMIT 1000) counted) AS total,
    CASE WHEN count(*) > $2 THEN
      max(json_build_array((extract(epoch FROM c.last_at) * 1000000)::bigint, c.id)::text) FILTER (WHERE n = $2) END AS next
  FROM page c JOIN products p ON p.id = c.product_id`,
)

type CasesQuery = { state: CaseState; limit: number; after?: string | undefined; readerId: string }

export async function readCases(pool: pg.Pool, { state, limit, after, readerId }: CasesQuery) {
  const [at = null, id = null] = readCursor(after, 'cases', ['number', 'id'])
  const page = only(await readPage(pool, state !== 'closed', limit, at, id, state === 'mine' ? readerId : null))
  return asPage(page, 'cases', '/api/admin/reports', { state, limit })
}

export const readCaseFile = statement<{ json: string }, [id: string, readerId: string]>(
  'report_case',
  `SELECT json_build_object(${BRIEF}, 'price', ${decimalOf('p.price_cents')}, 'isListed', p.is_listed,
    'sold', (SELECT coalesce(sum(quantity), 0) FROM (
      SELECT l.quantity FROM order_lines l JOIN orders o ON o.id = l.order_id
      WHERE l.product_id = p.id AND o.status IN ('completed', 'refunded') LIMIT 10000) sold),
    'rated', CASE WHEN p.rated > 0 THEN json_build_object('stars', p.rated / 1000000 / 10.0, 'reviews', p.rated % 1000000) END,
    'review', CASE WHEN v.id IS NOT NULL THEN json_build_object('stars', v.stars, 'text', v.body,
      'author', coalesce(v.sample_author, ${shownName('a', 'A buyer')})) END,
    'said', (SELECT coalesce(json_agg(json_build_object('reason', reason, 'note', note, 'at', ${isoOf('created_at')},
        'isBuyer', EXISTS (SELECT FROM entitlements e WHERE e.user_id = said.user_id AND e.product_id = p.id))
        ORDER BY created_at DESC), '[]')
      FROM (SELECT * FROM reports WHERE case_id = c.id ORDER BY created_at DESC LIMIT 100) said),
    'why', CASE WHEN c.review_id IS NULL THEN p.taken_down ELSE v.taken_down END,
    'decidedAt', ${isoOf('c.decided_at')}, 'decidedBy', (SELECT email FROM users WHERE id = c.decided_by), 'question', c.question, 'answer', c.answer,
    'isWaiting', c.is_waiting, 'isOwn', coalesce($2::uuid IN (p.seller_id, v.user_id), false),
    'seller', json_build_object(${SELLER}))::text AS json
  FROM report_cases c JOIN products p ON p.id = c.product_id JOIN users s ON s.id = p.seller_id
  LEFT JOIN reviews v ON v.id = c.review_id LEFT JOIN users a ON a.id = v.user_id
  WHERE c.id = $1::uuid`,
)
