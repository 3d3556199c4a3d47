import { type Db, inTransaction } from '../../kit/database.server.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { originOf, uploadIdOf } from '../../uploads/address.server.ts'
import { deleteDrafts } from '../drafts.store.server.ts'
import { askingCents, chosenKind, refuseCategory } from '../edit.server.ts'
import { type Owner, setFiles } from '../files.server.ts'
import { createFileDraft } from './fileDraft.contract.ts'

type FileDraftOptions = Pick<Owner, 'storage' | 'publicUrl' | 'refuseUnstampable'>

/** Makes drafts of many files that a seller uploaded at once, one in each call. */
export const fileDraftRoute = (options: FileDraftOptions): Route =>
  handle(
    createFileDraft,
    // a seller uploads at most 20 files at once
    { limits: [{ per: 'account', count: 60, seconds: 3600, isShared: true }] },
    async ({ title, description, price, categoryId, delivery = 'file', digitalFileURL }, caller) => {
      const { db, user, header } = caller
      const uploadId = uploadIdOf(digitalFileURL, originOf(options.publicUrl, header), options.storage)
      const made = await findDraftOf(db, { sellerId: user.id, uploadId })
      if (made) return made
      const cents = askingCents({ price })
      const { id } = await db
        .insertInto('products')
        .values({
          ...{ title, description: description ?? '', categoryId, sellerId: user.id, isActive: false },
          ...cents,
          ...chosenKind(delivery, cents),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
        .catch(refuseCategory)
      try {
        await setFiles({ ...options, ...caller }, { id, digitalFileURL })
      } catch (error) {
        await inTransaction(db, (tx) => deleteDrafts(tx, user.id, [id]))
        throw error
      }
      return { id }
    },
  )

/** Finds the draft that an earlier call with the same upload made. */
const findDraftOf = (db: Db, { sellerId, uploadId }: { sellerId: string; uploadId: string }) =>
  db
    .selectFrom('productFiles')
    .innerJoin('products', 'products.id', 'productFiles.productId')
    .select('products.id')
    .where('productFiles.objectId', '=', uploadId)
    .where('products.sellerId', '=', sellerId)
    .where('products.isActive', '=', false)
    .where('products.withdrawnAt', 'is', null)
    .where('products.deletedAt', 'is', null)
    .executeTakeFirst()
