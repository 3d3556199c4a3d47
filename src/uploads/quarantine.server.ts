import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { lockUploads } from './budget/budget.server.ts'
import type { Storage } from './storage.server.ts'
import { refusalJson } from './storing.server.ts'

// Uploads with malware are refused, but their bytes stay for inspection by staff. The row has status 'issued' and an
// expired URL, so nothing serves, uses or backs it up. Its bytes count for the daily quota.

export const QUARANTINE_DAYS = 30
const MAX_IN_QUARANTINE = 10

/** Returns the name of the malware in an upload, or null. Throws a Failure 503 if the scanner does not respond. */
export async function findMalware({ scan, open }: Pick<Storage, 'scan' | 'open'>, id: string): Promise<string | null> {
  if (!scan) return null
  const { stream } = await open(id)
  return scan(stream)
}

type Infected = { id: string; userId: string; malware: string; refusal: Failure; sizeBytes: number }

/** Expires the URL of an upload and retains its row. False if the account has ten in quarantine or the row is over. */
export const putInQuarantine = (db: Db, { id, userId, malware, refusal, sizeBytes }: Infected): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    await lockUploads(tx, userId)
    const kept = await tx
      .selectFrom('objects')
      .select('id')
      .where('userId', '=', userId)
      .where('malware', 'is not', null)
      .limit(MAX_IN_QUARANTINE)
      .execute()
    const hasRoom = kept.length < MAX_IN_QUARANTINE
    const updated = hasRoom
      ? await tx
          .updateTable('objects')
          .set((row) => ({
            ...{ malware: malware.slice(0, 200), sizeBytes, refusedAs: refusalJson(refusal) },
            expiresAt: row.ref('createdAt'),
          }))
          .where('id', '=', id)
          .where('status', '=', 'issued')
          .executeTakeFirst()
      : null
    const isKept = updated?.numUpdatedRows === 1n
    log.warn('the scanner found malware in an upload', { upload: id, malware, isKept })
    return isKept
  })

export const infected = (malware: string) =>
  new Failure(400, `The file holds something harmful (${malware}) and was refused.`, 'infected')

/** Deletes the row of an upload that never arrived or was refused, unless it is in quarantine. */
export const forgetUpload = (db: Db | Tx, id: string) =>
  db
    .deleteFrom('objects')
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .where('malware', 'is', null)
    .executeTakeFirst()

/** Releases the files of an erased account. The sweep removes each when it is a day old. */
export const emptyQuarantineOf = (tx: Tx, userId: string) =>
  tx
    .updateTable('objects')
    .set({ malware: null })
    .where('userId', '=', userId)
    .where('malware', 'is not', null)
    .execute()

export const listQuarantine = (db: Db) =>
  db
    .selectFrom('objects')
    .innerJoin('users', 'users.id', 'objects.userId')
    .select(['objects.id', 'objects.createdAt', 'email', 'fileName', 'malware'])
    .where('malware', 'is not', null)
    .orderBy('objects.createdAt', 'desc')
    .limit(1000)
    .execute()

/** Removes an upload from quarantine. Returns false if it is not there. */
export async function removeFromQuarantine(db: Db, storage: Pick<Storage, 'remove'>, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('objects')
    .select('id')
    .where('id', '=', id)
    .where('malware', 'is not', null)
    .executeTakeFirst()
  if (!found) return false
  // delete the row last, so that a crash leaves no bytes without a row
  await storage.remove(id)
  await db.deleteFrom('objects').where('id', '=', id).where('malware', 'is not', null).execute()
  return true
}
