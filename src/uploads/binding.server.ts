import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { sniff, SNIFFED_BYTES, type Sniffed } from './sniff.rules.ts'
import type { Storage } from './storage.server.ts'

/** An upload whose bytes are complete. The type comes from the bytes. */
export type Upload = Sniffed & {
  id: string
  userId: string
  sizeBytes: number
  sha256: string
  fileName: string | null
}

/** Throws a Failure: 404 if this account has no such upload, 409 if it is incomplete or in use. */
export async function findUpload(
  db: Db | Tx,
  storage: Storage,
  { userId, id }: { userId: string; id: string },
): Promise<Upload> {
  const row = await db
    .selectFrom('objects')
    .select(['status', 'sizeBytes', 'sha256', 'fileName'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Failure(404, 'Upload not found', 'upload_not_found')
  if (row.status === 'bound') throw inUse()
  if (row.sizeBytes === null || row.sha256 === null) throw incomplete()
  const { sizeBytes, sha256, fileName } = row
  return { id, userId, sizeBytes, sha256, fileName, ...(await sniffStored(storage, id, sizeBytes)) }
}

/** Reads the type from the bytes. Throws a Failure 409 when their size is wrong. */
export async function sniffStored(storage: Storage, id: string, sizeBytes: number): Promise<Sniffed> {
  const head = await readHead(storage, id)
  if (head.sizeBytes !== sizeBytes) throw incomplete()
  return sniff(head.bytes, head.bytes.length === sizeBytes)
}

async function readHead(storage: Storage, id: string) {
  try {
    const { stream, sizeBytes } = await storage.open(id, { start: 0, end: SNIFFED_BYTES - 1 })
    return { sizeBytes, bytes: Buffer.concat(await stream.toArray()) }
  } catch (error) {
    if (error instanceof Failure && error.status === 404) throw incomplete()
    throw error
  }
}

/** Marks an upload as used in the caller's transaction. Throws a Failure 409 if it is in use already. */
export async function bindUpload(tx: Tx, { userId, id }: { userId: string; id: string }) {
  const { numUpdatedRows } = await tx
    .updateTable('objects')
    .set({ status: 'bound' })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('status', '=', 'stored')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw inUse()
}

/** Releases an upload that nothing uses any more, for the sweep to remove. */
export async function releaseUpload(tx: Tx, id: string) {
  await tx.updateTable('objects').set({ status: 'stored' }).where('id', '=', id).where('status', '=', 'bound').execute()
}

const inUse = () => new Failure(409, 'This upload is already in use. Please upload the file again.', 'upload_in_use')
const incomplete = () =>
  new Failure(409, 'This upload is incomplete. Please upload the file again.', 'upload_incomplete')
