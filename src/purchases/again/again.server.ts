import { sql } from 'kysely'
import { ensureLines } from '../../cart/cart.store.server.ts'
import { ONE_IS_ENOUGH } from '../../catalogue/kinds.rules.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle } from '../../kit/handle.server.ts'
import { findOrder, linesOf, type OrderLineRow } from '../../orders/orders.store.server.ts'
import { buyAgain } from './again.contract.ts'

export const againRoute = handle(
  buyAgain,
  { limits: [{ per: 'account', count: 30, seconds: 60 }] },
  ({ id }, { user, db }) =>
    inTransaction(db, async (tx) => {
      const order = await findOrder(tx, id)
      if (order?.userId !== user.id) throw new Failure(404, 'Not found')
      const bought = wholesOf(await linesOf(tx, id))
      const owned = await findOwned(tx, user.id, bought)
      const wanted = bought.filter(({ productId }) => !owned.has(productId))
      const added = await ensureLines(tx, user.id, wanted)
      return {
        added: added.size,
        gone: wanted.filter(({ productId }) => !added.has(productId)).map(({ title }) => title),
        owned: bought.filter(({ productId }) => owned.has(productId)).map(({ title }) => title),
      }
    }),
)

/** The lines of a bundle become the bundle. */
const wholesOf = (lines: OrderLineRow[]) =>
  [...Map.groupBy(lines, ({ bundleId, productId }) => bundleId ?? productId)].map(([productId, [first]]) => ({
    ...{ productId, title: first!.bundleTitle ?? first!.title },
    ...{ quantity: first!.quantity, priceCents: first!.bundleId ? null : first!.priceCents },
  }))

/** What the member can open, of goods of which one copy is enough. */
async function findOwned(tx: Tx, userId: string, bought: { productId: string }[]): Promise<Set<string>> {
  const ids = bought.map(({ productId }) => productId)
  const { rows } = await sql<{ id: string }>`SELECT p.id FROM products p WHERE p.id = ANY (${ids}::uuid[])
    AND p.delivery = ANY (${ONE_IS_ENOUGH}::text[])
    AND EXISTS (SELECT FROM open_copy o WHERE o.user_id = ${userId}::uuid AND o.product_id = p.id)`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
