import { addInnerFile, setChapters } from '../../catalogue/files.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import type { Storage } from '../../uploads/storage.server.ts'
import {
  addLessonFile,
  addPart,
  getOutline,
  getPart,
  orderParts,
  removeLessonFile,
  removePart,
  restorePart,
  saveChapters,
  savePart,
} from './outline.contract.ts'
import {
  changeOutline,
  deleteLessonFile,
  demandOwn,
  insertLessonFile,
  insertPart,
  readOutline,
  readPart,
  setDeleted,
  setOrder,
  updatePart,
} from './outline.store.server.ts'

const reads: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
const changes: Limit[] = [{ per: 'account', count: 120, seconds: 60 }]
/** Room for the longest lesson in four-byte characters. */
const bodyLimit = 128 * 1024

export function outlineRoutes({ storage, publicUrl }: { storage: Storage; publicUrl: string | undefined }): Route[] {
  return [
    handle(getOutline, { limits: reads }, async ({ id }, { user, db }) => {
      await demandOwn(db, { sellerId: user.id, id })
      return readOutline(db, id)
    }),

    handle(addPart, { limits: changes }, ({ id, afterId, ...part }, { user, db }) =>
      changeOutline(db, { sellerId: user.id, id }, (tx) => insertPart(tx, { productId: id, afterId, ...part })),
    ),

    handle(orderParts, { limits: changes }, ({ id, ids }, { user, db }) =>
      changeOutline(db, { sellerId: user.id, id }, (tx) => setOrder(tx, id, ids)),
    ),

    handle(removePart, { limits: changes }, ({ id, partId }, { user, db }) =>
      changeOutline(db, { sellerId: user.id, id }, (tx) => setDeleted(tx, id, partId, true)),
    ),

    handle(restorePart, { limits: changes }, ({ id, partId }, { user, db }) =>
      changeOutline(db, { sellerId: user.id, id }, (tx) => setDeleted(tx, id, partId, false)),
    ),

    handle(getPart, { limits: reads }, async ({ id, partId }, { user, db }) => {
      await demandOwn(db, { sellerId: user.id, id })
      return readPart(db, id, partId)
    }),

    handle(savePart, { limits: changes, bodyLimit }, ({ id, partId, ...given }, { user, db }) =>
      inTransaction(db, async (tx) => {
        await demandOwn(tx, { sellerId: user.id, id }, true)
        await updatePart(tx, id, partId, given)
        return readPart(tx, id, partId)
      }),
    ),

    handle(addLessonFile, { limits: changes }, async ({ id, partId, uploadURL }, caller) => {
      await demandOwn(caller.db, { sellerId: caller.user.id, id })
      await addInnerFile({ storage, publicUrl, ...caller }, { id, uploadURL }, (tx, fileId) =>
        insertLessonFile(tx, id, partId, fileId),
      )
      return readPart(caller.db, id, partId)
    }),

    handle(removeLessonFile, { limits: changes }, ({ id, partId, fileId }, { user, db }) =>
      inTransaction(db, async (tx) => {
        await demandOwn(tx, { sellerId: user.id, id }, true)
        const part = await readPart(tx, id, partId)
        await deleteLessonFile(tx, part.id, fileId)
        return readPart(tx, id, partId)
      }),
    ),

    handle(saveChapters, { limits: changes }, async ({ id, fileId, chapters }, { user, db }) => {
      await setChapters(db, user.id, { id, fileId, chapters })
      return { chapters }
    }),
  ]
}
