import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../src/kit/database.server.ts'
import type { Storage } from '../src/uploads/storage.server.ts'

export type CoursePart =
  | { section: string }
  | { title: string; text: string; isPreview?: boolean; opensAfterDays?: number; file?: string; chapters?: string }

type Course = { id: string; course?: CoursePart[] }

export async function addCourse(
  { db, storage }: { db: Db; storage: Storage },
  sellerId: string,
  { id, course = [] }: Course,
) {
  for (const [position, part] of course.entries()) {
    const isSection = 'section' in part
    const lesson = await db
      .insertInto('courseParts')
      .values({
        productId: id,
        position,
        isSection,
        title: isSection ? part.section : part.title,
        ...(!isSection && {
          text: part.text,
          isPreview: part.isPreview ?? false,
          opensAfterDays: part.opensAfterDays ?? null,
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (!isSection && part.file)
      await addRecording({ db, storage }, sellerId, { ...part, file: part.file, productId: id, lessonId: lesson.id })
  }
}

type Recording = { productId: string; lessonId: string; file: string; chapters?: string }

async function addRecording(
  { db, storage }: { db: Db; storage: Storage },
  userId: string,
  { productId, lessonId, file, chapters }: Recording,
) {
  const objectId = crypto.randomUUID()
  const path = join(import.meta.dirname, 'content', 'files', file)
  const stored = await storage.put(objectId, createReadStream(path))
  const about = { fileName: file, contentType: 'audio/wav', sizeBytes: stored.sizeBytes, sha256: stored.sha256 }
  const moment = sql<Date>`now()`
  await db
    .insertInto('objects')
    .values({ id: objectId, userId, status: 'bound', expiresAt: moment, storedAt: moment, ...about })
    .execute()
  const { id: fileId } = await db
    .insertInto('productFiles')
    .values({ productId, objectId, chapters: chapters ?? null, ...about })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('lessonFiles')
    .values({ fileId, lessonId, seconds: secondsOf(path) })
    .execute()
}

/** Length of a WAV, whose header has the bytes of a second at position 28. */
function secondsOf(path: string): number {
  const wav = readFileSync(path)
  return Math.max(1, Math.round(wav.length / wav.readUInt32LE(28)))
}
