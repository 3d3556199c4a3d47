import type pg from 'pg'
import type { Terms } from '../../aftersale/refunds/approval.server.ts'
import { readRefundOffer } from '../../aftersale/refunds/refund.routes.server.ts'
import type { Config } from '../../kit/config.server.ts'
import type { Db } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { findOrders, listWaits, type OrderFile, readOrderFile } from './adminOrders.contract.ts'
import { readFile } from './orderFile.statements.server.ts'
import { readSearch } from './orderSearch.rules.ts'
import { searchOrders } from './orderSearch.server.ts'
import { countWaits } from './orderWaits.statements.server.ts'
import { lastOf } from '../../kit/values/required.ts'

const MANY = 25

type Settings = Pick<Config, 'smtpUrl'> & Terms

export const adminOrderRoutes = (config: Settings): Route[] => [
  handle(
    findOrders,
    { limits: [{ per: 'account', count: 240, seconds: 60 }] },
    async ({ q = '', status, productId, side, after, limit = MANY }, { db }) => {
      const search = readSearch(q)
      const found = search ? await searchOrders(db, { search, status, productId, side, after, limit: limit + 1 }) : []
      const page = found.slice(0, limit)
      const given = {
        ...(q && { q }),
        ...(status && { status }),
        ...(productId && { productId }),
        ...(side && { side }),
      }
      const asked = new URLSearchParams({ ...given, limit: String(limit) })
      const next = found.length > limit && `</api/admin/orders?${asked}&after=${lastOf(page).id}>; rel="next"`
      return asJson(JSON.stringify(page), next ? { link: next } : {})
    },
  ),
  handle(listWaits, { limits: [{ per: 'account', count: 240, seconds: 60 }] }, (_, { pool }) => countWaits(pool, {})),
  handle(readOrderFile, { limits: [{ per: 'account', count: 240, seconds: 60 }] }, ({ id }, page) =>
    fileOf(page, id, config),
  ),
]

async function fileOf({ db, pool }: { db: Db; pool: pg.Pool }, id: string, config: Settings): Promise<OrderFile> {
  const [row] = await readFile(pool, { id })
  if (!row) throw new Failure(404, 'Not found')
  const { json, creditCents, erasedAt } = row
  return {
    ...json,
    areMailsSent: config.smtpUrl !== undefined,
    offer: await readRefundOffer(db, { id, creditCents, erasedAt }, config),
  }
}
