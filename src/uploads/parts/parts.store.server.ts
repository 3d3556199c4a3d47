import { sql } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { isUuid } from '../../kit/uuid.ts'
import { addUpload } from '../budget/budget.server.ts'
import type { Claim, UploadContext } from '../keep.server.ts'
import { forgetUpload } from '../quarantine.server.ts'
import type { Storage } from '../storage.server.ts'
import { noSuchUpload, type Refusal } from '../storing.server.ts'
import { firstOf } from '../../kit/values/required.ts'

const MAX_OPEN = 10
/** After this idle time, a new upload may replace an unfinished one. */
const IDLE_MINUTES = 15
const LIFE_HOURS = 24

export type PartUpload = Claim & {
  id: string
  userId: string
  uploadId: string
  sizeBytes: number
  isExact: boolean
  isOpen: boolean
  isStored: boolean
  refusal: Refusal | null
}

export async function findParts(db: Db, userId: string, key: string, uploadId: string): Promise<PartUpload> {
  const found = isUuid(key) ? await read(db, key, uploadId) : undefined
  if (!found || found.userId !== userId) throw noSuchUpload()
  return found
}

export async function read(db: Db, id: string, uploadId: string): Promise<PartUpload | undefined> {
  const row = await db
    .selectFrom('partUploads')
    .innerJoin('objects', 'objects.id', 'partUploads.objectId')
    .select(['objects.id', 'userId', 'uploadId', 'kind', 'fileName', 'contentType', 'status', 'refusedAs'])
    .select(['partUploads.sizeBytes as announced', 'isExact'])
    .select(sql<boolean>`status = 'issued' AND expires_at > now()`.as('isOpen'))
    .where('objects.id', '=', id)
    .where('uploadId', '=', uploadId)
    .executeTakeFirst()
  if (!row) return undefined
  const { kind, status, announced, refusedAs, ...upload } = row
  return {
    ...upload,
    refusal: refusedAs as Refusal | null,
    sizeBytes: announced,
    isImage: kind === 'image',
    isStored: status !== 'issued',
  }
}

const inADay = sql<Date>`now() + ${LIFE_HOURS} * interval '1 hour'`

/** Extends the upload to a day after its last signed part. */
export const prolong = (db: Db, id: string) =>
  db
    .updateTable('objects')
    .set({ expiresAt: inADay })
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .where('expiresAt', '>', now)
    .where('expiresAt', '<', sql<Date>`${inADay} - interval '1 minute'`)
    .execute()

type New = Claim & {
  userId: string
  sizeBytes: number
  isExact: boolean
  fingerprint: string | null
  isChecked: boolean
}

export async function openParts(
  db: Db,
  { storage, ...quota }: UploadContext,
  upload: New,
): Promise<{ key: string; uploadId: string }> {
  await makeRoom(db, storage, upload.userId)
  const { userId, fileName, contentType, isImage, sizeBytes, isExact, fingerprint, isChecked } = upload
  const { id } = await db.transaction().execute(async (tx) => {
    const added = await addUpload(tx, quota, {
      ...{ userId, fileName, contentType, announcedBytes: sizeBytes, lifeSeconds: LIFE_HOURS * 3600 },
      kind: isImage ? 'image' : 'file',
    })
    if ((await listOpen(tx, userId)).length >= MAX_OPEN) throw tooMany()
    return added
  })
  const uploadId = await storage.parts.start(id, { contentType, isChecked }).catch(async (error: unknown) => {
    await db.deleteFrom('objects').where('id', '=', id).execute()
    throw error
  })
  await db.insertInto('partUploads').values({ objectId: id, uploadId, sizeBytes, isExact, fingerprint }).execute()
  return { key: id, uploadId }
}

/** Ends the caller's longest idle upload if too many are open. */
async function makeRoom(db: Db, storage: Storage, userId: string) {
  const open = await listOpen(db, userId)
  if (open.length < MAX_OPEN) return
  const first = firstOf(open)
  if (!first.isIdle) throw tooMany()
  await endParts(db, storage, first)
}

const tooMany = () =>
  new Failure(429, `At most ${MAX_OPEN} uploads at once. Please wait for one to finish.`, 'too_many', {
    retryAfter: 60,
  })

const listOpen = (db: Db | Tx, userId: string) =>
  db
    .selectFrom('partUploads')
    .innerJoin('objects', 'objects.id', 'partUploads.objectId')
    .select(['objects.id', 'uploadId'])
    .select(sql<boolean>`expires_at < ${inADay} - ${IDLE_MINUTES} * interval '1 minute'`.as('isIdle'))
    .where('userId', '=', userId)
    .where('status', '=', 'issued')
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('expiresAt')
    .execute()

/** Removes an unfinished upload with its parts, joined or not. Succeeds if it does not exist. */
export const endParts = (db: Db, storage: Storage, { id, uploadId }: { id: string; uploadId: string }) =>
  inTransaction(db, async (tx) => {
    const { numDeletedRows } = await forgetUpload(tx, id)
    // stored in the meantime, or in quarantine
    if (numDeletedRows === 0n) return
    await storage.parts.abort(id, uploadId)
    await storage.remove(id)
  })

type Sought = { fingerprint: string; sizeBytes: number; key?: string | undefined }

/** Finds an unfinished upload of the same file, or the upload `key`, which may be finished but not bound. */
export const findByFingerprint = (db: Db, userId: string, { fingerprint, sizeBytes, key = '' }: Sought) =>
  db
    .selectFrom('partUploads')
    .innerJoin('objects', 'objects.id', 'partUploads.objectId')
    .select(['objects.id as key', 'uploadId', sql<boolean>`status = 'stored'`.as('isStored')])
    .where('userId', '=', userId)
    .where('fingerprint', '=', fingerprint)
    .where('partUploads.sizeBytes', '=', sizeBytes)
    .where(sql<boolean>`(status = 'issued' AND expires_at > now() OR status = 'stored' AND objects.id::text = ${key})`)
    .orderBy(sql`status = 'stored'`, 'desc')
    .orderBy('objects.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
