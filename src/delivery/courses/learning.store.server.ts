import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { LessonText } from './learning.contract.ts'
import * as statements from './lessons.statements.server.ts'

// Buyers see the current parts of a course. Progress is stored by lesson, so a deleted lesson leaves no gap.

export type TakenLine = statements.FindTakenRow
export type TakenPart = statements.ReadPartsRow

export const findTaken = async (db: Db | Tx, userId: string, lineId: string): Promise<TakenLine | undefined> =>
  (await statements.findTaken(db, { userId, lineId }))[0]

/** `lineId` is null for the seller, who has no line. */
type LearningQuery = { userId: string; lineId: string | null; productId: string; boughtAt: Date }

export const readParts = (db: Db | Tx, query: LearningQuery): Promise<TakenPart[]> => statements.readParts(db, query)

/** Finds an open lesson of a line. Throws a Failure: 404 for a section, a deleted or foreign lesson, 409 if locked. */
export async function findLesson(
  db: Db | Tx,
  { productId, boughtAt }: Pick<LearningQuery, 'productId' | 'boughtAt'>,
  lessonId: string,
): Promise<LessonText> {
  const [lesson] = await statements.findLesson(db, { productId, boughtAt, lessonId })
  if (!lesson) throw new Failure(404, 'Not found')
  if (lesson.isLocked) throw new Failure(409, 'This lesson isn’t open yet.', 'locked')
  return { id: lesson.id, title: lesson.title, text: lesson.text }
}

export const readOpenLessons = (
  db: Db | Tx,
  course: Pick<LearningQuery, 'productId' | 'boughtAt'>,
): Promise<LessonText[]> => statements.readOpenLessons(db, course)

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

export const readPreviews = (db: Db, productId: string) => statements.readPreviews(db, { productId })

/** Deletes the progress and positions of an erased account, and removes the name from its certificates. */
export async function forgetLearning(tx: Tx, userId: string) {
  await tx.deleteFrom('readingPlaces').where('userId', '=', userId).execute()
  await tx.deleteFrom('lessonProgress').where('userId', '=', userId).execute()
  await tx.updateTable('courseCertificates').set({ name: null }).where('userId', '=', userId).execute()
}
