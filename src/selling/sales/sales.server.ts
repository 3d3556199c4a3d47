import type { Config } from '../../kit/config.server.ts'
import type { Database } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { asJson, handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import type { Job } from '../../kit/jobs.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import { notifySellers } from '../news/news.server.ts'
import { addAllEvents, movePeriods } from './rollup.server.ts'
import { streamSales } from './sales.csv.server.ts'
import { getSale, getSales, listSales, SALES_CSV, SALES_STEP, WhichSales } from './sales.contract.ts'
import { readSale, readSales, readSalesPage } from './sales.store.server.ts'
import { openViews } from './views.server.ts'

const limits: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const downloads: Limit[] = [{ per: 'account', count: 10, seconds: 60 }]
const EVERY_SECONDS = 3

type Options = {
  database: Database
  config: Pick<Config, 'storeName'> & { sellersSeeEmail: boolean }
  publicUrl: string
}

/** The routes for sales and views, and the job that adds both to the daily sums. */
export function openSales({ database: { db, pool }, config, publicUrl }: Options) {
  const views = openViews(pool)
  const routes: Route[] = [
    views.route,

    handle(getSales, { limits }, ({ days }, { user, pool }) => readSales(pool, user.id, days)),

    handle(listSales, { limits, fences: ['members'] }, async (asked, { user, pool }) => {
      const { limit = SALES_STEP } = asked
      const { json, total, next } = await readSalesPage(pool, user.id, { ...asked, limit })
      return asJson(json, { 'x-total-count': String(total), ...(next && { link: linkTo({ ...asked, limit }, next) }) })
    }),

    handle(getSale, { limits }, ({ id }, { user, pool }) =>
      readSale(pool, user.id, id, config.sellersSeeEmail && !user.view),
    ),

    csvRoute,
  ]
  const jobs: Job[] = [
    {
      name: 'add_sales',
      everySeconds: EVERY_SECONDS,
      run: async () => {
        await addAllEvents(db, (tx, events) => notifySellers(tx, { config, publicUrl }, events))
        await movePeriods(db)
      },
    },
  ]
  return { routes, jobs, views }
}

function linkTo(asked: object, after: string): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...asked, after }))
    if (value !== undefined) query.set(name, String(value))
  return `</api/account/sales?${query}>; rel="next"`
}

const csvRoute = handleRaw(
  `GET ${SALES_CSV}`,
  {
    access: 'member',
    about: "The caller's sales as CSV, newest first, with the filters of the list.",
    limits: downloads,
  },
  async ({ user, query, pool, signal }) => {
    const asked = WhichSales.safeParse(Object.fromEntries(query))
    if (!asked.success) throw new Failure(400, 'days, productId and state are the filters of this table.', 'invalid')
    return {
      status: 200,
      headers: {
        ...COMMON,
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="sales.csv"',
        'cache-control': PERSONAL,
      },
      body: streamSales(pool, user!.id, asked.data, signal),
    }
  },
)
