import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { lockUploads } from './budget/budget.server.ts'
import type { Storage } from './storage.server.ts'
import { refusalJson } from './storing.server.ts'

// The shop refuses an upload with malware and keeps its bytes, so that staff can look into them. Its row stays 'issued' and its address
// has ended, so nothing serves, uses or backs it up. Its bytes count against the day of the account.

export const QUARANTINE_DAYS = 30
const MAX_IN_QUARANTINE = 10

/** The name of the malware in an upload, or null. Throws a Failure 503 if the scanner does not answer. */
export async function findMalware({ scan, open }: Pick<Storage, 'scan' | 'open'>, id: string): Promise<string | null> {
  if (!scan) return null
  const { stream } = await open(id)
  return scan(stream)
}

type Infected = { id: string; userId: string; malware: string; refusal: Failure; sizeBytes: number }

/** Ends the address of an upload and keeps its row. False if the account has ten in quarantine already, or the row waits no more. */
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

/** Deletes the row of an upload that never arrived or was refused. An upload in quarantine keeps its row. */
export const forgetUpload = (db: Db | Tx, id: string) =>
  db
    .deleteFrom('objects')
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .where('malware', 'is', null)
    .executeTakeFirst()

/** Releases the files of an erased account: the sweep removes each once it is a day old. */
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

/** False for an upload that is not in quarantine. */
export async function removeFromQuarantine(db: Db, storage: Pick<Storage, 'remove'>, id: string): Promise<boolean> {
  const found = await db
    .selectFrom('objects')
    .select('id')
    .where('id', '=', id)
    .where('malware', 'is not', null)
    .executeTakeFirst()
  if (!found) return false
  // the row last, so that a crash leaves no bytes without one
  await storage.remove(id)
  await db.deleteFrom('objects').where('id', '=', id).where('malware', 'is not', null).execute()
  return true
}
