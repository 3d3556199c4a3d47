import { ensureLines } from '../../cart/cart.store.server.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle } from '../../kit/handle.server.ts'
import { findOrder, linesOf, type OrderLineRow } from '../../orders/orders.store.server.ts'
import { buyAgain } from './again.contract.ts'
import { findOpen } from './again.statements.server.ts'
import { firstOf } from '../../kit/values/required.ts'

export const againRoute = handle(
  buyAgain,
  { limits: [{ per: 'account', count: 30, seconds: 60 }] },
  ({ id }, { user, db }) =>
    inTransaction(db, async (tx) => {
      const order = await findOrder(tx, id)
      if (order?.userId !== user.id) throw new Failure(404, 'Not found')
      const bought = wholesOf(await linesOf(tx, id))
      const ids = bought.map(({ productId }) => productId)
      const owned = new Set((await findOpen(tx, { ids, userId: user.id })).map((row) => row.id))
      const wanted = bought.filter(({ productId }) => !owned.has(productId))
      const added = await ensureLines(tx, user.id, wanted)
      return {
        added: added.size,
        gone: wanted.filter(({ productId }) => !added.has(productId)).map(({ title }) => title),
        owned: bought.filter(({ productId }) => owned.has(productId)).map(({ title }) => title),
      }
    }),
)

/** Replaces the lines of a bundle by one line for the bundle. */
const wholesOf = (lines: OrderLineRow[]) =>
  [...Map.groupBy(lines, ({ bundleId, productId }) => bundleId ?? productId)].map(([productId, parts]) => {
    const { bundleId, bundleTitle, title, quantity, priceCents } = firstOf(parts)
    return { productId, title: bundleTitle ?? title, quantity, priceCents: bundleId ? null : priceCents }
  })
