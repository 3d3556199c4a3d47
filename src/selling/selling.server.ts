import { saveParts } from '../catalogue/bundles/parts.store.server.ts'
import { copyProduct } from '../catalogue/copy.store.server.ts'
import { editProduct as saveEdit } from '../catalogue/edit.server.ts'
import { changeKind as saveKind } from '../catalogue/kind.server.ts'
import { deleteProduct } from '../catalogue/removal.store.server.ts'
import { relistProducts, withdrawProducts } from '../catalogue/standing.store.server.ts'
import { saveVariants } from '../catalogue/variants/variants.store.server.ts'
import { saveStamp } from '../delivery/stamp/choice.server.ts'
import type { Stamps } from '../delivery/stamp/stamps.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import type { Storage } from '../uploads/storage.server.ts'
import { readOwnProduct, readOwnProducts, readParts } from './ownProducts.store.server.ts'
import {
  changeKind,
  duplicateProduct,
  editProduct,
  getOwnProduct,
  listOwnProducts,
  listParts,
  relistMany,
  relistProduct,
  removeProduct,
  setParts,
  setStamp,
  setVariants,
  withdrawMany,
  withdrawProduct,
} from './selling.contract.ts'

const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
// each change evicts the cached catalogue on every node
const changes: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
// the same limit as for new products
const copies: Limit[] = [{ per: 'account', count: 10, seconds: 3600, isShared: true }]

type SellingOptions = { storage: Storage; stamps: Stamps; publicUrl: string | undefined }

export function sellingRoutes({ storage, stamps, publicUrl }: SellingOptions): Route[] {
  return [
    handle(listOwnProducts, { limits: reads, fences: ['catalogue', 'reviews'] }, (asked, { user, pool }) =>
      readOwnProducts(pool, user.id, asked),
    ),

    handle(getOwnProduct, { limits: reads }, ({ id }, { user, pool }) => readOwnProduct(pool, user.id, id)),

    handle(editProduct, { limits: changes }, async (edit, caller) => {
      await saveEdit({ storage, publicUrl, ...caller }, edit)
      return readOwnProduct(caller.pool, caller.user.id, edit.id)
    }),

    handle(changeKind, { limits: changes }, async ({ id, delivery }, { user, db, pool }) => {
      await saveKind(db, { sellerId: user.id, id, delivery })
      return readOwnProduct(pool, user.id, id)
    }),

    handle(setStamp, { limits: changes }, async ({ id, isOn }, { user, db, pool }) => {
      await saveStamp(db, stamps, { sellerId: user.id, id, isOn })
      return readOwnProduct(pool, user.id, id)
    }),

    handle(setVariants, { limits: changes }, async (asked, { user, db, pool }) => {
      await saveVariants(db, { sellerId: user.id, ...asked })
      return readOwnProduct(pool, user.id, asked.id)
    }),

    handle(setParts, { limits: changes }, async (asked, { user, db, pool }) => {
      await saveParts(db, { sellerId: user.id, ...asked })
      return readOwnProduct(pool, user.id, asked.id)
    }),

    handle(listParts, { limits: reads }, async (_, { user, pool }) => readParts(pool, user.id)),

    handle(duplicateProduct, { limits: copies }, async ({ id }, { user, pool }) =>
      readOwnProduct(pool, user.id, await copyProduct(pool, { sellerId: user.id, id })),
    ),

    handle(withdrawMany, { limits: changes }, ({ ids }, { user, db }) =>
      withdrawProducts(db, { sellerId: user.id, ids }),
    ),

    handle(relistMany, { limits: changes }, ({ ids }, { user, db }) => relistProducts(db, { sellerId: user.id, ids })),

    handle(withdrawProduct, { limits: changes }, ({ id }, { user, db }) =>
      withdrawProducts(db, { sellerId: user.id, ids: [id] }),
    ),

    handle(relistProduct, { limits: changes }, async ({ id }, { user, db }) => {
      const moved = await relistProducts(db, { sellerId: user.id, ids: [id] })
      if (moved.refused.length > 0)
        throw new Failure(409, 'Add what buyers will get first: its file or its codes.', 'goods_missing')
      return moved
    }),

    handle(removeProduct, { limits: changes }, async ({ id }, { user, db }) => ({
      outcome: await deleteProduct(db, { sellerId: user.id, id }),
    })),
  ]
}
