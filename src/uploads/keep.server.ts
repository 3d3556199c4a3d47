import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { type Db, inTransaction, now } from '../kit/database.server.ts'
import { Failure, isRefusal } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { addUpload, announceBytes, type Quota, whileCounted } from './budget/budget.server.ts'
import { checkFile, refuseBomb } from './checks/fileCheck.server.ts'
import { checkImage } from './images/images.server.ts'
import { sniffStored } from './checks/sniffStored.server.ts'
import { whileChecking } from './lease.server.ts'
import { findMalware, infected, putInQuarantine } from './quarantine.server.ts'
import type { Storage, Stored } from './storage.server.ts'
import { badDigest, refusalJson } from './storing.server.ts'

export type Claim = { isImage: boolean; fileName: string | null; contentType: string | null }

export type UploadContext = Quota & {
  storage: Storage
  maxBytes: number
  publicUrl: string | undefined
}

type Waiting = { id: string; userId: string }
type Incoming = Waiting & { stream: Readable; maxBytes: number; claim: Claim; sha256?: string | null }

/** Stores and accepts the bytes of an upload. Returns null and removes them if the upload expected none. */
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
    // the sender may retry the PUT with the same key
    if (!isRefused(error)) await removeUnstored(db, storage, upload.id)
    throw error
  }
}

const MADE_SECONDS = 3600

type Made = { userId: string; fileName: string; contentType: string; bytes: Uint8Array }

/**
 * Stores a file that the shop made for a member as an upload of theirs. Returns its id. Throws a Failure 429 over the daily
 * quota.
 */
export async function storeMade(
  db: Db,
  { storage, maxBytesPerDay }: Quota & { storage: Storage },
  { userId, fileName, contentType, bytes }: Made,
): Promise<string> {
  const row = { userId, fileName, contentType, announcedBytes: bytes.length, lifeSeconds: MADE_SECONDS }
  const { id } = await inTransaction(db, (tx) => addUpload(tx, { maxBytesPerDay }, row))
  const claim = { isImage: false, fileName, contentType }
  const incoming = { id, userId, stream: Readable.from([Buffer.from(bytes)]), maxBytes: bytes.length, claim }
  if (!(await storeUpload(db, storage, incoming)))
    throw new Failure(409, 'The file took too long. Please try again.', 'expired')
  return id
}

/**
 * Checks the complete bytes of an upload and marks it as stored. A refusal (a Failure below 500) expires its URL,
 * stores the reason, and removes or quarantines the bytes. After other errors the bytes stay and the caller may retry.
 * Returns false if the upload expected no bytes; removes them unless they belong to a stored upload.
 */
export async function acceptUpload(
  db: Db,
  storage: Storage,
  { id, userId }: Waiting,
  stored: Stored,
  claim: Claim,
): Promise<boolean> {
  await checkBytes(storage, { id, userId }, stored, claim).catch(async (error: unknown) => {
    if (isRefused(error)) await discard(db, storage, id, error)
    throw error
  })
  const malware = await findMalware(storage, id)
  if (malware !== null) {
    const refusal = infected(malware)
    const isKept = await putInQuarantine(db, { id, userId, malware, refusal, sizeBytes: stored.sizeBytes })
    if (!isKept) await discard(db, storage, id, refusal)
    throw refusal
  }
  if ((await markStored(db, id, stored, claim)) || (await isStoredAs(db, id, stored))) return true
  await discard(db, storage, id, null)
  return false
}

async function checkBytes(storage: Storage, { id, userId }: Waiting, { sizeBytes }: Stored, claim: Claim) {
  if (claim.isImage)
    return checkImage(storage, { id, userId, sizeBytes, ...(await sniffStored(storage, id, sizeBytes)) })
  const file = { id, sizeBytes, fileName: claim.fileName }
  await checkFile(storage, file)
  await refuseBomb(storage, file)
}

const isRefused = (error: unknown): error is Failure => error instanceof Failure && isRefusal(error)

/** Expires the URL of a refused upload and removes its bytes. The sweep retries a failed removal. */
async function discard(db: Db, storage: Storage, id: string, refusal: Failure | null) {
  await endUpload(db, id, refusal)
  await removeUnstored(db, storage, id).catch((error: unknown) =>
    log.warn('the bytes of a refused upload were not removed', { error, uploadId: id }),
  )
}

/** Removes the bytes unless they are in quarantine or belong to a stored upload, which a product may use. */
async function removeUnstored(db: Db, storage: Storage, id: string) {
  const row = await db.selectFrom('objects').select(['status', 'malware']).where('id', '=', id).executeTakeFirst()
  if (row === undefined || (row.status === 'issued' && row.malware === null)) await storage.remove(id)
}

/**
 * Accepts bytes that a browser sent directly to the object store. Returns false without such bytes. Throws a Failure
 * 503 `checking` during another call, and 429 over the quota. Without `quota`, ignores bytes after the URL's expiry.
 */
export async function takeIncoming(db: Db, storage: Storage, { id, userId }: Waiting, quota?: Quota): Promise<boolean> {
  if (!storage.direct) return false
  const { accept } = storage.direct
  const row = await findWaiting(db, { id, userId })
  if (!row) return false
  if (row.isLate && !quota) return false
  const take = async () => {
    // the quota includes bytes while their URL is valid, so late bytes are added for their check
    if (row.isLate && quota) await announceBytes(db, quota, { id, userId, bytes: row.announcedBytes })
    const stored = await accept(id)
    return stored !== null && (await acceptUpload(db, storage, { id, userId }, stored, row.claim))
  }
  try {
    return await whileChecking(db, id, () => whileCounted(db, userId, take))
  } catch (error) {
    if (error instanceof Failure && [400, 413, 415].includes(error.status)) await endUpload(db, id, error)
    throw error
  }
}

/** Reads an upload that expects bytes of a browser. Excludes imports, which have no kind and are stored by the shop. */
async function findWaiting(db: Db, { id, userId }: Waiting) {
  const row = await db
    .selectFrom('objects')
    .select(['kind', 'fileName', 'contentType', 'announcedBytes', sql<boolean>`expires_at <= now()`.as('isLate')])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('status', '=', 'issued')
    .where('kind', 'is not', null)
    // a slow PUT may end after its URL expired; a refused upload is over
    .where(sql<boolean>`expires_at > created_at AND expires_at > now() - interval '1 hour'`)
    .executeTakeFirst()
  if (!row) return null
  const claim: Claim = { isImage: row.kind === 'image', fileName: row.fileName, contentType: row.contentType }
  return { claim, announcedBytes: row.announcedBytes ?? 0, isLate: row.isLate }
}

/** A concurrent retry may have accepted the same bytes. */
async function isStoredAs(db: Db, id: string, { sha256 }: Stored): Promise<boolean> {
  const row = await db.selectFrom('objects').select('sha256').where('id', '=', id).executeTakeFirst()
  return row?.sha256 === sha256
}

/** Expires the URL of an upload, so that it can never become stored. The first reason stays. */
const endUpload = (db: Db, id: string, refusal: Failure | null) =>
  db
    .updateTable('objects')
    .set((row) => ({
      expiresAt: row.ref('createdAt'),
      ...(refusal && { refusedAs: sql`coalesce(refused_as, ${refusalJson(refusal)}::jsonb)` }),
    }))
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
    // skips an upload that a faster check has refused
    .whereRef('expiresAt', '>', 'createdAt')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
