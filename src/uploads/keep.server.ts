import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Db, now } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { type Quota, whileCounted } from './budget.server.ts'
import { checkFile } from './checks/fileCheck.server.ts'
import { checkImage } from './images/images.server.ts'
import { isInQuarantine, refuseMalware } from './quarantine.server.ts'
import { sniffStored } from './checks/sniffStored.server.ts'
import type { Storage, Stored } from './storage.server.ts'
import { badDigest } from './storing.server.ts'

/** The client's description of a file. Only the bytes decide its type. */
export type Claim = { isImage: boolean; fileName: string | null; contentType: string | null }

/** What every way to upload needs. */
export type UploadContext = Quota & {
  storage: Storage
  maxBytes: number
  publicUrl: string | undefined
}

type Waiting = { id: string; userId: string }
type Incoming = Waiting & { stream: Readable; maxBytes: number; claim: Claim; sha256?: string | null }

/** Stores and accepts the bytes of an upload. Null if the upload was not waiting for bytes; then they are removed. */
export async function storeUpload(
  db: Db,
  storage: Storage,
  { stream, maxBytes, claim, sha256 = null, ...upload }: Incoming,
): Promise<Stored | null> {
  const stored = await storage.put(upload.id, stream, { maxBytes, isOnce: true })
  if (sha256 !== null && sha256 !== Buffer.from(stored.sha256, 'hex').toString('base64')) {
    await storage.remove(upload.id)
    throw badDigest()
  }
  try {
    return (await acceptUpload(db, storage, upload, stored, claim)) ? stored : null
  } catch (error) {
    // bytes without their row would block the next try
    if (!isInQuarantine(error)) await storage.remove(upload.id)
    throw error
  }
}

/**
 * Accepts bytes that are complete under the key of the upload. Refuses a harmful file, a broken image and a file that is not what
 * its name claims at once: ends the upload's address and removes the bytes, or keeps them in quarantine. Answers false if the upload was not waiting for bytes;
 * then they are removed, too. May be repeated after another error.
 */
export async function acceptUpload(
  db: Db,
  storage: Storage,
  { id, userId }: Waiting,
  stored: Stored,
  claim: Claim,
): Promise<boolean> {
  try {
    if (claim.isImage) {
      const { sizeBytes } = stored
      await checkImage(storage, { id, userId, sizeBytes, ...(await sniffStored(storage, id, sizeBytes)) })
    } else await checkFile(storage, { id, sizeBytes: stored.sizeBytes, fileName: claim.fileName })
    await refuseMalware(db, storage, id)
    const isStored = (await markStored(db, id, stored, claim)) || (await isKept(db, id, stored))
    if (!isStored) await storage.remove(id)
    return isStored
  } catch (error) {
    if (error instanceof Failure && error.status < 500 && !isInQuarantine(error)) {
      await storage.remove(id)
      await endUpload(db, id)
    }
    throw error
  }
}

/** Accepts what a browser sent to the store itself. Answers false without such bytes. */
export async function takeIncoming(db: Db, storage: Storage, { id, userId }: Waiting): Promise<boolean> {
  if (!storage.direct) return false
  const { accept } = storage.direct
  const row = await findWaiting(db, { id, userId })
  if (!row) return false
  try {
    return await whileCounted(db, userId, async () => {
      const stored = await accept(id)
      return stored !== null && (await acceptUpload(db, storage, { id, userId }, stored, row))
    })
  } catch (error) {
    if (error instanceof Failure && [400, 413, 415].includes(error.status)) await endUpload(db, id)
    throw error
  }
}

/** What the owner said of an upload that waits for bytes. */
export async function findWaiting(db: Db, { id, userId }: Waiting): Promise<Claim | undefined> {
  const row = await db
    .selectFrom('objects')
    .select(['kind', 'fileName', 'contentType'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('status', '=', 'issued')
    // a slow PUT ends after its address has; a refused one is over
    .where(sql<boolean>`expires_at > created_at AND expires_at > now() - interval '1 hour'`)
    .executeTakeFirst()
  return row && { isImage: row.kind === 'image', fileName: row.fileName, contentType: row.contentType }
}

/** A repeated call may have accepted the same bytes at the same time. */
async function isKept(db: Db, id: string, { sha256 }: Stored): Promise<boolean> {
  const row = await db.selectFrom('objects').select('sha256').where('id', '=', id).executeTakeFirst()
  return row?.sha256 === sha256
}

/** The address takes no more bytes, so that a refused file cannot be judged over and over. */
const endUpload = (db: Db, id: string) =>
  db
    .updateTable('objects')
    .set((row) => ({ expiresAt: row.ref('createdAt') }))
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .execute()

async function markStored(
  db: Db,
  id: string,
  { sizeBytes, sha256 }: Stored,
  { fileName, contentType }: Claim,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('objects')
    .set({ status: 'stored', storedAt: now, sizeBytes, sha256, contentType, ...(fileName && { fileName }) })
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
