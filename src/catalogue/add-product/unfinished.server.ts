import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { originOf, uploadIdOf } from '../../uploads/address.server.ts'
import { findUnused, freeAllUploads, freeUploads, keepUploads } from '../../uploads/binding.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import {
  type Entered,
  listUnfinished,
  MAX_UNFINISHED,
  removeUnfinished,
  saveUnfinished,
  UPLOADS_LAST_DAYS,
} from './unfinished.contract.ts'
import * as statements from './unfinished.statements.server.ts'

const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
// the browser saves a second after the last key
const changes: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]

const TOO_MANY = new Failure(
  409,
  `You have ${MAX_UNFINISHED} unfinished products. Create or delete one of them first.`,
  'too_many',
)

type UnfinishedOptions = { storage: Storage; publicUrl: string | undefined }

/** Products that members began in Add Product and did not create yet. */
export const unfinishedRoutes = ({ storage, publicUrl }: UnfinishedOptions): Route[] => [
  handle(listUnfinished, { limits: reads }, async (_, { user, db, pool, header }) => {
    const rows = await statements.listUnfinished(pool, { userId: user.id, limit: MAX_UNFINISHED })
    const origin = originOf(publicUrl, header)
    const idOf = ({ url }: Upload) => {
      try {
        return uploadIdOf(url, origin, storage)
      } catch {
        // the address of the shop has changed since
        return null
      }
    }
    const ids = rows.flatMap(({ entered }) => uploadsIn(entered).map(idOf)).filter((id) => id !== null)
    const unused = new Set<string | null>(await findUnused(db, { userId: user.id, ids }))
    const isUnused = (upload: Upload) => unused.has(idOf(upload))
    return rows.map(({ id, entered, updatedAt }) => ({
      id,
      entered: withUploads(entered, isUnused),
      updatedAt: updatedAt.toISOString(),
    }))
  }),

  handle(saveUnfinished, { limits: changes }, async ({ id, entered }, { user, db, header }) => {
    const ids = uploadsIn(entered).map(({ url }) => uploadIdOf(url, originOf(publicUrl, header), storage))
    await inTransaction(db, async (tx) => {
      await statements.lockUnfinished(tx, { userId: user.id })
      const saved = await statements.saveUnfinished(tx, { id, userId: user.id, entered, most: MAX_UNFINISHED })
      if (saved.length === 0) throw TOO_MANY
      await keepUploads(tx, { userId: user.id, keptFor: id, ids, days: UPLOADS_LAST_DAYS })
    })
    return { id }
  }),

  handle(removeUnfinished, { limits: changes }, async ({ id }, { user, db }) => {
    await inTransaction(db, async (tx) => {
      await statements.lockUnfinished(tx, { userId: user.id })
      await statements.removeUnfinished(tx, { id, userId: user.id })
      await freeUploads(tx, { userId: user.id, keptFor: id })
    })
    return { id }
  }),
]

type Upload = Entered['more'][number]

const uploadsIn = ({ image, file, more }: Entered) => [image, file, ...more].filter((upload) => upload !== null)

const withUploads = ({ image, file, more, ...texts }: Entered, isFit: (upload: Upload) => boolean): Entered => ({
  ...texts,
  image: image && isFit(image) ? image : null,
  file: file && isFit(file) ? file : null,
  more: more.filter(isFit),
})

export async function forgetUnfinishedOf(tx: Tx, userId: string) {
  await statements.forgetUnfinished(tx, { userId })
  await freeAllUploads(tx, userId)
}
