import { sql } from 'kysely'
import type { Db } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { sniffStored } from './binding.server.ts'
import { checkImage } from './images.server.ts'
import type { Scan } from './scan.server.ts'
import type { Storage, Stored } from './storage.server.ts'

/** What somebody says of a file; only the bytes decide what it is. */
export type Claim = { isImage: boolean; fileName: string | null; contentType: string | null }

export type Keeper = { db: Db; storage: Storage; scan: Scan | undefined }

/**
 * Notes that the bytes of an upload have come. What is harmful, or was to be an image and is none, is refused at once.
 * Answers whether the row was still waiting; when it was not, or at a refusal, the bytes go again.
 */
export async function keepStored(
  { db, storage, scan }: Keeper,
  { id, stored, claim }: { id: string; stored: Stored; claim: Claim },
): Promise<boolean> {
  try {
    if (claim.isImage) {
      const { sizeBytes } = stored
      await checkImage(storage, { id, sizeBytes, ...(await sniffStored(storage, id, sizeBytes)) })
    }
    if (scan) await refuseHarm(scan, storage, id)
    const isKept = await markStored(db, id, stored, claim)
    if (!isKept) await storage.remove(id)
    return isKept
  } catch (error) {
    // without its row the file would block the next try
    await storage.remove(id)
    throw error
  }
}

/** The scanner sees the bytes as they are: the shop itself unpacks nothing. */
async function refuseHarm(scan: Scan, storage: Storage, id: string) {
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
    .set({ status: 'stored', storedAt: sql`now()`, sizeBytes, sha256, contentType, ...(fileName && { fileName }) })
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
