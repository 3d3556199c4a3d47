import type { Db, Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import type { Storage } from './storage.server.ts'

// An upload with malware is refused, and its bytes stay for staff to look into. Its row remains one that waits for bytes, so nothing
// serves, uses, counts or backs it up, and its address is over.

export const QUARANTINE_DAYS = 30
const CODE = 'infected'

/** Throws a Failure 400 that leaves the bytes where they are, if the scanner finds something in them. */
export async function refuseMalware(db: Db, { scan, open }: Pick<Storage, 'scan' | 'open'>, id: string) {
  if (!scan) return
  const { stream } = await open(id)
  const malware = await scan(stream)
  if (malware === null) return
  await db
    .updateTable('objects')
    .set((row) => ({ malware: malware.slice(0, 200), expiresAt: row.ref('createdAt') }))
    .where('id', '=', id)
    .where('status', '=', 'issued')
    .execute()
  log.warn('an upload went into quarantine', { upload: id, malware })
  throw new Failure(400, `The file holds something harmful (${malware}) and was refused.`, CODE)
}

export const isInQuarantine = (error: unknown) => error instanceof Failure && error.code === CODE

/** Forgets an upload that never arrived or was refused; one in quarantine keeps its row. */
export const forgetUpload = (db: Db, id: string) =>
  db.deleteFrom('objects').where('id', '=', id).where('status', '=', 'issued').where('malware', 'is', null).execute()

/** With the next sweep the files of an erased account are gone. */
export const emptyQuarantineOf = (tx: Tx, userId: string) =>
  tx
    .updateTable('objects')
    .set({ malware: null })
    .where('userId', '=', userId)
    .where('malware', 'is not', null)
    .execute()

/** The newest thousand, with the member who sent each. */
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
