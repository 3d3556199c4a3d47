import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob } from '../kit/jobs.server.ts'
import { takeIncoming } from './keep.server.ts'
import type { Sniffed } from './checks/sniff.rules.ts'
import { incomplete, sniffStored } from './checks/sniffStored.server.ts'
import type { Storage } from './storage.server.ts'

export type Upload = Sniffed & {
  id: string
  userId: string
  sizeBytes: number
  sha256: string
  fileName: string | null
}

/** Finds an upload. Throws a Failure: 404 if the account does not own it, 409 if it is incomplete or in use. */
export async function findUpload(
  db: Db | Tx,
  storage: Storage,
  { userId, id }: { userId: string; id: string },
): Promise<Upload> {
  let row = await readUpload(db, userId, id)
  // a browser that sent the bytes to the object store may not have notified the shop
  if (row?.status === 'issued' && !db.isTransaction && (await takeIncoming(db, storage, { userId, id })))
    row = await readUpload(db, userId, id)
  if (!row) throw new Failure(404, 'Upload not found', 'upload_not_found')
  if (row.status === 'bound') throw inUse()
  if (row.sizeBytes === null || row.sha256 === null) throw incomplete()
  const { sizeBytes, sha256, fileName } = row
  return { id, userId, sizeBytes, sha256, fileName, ...(await sniffStored(storage, id, sizeBytes)) }
}

const readUpload = (db: Db | Tx, userId: string, id: string) =>
  db
    .selectFrom('objects')
    .select(['status', 'sizeBytes', 'sha256', 'fileName'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()

/** Marks an upload as used. A job makes an image's other sizes. Throws a Failure 409 if it is in use. */
export async function bindUpload(
  tx: Tx,
  { userId, id, isImage = false }: { userId: string; id: string; isImage?: boolean },
) {
  const { numUpdatedRows } = await tx
    .updateTable('objects')
    .set({ status: 'bound' })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('status', '=', 'stored')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw inUse()
  if (isImage) await addJob(tx, 'size_image', { id }, { key: `sizes:${id}`, queue: `files:${userId}`, maxAttempts: 5 })
}

/** Releases an unused upload, so that the sweep removes it. */
export async function releaseUpload(tx: Tx, id: string) {
  await tx.updateTable('objects').set({ status: 'stored' }).where('id', '=', id).where('status', '=', 'bound').execute()
}

type Keeper = { userId: string; keptFor: string }

const UNDO_MS = 3600_000

/**
 * Protects unused uploads of an account from the sweep for some days, on behalf of `keptFor`. After an hour, `keptFor`
 * protects no other uploads.
 */
export async function keepUploads(tx: Tx, { userId, keptFor, ids, days }: Keeper & { ids: string[]; days: number }) {
  await freeUploads(tx, { userId, keptFor, others: ids })
  if (ids.length === 0) return
  await tx
    .updateTable('objects')
    .set({ keptFor, keptUntil: sql<Date>`now() + ${days} * interval '1 day'` })
    .where('id', 'in', ids)
    .where('userId', '=', userId)
    .where('status', '<>', 'bound')
    .execute()
}

/** Ends the protection of uploads except `others` after an hour, because the member can undo a deletion. */
export async function freeUploads(db: Db | Tx, { userId, keptFor, others = [] }: Keeper & { others?: string[] }) {
  await db
    .updateTable('objects')
    .set({ keptUntil: sql<Date>`least(kept_until, now() + ${UNDO_MS} * interval '1 millisecond')` })
    .where('userId', '=', userId)
    .where('keptFor', '=', keptFor)
    .where(sql<boolean>`id <> ALL (${others}::uuid[])`)
    .execute()
}

export async function freeAllUploads(tx: Tx, userId: string) {
  await tx
    .updateTable('objects')
    .set({ keptUntil: null, keptFor: null })
    .where('userId', '=', userId)
    .where('keptUntil', 'is not', null)
    .execute()
}

/** Returns the ids of unused uploads of the account. */
export async function findUnused(db: Db, { userId, ids }: { userId: string; ids: string[] }): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('objects')
    .select('id')
    .where('id', 'in', ids)
    .where('userId', '=', userId)
    .where('status', '<>', 'bound')
    .execute()
  return rows.map(({ id }) => id)
}

const inUse = () => new Failure(409, 'This upload is already in use. Please upload the file again.', 'upload_in_use')
