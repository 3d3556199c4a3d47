import type { Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { originOf, uploadIdOf } from '../../uploads/address.server.ts'
import { keepUploads } from '../../uploads/binding.server.ts'
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

/** What members typed into Add Product and did not create yet. */
export const unfinishedRoutes = ({ storage, publicUrl }: UnfinishedOptions): Route[] => [
  handle(listUnfinished, { limits: reads }, async (_, { user, pool }) => {
    const rows = await statements.listUnfinished(pool, { userId: user.id, limit: MAX_UNFINISHED })
    return rows.map(({ id, entered, updatedAt }) => ({ id, entered, updatedAt: updatedAt.toISOString() }))
  }),

  handle(saveUnfinished, { limits: changes }, async ({ id, entered }, { user, db, pool, header }) => {
    const saved = await statements.saveUnfinished(pool, { id, userId: user.id, entered, most: MAX_UNFINISHED })
    if (saved.length === 0) throw TOO_MANY
    const ids = uploadsIn(entered).map(({ url }) => uploadIdOf(url, originOf(publicUrl, header), storage))
    await keepUploads(db, { userId: user.id, ids, days: UPLOADS_LAST_DAYS })
    return { id }
  }),

  handle(removeUnfinished, { limits: changes }, async ({ id }, { user, pool }) => {
    await statements.removeUnfinished(pool, { id, userId: user.id })
    return { id }
  }),
]

const uploadsIn = ({ image, file, more }: Entered) => [image, file, ...more].filter((upload) => upload !== null)

export const forgetUnfinishedOf = (tx: Tx, userId: string) => statements.forgetUnfinished(tx, { userId })
