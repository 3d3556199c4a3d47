import { type Db, now } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { sniffStored } from '../checks/sniffStored.server.ts'
import type { Storage } from '../storage.server.ts'
import { findUnsized } from './image.statements.server.ts'
import { makeSizes } from './images.server.ts'
import { required } from '../../kit/values/required.ts'

// Binding an image makes its first size. A job makes the others; until then the first one is served instead.

const BATCH = 50

export function sizeJobs({ db, storage }: { db: Db; storage: Storage }): Job[] {
  return [
    { name: 'size_image', pool: 'files', run: ({ id }) => sizeImage(db, storage, required(id, 'the id of the image')) },
    { name: 'size_old_images', pool: 'files', cron: '41 * * * *', run: () => sizeLeftImages(db, storage) },
  ]
}

export async function sizeImage(db: Db, storage: Storage, id: string) {
  const row = await db
    .selectFrom('objects')
    .select(['userId', 'sizeBytes'])
    .where('id', '=', id)
    .where('status', '=', 'bound')
    .where('sizedAt', 'is', null)
    .executeTakeFirst()
  if (!row || row.sizeBytes === null) return
  const { userId, sizeBytes } = row
  const color = await makeAll(storage, { id, userId, sizeBytes }).catch((error: unknown) => {
    // do not retry: the result would be the same and block the images behind it
    if (!(error instanceof Failure && error.status < 500)) throw error
    log.warn('an image has no other sizes', { error, uploadId: id })
    return undefined
  })
  await db
    .updateTable('objects')
    .set({ sizedAt: now, ...(color !== undefined && { color }) })
    .where('id', '=', id)
    .execute()
}

async function makeAll(storage: Storage, upload: { id: string; userId: string; sizeBytes: number }) {
  const { contentType } = await sniffStored(storage, upload.id, upload.sizeBytes)
  return makeSizes(storage, { ...upload, contentType })
}

async function sizeLeftImages(db: Db, storage: Storage) {
  for (const { id } of await findUnsized(db, { limit: BATCH })) await sizeImage(db, storage, id)
}
