import type pg from 'pg'
import { Failure } from '../kit/failure.ts'
import { asJson, handle } from '../kit/handle.server.ts'
import { only } from '../kit/values/required.ts'
import { getOrder, listOrders, MANY_ORDERS, sumOrders } from './orders.contract.ts'
import { readOrders, readSums } from './purchases.statements.server.ts'
import { togetherRoutes } from './together/together.server.ts'

export const orderRoutes = [
  handle(
    listOrders,
    { limits: [{ per: 'account', count: 60, seconds: 60 }], fences: ['members'] },
    async ({ limit = MANY_ORDERS, after, status }, { user, pool }) => {
      const page = only(
        await readOrders(pool, { userId: user.id, id: null, limit, after: after ?? null, status: status ?? null }),
      )
      const { json, total, next } = page
      const rest = `${status ? `&status=${status}` : ''}&after=${next}`
      const link = next && `</api/orders?limit=${limit}${rest}>; rel="next"`
      return asJson(json, { 'x-total-count': String(total), ...(link && { link }) })
    },
  ),

  handle(sumOrders, async (_, { user, pool }) => asJson(only(await readSums(pool, { userId: user.id })).json)),

  handle(getOrder, async ({ id }, { user, pool }) => asJson(await readOrder(pool, user.id, id))),

  ...togetherRoutes,
]

/** Returns an order of this user as JSON text. Throws 404 for orders of other users. */
export async function readOrder(pool: pg.Pool, userId: string, id: string): Promise<string> {
  const { json } = only(await readOrders(pool, { userId, id, limit: 1, after: null, status: null }))
  if (json === '[]') throw new Failure(404, 'Not found')
  return json.slice(1, -1)
}
