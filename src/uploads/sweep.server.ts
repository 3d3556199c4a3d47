import { sql } from 'kysely'
import { codeOf, type Db, now } from '../kit/database.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { imageKeys } from './images/images.server.ts'
import { sizeJobs } from './images/sizes.server.ts'
import { QUARANTINE_DAYS } from './quarantine.server.ts'
import type { Storage } from './storage.server.ts'

// Removes unbound uploads after a day, those of unfinished products later, and quarantined files after 30 days. Foreign
// keys protect referenced uploads.

const DAY_MS = 24 * 3600_000
const BATCH = 500
// foreign key violations: 23001 since PostgreSQL 18, 23503 in earlier versions
const REFERRED = new Set(['23001', '23503'])

export function uploadJobs({ db, storage }: { db: Db; storage: Storage }): Job[] {
  return [
    { name: 'sweep_uploads', pool: 'files', cron: '17 * * * *', run: () => sweepUploads(db, storage) },
    ...sizeJobs({ db, storage }),
  ]
}

export async function sweepUploads(db: Db, storage: Storage) {
  const abandoned = await db
    .selectFrom('objects')
    .select('id')
    .where('status', '<>', 'bound')
    .where(sql<boolean>`created_at < now() - interval '24 hours'`)
    // count the age from the end of the upload, not its start
    .where(sql<boolean>`coalesce(stored_at, created_at) < now() - interval '24 hours'`)
    .where(sql<boolean>`coalesce(checking_until < now(), true)`)
    .where(sql<boolean>`coalesce(kept_until < now(), true)`)
    .where(sql<boolean>`(malware IS NULL OR created_at < now() - ${QUARANTINE_DAYS} * interval '1 day')`)
    // an upload in parts expires a day after its last signed part
    .where(
      sql<boolean>`NOT (status = 'issued' AND expires_at > now() AND EXISTS (SELECT FROM part_uploads WHERE object_id = objects.id))`,
    )
    .orderBy('createdAt')
    .limit(BATCH)
    .execute()
  for (const { id } of abandoned) await removeUpload(db, storage, id)
  await storage.removeAbandoned(DAY_MS, (uploadId) => isOpen(db, uploadId))
}

const isOpen = async (db: Db, uploadId: string): Promise<boolean> =>
  (await db
    .selectFrom('partUploads')
    .innerJoin('objects', 'objects.id', 'partUploads.objectId')
    .select('objects.id')
    .where('uploadId', '=', uploadId)
    .where('status', '=', 'issued')
    .where('expiresAt', '>', now)
    .executeTakeFirst()) !== undefined

/** Commits the deletion of the row last, so that the next sweep repeats a crashed removal. */
async function removeUpload(db: Db, storage: Storage, id: string) {
  try {
    await db.transaction().execute(async (tx) => {
      const parts = await tx.selectFrom('partUploads').select('uploadId').where('objectId', '=', id).executeTakeFirst()
      const { numDeletedRows } = await tx
        .deleteFrom('objects')
        .where('id', '=', id)
        .where('status', '<>', 'bound')
        .executeTakeFirst()
      if (numDeletedRows === 0n) return
      if (parts) await storage.parts.abort(id, parts.uploadId)
      for (const key of [id, ...imageKeys(id)]) await storage.remove(key)
    })
  } catch (error) {
    if (!REFERRED.has(codeOf(error))) throw error
    log.error('an upload in use has the wrong status', { error, uploadId: id })
  }
}
