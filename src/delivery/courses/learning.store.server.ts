import { sql } from 'kysely'
import { shownName } from '../../catalogue/product.sql.server.ts'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import { isDisputed, isGoingBack } from '../entitlements.server.ts'
import { openingOf } from './drip.sql.server.ts'
import type { CoursePart, LessonLook, LessonText } from './learning.contract.ts'

// A course as its buyer takes it: always the parts as the seller has them now. Progress is kept by lesson, so a deleted lesson
// leaves no gap.

export type TakenLine = {
  orderId: string
  productId: string
  title: string
  seller: string
  categoryId: string
  imageUrl: string | null
  boughtAt: Date
}
export type TakenPart = CoursePart & { openedAt: Date | null }

export async function findTaken(db: Db | Tx, userId: string, lineId: string): Promise<TakenLine | undefined> {
  const { rows } = await sql<TakenLine>`
    SELECT orders.id AS order_id, p.id AS product_id, order_lines.title, p.category_id, e.created_at AS bought_at,
      '/images/' || p.image_object_id || '/640.webp' AS image_url,
      (SELECT ${sql.raw(shownName('u', 'Primo seller'))} FROM users u WHERE u.id = order_lines.seller_id) AS seller
    FROM entitlements e JOIN order_lines ON order_lines.id = e.order_line_id JOIN orders ON orders.id = order_lines.order_id
    JOIN products p ON p.id = order_lines.product_id
    WHERE e.user_id = ${userId}::uuid AND order_lines.id = ${lineId}::uuid AND order_lines.delivery = 'course'
      AND e.revoked_at IS NULL AND orders.status = 'completed' AND NOT ${isGoingBack} AND NOT ${isDisputed}`.execute(db)
  return rows[0]
}

type LearningQuery = { userId: string; lineId: string; productId: string; boughtAt: Date }

export async function readParts(
  db: Db | Tx,
  { userId, lineId, productId, boughtAt }: LearningQuery,
): Promise<TakenPart[]> {
  const { rows } = await sql<TakenPart>`
    SELECT c.id, c.is_section, c.title, ${LOOK} AS look, greatest(1, round(length(c.text) / 1000.0))::int AS minutes,
      CASE WHEN ${openingOf(boughtAt)} > now() THEN ${sql.raw(isoOf('opening.at'))} END AS opens_at,
      d.done_at IS NOT NULL AS is_done, d.opened_at
    FROM course_parts c
    CROSS JOIN LATERAL (SELECT ${openingOf(boughtAt)} AS at) opening
    LEFT JOIN lesson_progress d ON d.lesson_id = c.id AND d.order_line_id = ${lineId}::uuid AND d.user_id = ${userId}::uuid
    WHERE c.product_id = ${productId}::uuid AND c.deleted_at IS NULL
    ORDER BY c.position, c.created_at, c.id`.execute(db)
  return rows
}

const LOOK =
  sql.raw(`coalesce((SELECT split_part(f.content_type, '/', 1) FROM lesson_files x JOIN product_files f ON f.id = x.file_id
  WHERE x.lesson_id = c.id AND f.content_type ~ '^(audio|video)/' ORDER BY x.created_at, f.id LIMIT 1), 'text')`)

/** An open lesson of the course of a line. Throws a Failure: 404 for a section, a deleted and a foreign lesson, 409 `locked` before it opens. */
export async function findLesson(
  db: Db | Tx,
  { productId, boughtAt }: Pick<LearningQuery, 'productId' | 'boughtAt'>,
  lessonId: string,
): Promise<LessonText> {
  const { rows } = await sql<{ id: string; title: string; text: string; isLocked: boolean }>`
    SELECT c.id, c.title, c.text, coalesce(${openingOf(boughtAt)} > now(), false) AS is_locked FROM course_parts c
    WHERE c.id = ${lessonId}::uuid AND c.product_id = ${productId}::uuid AND NOT c.is_section AND c.deleted_at IS NULL`.execute(
    db,
  )
  const lesson = rows[0]
  if (!lesson) throw new Failure(404, 'Not found')
  if (lesson.isLocked) throw new Failure(409, 'This lesson isn’t open yet.', 'locked')
  return { id: lesson.id, title: lesson.title, text: lesson.text }
}

export async function readOpenLessons(
  db: Db | Tx,
  { productId, boughtAt }: Pick<LearningQuery, 'productId' | 'boughtAt'>,
): Promise<LessonText[]> {
  const { rows } = await sql<LessonText>`
    SELECT c.id, c.title, c.text FROM course_parts c
    WHERE c.product_id = ${productId}::uuid AND NOT c.is_section AND c.deleted_at IS NULL
      AND coalesce(${openingOf(boughtAt)} <= now(), true)
    ORDER BY c.position, c.created_at, c.id`.execute(db)
  return rows
}

type Progress = { orderLineId: string; userId: string; lessonId: string }

export async function noteOpened(tx: Tx, progress: Progress) {
  await tx
    .insertInto('lessonProgress')
    .values(progress)
    .onConflict((conflict) => conflict.columns(['orderLineId', 'userId', 'lessonId']).doUpdateSet({ openedAt: now }))
    .execute()
}

export async function noteDone(tx: Tx, progress: Progress, isDone: boolean) {
  const doneAt = isDone ? now : null
  await tx
    .insertInto('lessonProgress')
    .values({ ...progress, doneAt })
    .onConflict((conflict) => conflict.columns(['orderLineId', 'userId', 'lessonId']).doUpdateSet({ doneAt }))
    .execute()
}

export async function readPreviews(db: Db, productId: string) {
  const { rows } = await sql<{
    id: string
    isSection: boolean
    title: string
    look: LessonLook
    opensOn: string | null
    opensAfterDays: number | null
    text: string | null
  }>`
    SELECT c.id, c.is_section, c.title, ${LOOK} AS look, c.opens_after_days,
      CASE WHEN c.opens_on > (now() AT TIME ZONE 'UTC')::date THEN c.opens_on::text END AS opens_on, CASE WHEN c.is_preview THEN c.text END AS text
    FROM course_parts c JOIN products p ON p.id = c.product_id AND p.is_listed AND p.delivery = 'course'
    WHERE c.product_id = ${productId}::uuid AND c.deleted_at IS NULL
    ORDER BY c.position, c.created_at, c.id`.execute(db)
  return rows
}

/** Forgets what an erased account learned and where it stopped; its certificates lose the name. */
export async function forgetLearning(tx: Tx, userId: string) {
  await tx.deleteFrom('readingPlaces').where('userId', '=', userId).execute()
  await tx.deleteFrom('lessonProgress').where('userId', '=', userId).execute()
  await tx.updateTable('courseCertificates').set({ name: null }).where('userId', '=', userId).execute()
}
