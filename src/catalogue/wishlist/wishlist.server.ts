import { Failure } from '../../kit/failure.ts'
import { asJson, handle } from '../../kit/handle.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { listSaved, MAX_SAVED, saveProduct, unsaveProduct } from './wishlist.contract.ts'
import * as statements from './wishlist.statements.server.ts'
import { only } from '../../kit/values/required.ts'

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]

export const wishlistRoutes = [
  handle(listSaved, async (_, { user, pool }) => {
    return asJson(only(await statements.readSaved(pool, { userId: user.id })).json)
  }),

  handle(saveProduct, { limits }, async ({ id }, { user, pool }) => {
    const saved = only(await statements.saveProduct(pool, { userId: user.id, id, most: MAX_SAVED }))
    if (!saved.isWanted) throw new Failure(404, 'Product not found')
    if (!saved.isSaved) throw new Failure(409, `A wishlist can hold up to ${MAX_SAVED} products.`, 'wishlist_full')
    return { isSaved: true }
  }),

  handle(unsaveProduct, { limits }, async ({ id }, { user, pool }) => {
    await statements.removeSaved(pool, { userId: user.id, id })
    return { isSaved: false }
  }),
]
