import type { Readable } from 'node:stream'
import { type Db, now } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { sniffStored } from './binding.server.ts'
import type { UploadGate } from './budget.server.ts'
import { checkFile } from './fileCheck.server.ts'
import { checkImage } from './images.server.ts'
import type { Scan } from './scan.server.ts'
import type { Storage, Stored } from './storage.server.ts'

/** The client's description of a file. Only the bytes decide its type. */
export type Claim = { isImage: boolean; fileName: string | null; contentType: string | null }

/** What both ways to upload need: bytes to a signed URL, and a link. */
export type UploadContext = {
  storage: Storage
  maxBytes: number
  publicUrl: string | undefined
  whileCounted: UploadGate
  scan: Scan | undefined
}

type Incoming = { id: string; userId: string; stream: Readable; maxBytes: number; claim: Claim }

/**
 * Stores the bytes of an upload. Refuses a harmful file, a broken image and a file that is not what its name claims at once, which ends the upload's address.
 * Returns null if the upload was not waiting for bytes; then, and after a refusal, the bytes are removed.
 */
export async function storeUpload(
  db: Db,
  { storage, scan }: UploadContext,
  { id, userId, stream, maxBytes, claim }: Incoming,
): Promise<Stored | null> {
  const stored = await storage.put(id, stream, { maxBytes, isOnce: true })
  try {
    if (claim.isImage) {
      const { sizeBytes } = stored
      await checkImage(storage, { id, userId, sizeBytes, ...(await sniffStored(storage, id, sizeBytes)) })
    } else await checkFile(storage, { id, sizeBytes: stored.sizeBytes, fileName: claim.fileName })
    if (scan) await refuseMalware(scan, storage, id)
    const isStored = await markStored(db, id, stored, claim)
    if (!isStored) await storage.remove(id)
    return isStored ? stored : null
  } catch (error) {
    // a file without its row would block the next try
    await storage.remove(id)
    if (error instanceof Failure && error.status < 500) await endUpload(db, id)
    throw error
  }
}

/** The address takes no more bytes, so that a refused file cannot be judged over and over. */
const endUpload = (db: Db, id: string) =>
  db.updateTable('objects').set({ expiresAt: now }).where('id', '=', id).where('status', '=', 'issued').execute()

/** Scans the stored bytes. The store itself never unpacks a file. */
async function refuseMalware(scan: Scan, storage: Storage, id: string) {
  const { stream } = await storage.open(id)
  const found = await scan(stream)
  if (found) throw new Failure(400, `The file holds something harmful (${found}) and was not kept.`, 'harmful')
}

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
