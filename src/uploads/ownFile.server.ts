import type { Db } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handleRaw } from '../kit/handle.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { sendFile } from './sendFile.server.ts'
import { sniffStored } from './checks/sniffStored.server.ts'
import type { Storage } from './storage.server.ts'

/** Serves the URL of 'Copy link', where the owner of an upload can download it. */
export function ownFileRoute(storage: Storage) {
  return handleRaw(
    'GET /objects/:id',
    { access: 'member', about: 'An upload of the caller, as a download. Accepts one range.' },
    async (page) => {
      const id = page.params.id
      const row = isUuid(id) ? await find(page.db, page.user.id, id) : undefined
      if (!row || row.sizeBytes === null || row.sha256 === null) throw new Failure(404, 'Not found')
      const { sizeBytes, sha256 } = row
      const { contentType, extension } = await sniffStored(storage, id, sizeBytes)
      const fileName = row.fileName ?? `upload.${extension}`
      return sendFile(page, storage, { key: id, fileName, contentType, sizeBytes, sha256 })
    },
  )
}

const find = (db: Db, userId: string, id: string) =>
  db
    .selectFrom('objects')
    .select(['fileName', 'sizeBytes', 'sha256'])
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('status', '<>', 'issued')
    .executeTakeFirst()
