import { sql } from 'kysely'
import { codeOf, type Db } from '../kit/database.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { imageKeys } from './images.server.ts'
import type { Storage } from './storage.server.ts'

// Removes uploads that nothing has bound within a day. Foreign keys protect those that a row still refers to.

const DAY_MS = 24 * 3600_000
const BATCH = 500
// violated foreign keys: 23001 since PostgreSQL 18, 23503 in earlier versions
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

/** Commits the deletion of the row last, so that the next sweep repeats a crashed removal. */
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
    log.error('an upload in use has the wrong status', { error, uploadId: id })
  }
}
