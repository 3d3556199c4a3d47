import type { Config } from '../../kit/config.server.ts'
import { asJson, handle, type Route } from '../../kit/handle.server.ts'
import { findOrders, readOrderFile } from './adminOrders.contract.ts'
import { fileOf } from './orderDetails.server.ts'
import { readSearch } from './orderSearch.rules.ts'
import { searchOrders } from './orderSearch.server.ts'

const MANY = 25

export const adminOrderRoutes = (config: Pick<Config, 'smtpUrl'>): Route[] => [
  handle(
    findOrders,
    { limits: [{ per: 'account', count: 240, seconds: 60 }] },
    async ({ q = '', status, after, limit = MANY }, { db }) => {
      const search = readSearch(q)
      const found = search ? await searchOrders(db, { search, status, after, limit: limit + 1 }) : []
      const page = found.slice(0, limit)
      const asked = new URLSearchParams({ ...(q && { q }), ...(status && { status }), limit: String(limit) })
      const next = found.length > limit && `</api/admin/orders?${asked}&after=${page.at(-1)!.id}>; rel="next"`
      return asJson(JSON.stringify(page), next ? { link: next } : {})
    },
  ),
  handle(readOrderFile, { limits: [{ per: 'account', count: 240, seconds: 60 }] }, ({ id }, page) =>
    fileOf(page, id, config),
  ),
]
