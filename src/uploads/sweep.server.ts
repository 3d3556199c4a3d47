import { sql } from 'kysely'
import { codeOf, type Db } from '../kit/database.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { imageKeys } from './images.server.ts'
import type { Storage } from './storage.server.ts'

// Uploads that nobody bound within a day go, row and bytes. Whatever a row refers to is kept by its foreign key.

const DAY_MS = 24 * 3600_000
const BATCH = 500
// a foreign key says no: 23001 since PostgreSQL 18, 23503 before
const REFERRED = new Set(['23001', '23503'])

export function uploadJobs({ db, storage }: { db: Db; storage: Storage }): Job[] {
  return [{ name: 'sweep_uploads', cron: '17 * * * *', run: () => sweepUploads(db, storage) }]
}

export async function sweepUploads(db: Db, storage: Storage) {
  const abandoned = await db
    .selectFrom('objects')
    .select('id')
    .where('status', '<>', 'bound')
    .where(sql<boolean>`created_at < now() - interval '24 hours'`)
    .orderBy('createdAt')
    .limit(BATCH)
    .execute()
  for (const { id } of abandoned) await removeUpload(db, storage, id)
  await storage.removeAbandoned(DAY_MS)
}

/** The row goes first but is committed last: after a crash in between the next sweep finds it again. */
async function removeUpload(db: Db, storage: Storage, id: string) {
  try {
    await db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('objects')
        .where('id', '=', id)
        .where('status', '<>', 'bound')
        .executeTakeFirst()
      if (numDeletedRows === 0n) return
      for (const key of [id, ...imageKeys(id)]) await storage.remove(key)
    })
  } catch (error) {
    if (!REFERRED.has(codeOf(error))) throw error
    log.error('an upload that is in use was not marked as bound', { error, uploadId: id })
  }
}
