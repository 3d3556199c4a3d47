import { sql } from 'kysely'
import { setOutOfStock } from '../../catalogue/offSale.server.ts'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import * as statements from './lessons.statements.server.ts'
import { type EditedLesson, type LessonFile, MAX_LESSON_FILES, MAX_PARTS, type Outline } from './outline.contract.ts'

// Sections and lessons for their seller. A change locks the product, so that two changes do not conflict.

const MISSING = new Failure(404, 'Not found')
const CHANGED = new Failure(409, 'This course was changed elsewhere. Look at it and try again.', 'changed')
const FULL = new Failure(409, `A course has at most ${MAX_PARTS} sections and lessons.`, 'too_many_parts')
const SOLD = new Failure(
  409,
  'Buyers have this lesson, so it stays. Change its text or its files instead, or withdraw the course from sale.',
  'sold',
)
const FULL_LESSON = new Failure(409, `A lesson has at most ${MAX_LESSON_FILES} files.`, 'too_many_files')

type Own = { sellerId: string; id: string }

export async function demandOwn(db: Db | Tx, { sellerId, id }: Own, isHeld = false) {
  const product = await db
    .selectFrom('products')
    .select(['delivery', 'isOutOfStock'])
    .where('id', '=', id)
    .where('sellerId', '=', sellerId)
    .where('deletedAt', 'is', null)
    .$if(isHeld, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!product) throw MISSING
  return product
}

/** Changes a seller's course and returns it. A course is listed while it has a lesson. */
export const changeOutline = (db: Db, own: Own, change: (tx: Tx) => Promise<void>): Promise<Outline> =>
  inTransaction(db, async (tx) => {
    const product = await demandOwn(tx, own, true)
    await change(tx)
    const outline = await readOutline(tx, own.id)
    const isEmpty = !outline.some(({ isSection }) => !isSection)
    if (product.delivery === 'course' && product.isOutOfStock !== isEmpty) await setOutOfStock(tx, own.id, isEmpty)
    return outline
  })

export const readOutline = (db: Db | Tx, productId: string): Promise<Outline> =>
  statements.readOutline(db, { productId })

type NewPart = { productId: string; isSection: boolean; title: string; afterId: string | undefined }

export async function insertPart(tx: Tx, { productId, isSection, title, afterId }: NewPart) {
  const ids = (await readOutline(tx, productId)).map(({ id }) => id)
  if (ids.length >= MAX_PARTS) throw FULL
  const { id } = await tx
    .insertInto('courseParts')
    .values({ productId, isSection, title, position: ids.length })
    .returning('id')
    .executeTakeFirstOrThrow()
  const after = ids.indexOf(afterId ?? '')
  await setOrder(tx, productId, ids.toSpliced(after === -1 ? ids.length : after + 1, 0, id))
}

export async function setOrder(tx: Tx, productId: string, ids: string[]) {
  const present = new Set((await readOutline(tx, productId)).map(({ id }) => id))
  if (ids.length !== present.size || !ids.every((id) => present.delete(id))) throw CHANGED
  await statements.setPositions(tx, { ids })
}

const isSoldLesson = async (tx: Tx, productId: string, partId: string): Promise<boolean> =>
  (await statements.findSoldLesson(tx, { productId, partId })).length > 0

/** Deletes or restores a part. Throws a Failure: 404 for another course, 409 `sold` for a bought lesson. */
export async function setDeleted(tx: Tx, productId: string, partId: string, isDeleted: boolean) {
  if (!isDeleted && (await readOutline(tx, productId)).length >= MAX_PARTS) throw FULL
  if (isDeleted && (await isSoldLesson(tx, productId, partId))) throw SOLD
  const { numUpdatedRows } = await tx
    .updateTable('courseParts')
    .set({ deletedAt: isDeleted ? now : null })
    .where('id', '=', partId)
    .where('productId', '=', productId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw MISSING
}

/** Returns a part that is not deleted, with text and files. Throws a Failure 404. */
export async function readPart(db: Db | Tx, productId: string, partId: string): Promise<EditedLesson> {
  const part = await db
    .selectFrom('courseParts')
    .select(['id', 'isSection', 'title', 'text', 'opensOn', 'opensAfterDays', 'isPreview', 'version'])
    .where('id', '=', partId)
    .where('productId', '=', productId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (!part) throw MISSING
  return { ...part, files: await readLessonFiles(db, partId) }
}

export async function readLessonFiles(db: Db | Tx, lessonId: string): Promise<LessonFile[]> {
  return db
    .selectFrom('lessonFiles')
    .innerJoin('productFiles', 'productFiles.id', 'lessonFiles.fileId')
    .select([
      'productFiles.id',
      'fileName',
      'contentType',
      'sizeBytes',
      'seconds',
      sql<string>`coalesce(chapters, '')`.as('chapters'),
    ])
    .where('lessonId', '=', lessonId)
    .orderBy('lessonFiles.createdAt')
    .orderBy('productFiles.id')
    .execute()
}

type SavedPart = Omit<EditedLesson, 'id' | 'isSection' | 'files'>

/** Saves an edit. A section has only a title. Throws a Failure: 404, or 409 `changed` after a concurrent edit. */
export async function updatePart(tx: Tx, productId: string, partId: string, { version, ...given }: SavedPart) {
  const { isSection, version: saved } = await readPart(tx, productId, partId)
  if (saved !== version)
    throw new Failure(409, 'This lesson was changed elsewhere. Compare both versions and save again.', 'changed')
  if (given.opensOn !== null && given.opensAfterDays !== null)
    throw new Failure(400, 'A lesson opens on a day or some days after the purchase, not both.', 'invalid')
  const set = isSection ? { title: given.title } : given
  await tx
    .updateTable('courseParts')
    .set({ ...set, version: version + 1 })
    .where('id', '=', partId)
    .execute()
}

export async function insertLessonFile(tx: Tx, productId: string, lessonId: string, fileId: string) {
  const { isSection, files } = await readPart(tx, productId, lessonId)
  if (isSection) throw MISSING
  if (files.length >= MAX_LESSON_FILES) throw FULL_LESSON
  await tx.insertInto('lessonFiles').values({ fileId, lessonId }).execute()
}

export async function deleteLessonFile(tx: Tx, lessonId: string, fileId: string) {
  const { numDeletedRows } = await tx
    .deleteFrom('lessonFiles')
    .where('fileId', '=', fileId)
    .where('lessonId', '=', lessonId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw MISSING
}
