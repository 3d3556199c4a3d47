import type { Db, Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Reading, ReadFile } from './reading.contract.ts'
import * as statements from './reading.statements.server.ts'

type Of = { userId: string; lineId: string }

export async function readLine(db: Db, of: Of): Promise<Reading> {
  const [line] = await statements.readLine(db, of)
  if (!line) throw new Failure(404, 'Not found')
  const { fileIds, ...rest } = line
  return { ...rest, files: await statements.readFiles(db, { ...of, fileIds }) }
}

export const readPlacedFiles = (db: Db | Tx, lesson: Of & { lessonId: string }): Promise<ReadFile[]> =>
  statements.readLessonFiles(db, lesson)

type SavePlaceInput = Of & { fileId: string; place: string; share: number; movedAt: string }

/** Stores a position unless a later one is stored. Returns the stored one. */
export async function savePlace(tx: Tx, input: SavePlaceInput) {
  const { userId, lineId, fileId } = input
  await statements.savePlace(tx, input)
  return tx
    .selectFrom('readingPlaces')
    .select(['place', 'share'])
    .where('orderLineId', '=', lineId)
    .where('userId', '=', userId)
    .where('fileId', '=', fileId)
    .executeTakeFirstOrThrow()
}
