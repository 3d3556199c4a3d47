import type pg from 'pg'
import type * as z from 'zod/mini'
import { Failure } from '../../kit/failure.ts'
import { asJson, type JsonText } from '../../kit/handle.server.ts'
import { only } from '../../kit/values/required.ts'
import { SALES_STEP, type WhichSales } from './sales.contract.ts'
import { showKey } from './soldKey.rules.ts'
import * as statements from './sales.statements.server.ts'

export async function readSales(pool: pg.Pool, sellerId: string, days: number): Promise<JsonText> {
  const summary = only(await statements.readSummary(pool, { sellerId, days }))
  if (!summary.isLate) return asJson(summary.json)
  // after midnight, until the job has moved the periods
  await statements.moveSums(pool, { sellerId })
  return asJson(only(await statements.readSummary(pool, { sellerId, days })).json)
}

export type AskedSales = z.output<typeof WhichSales>

/** Returns a page of sales, newest first. The total comes from the daily sums. */
export async function readSalesPage(
  pool: pg.Pool,
  sellerId: string,
  { days, productId, state, limit = SALES_STEP, after }: AskedSales & { limit?: number; after?: string | undefined },
) {
  const page = { sellerId, limit, after: after ?? null, days: days ?? null }
  if (state === 'refunded')
    return only(
      productId
        ? await statements.listRefundedOf(pool, { ...page, productId })
        : await statements.listRefunded(pool, page),
    )
  return only(
    productId
      ? await statements.listSalesOf(pool, { ...page, productId, state: state ?? null })
      : await statements.listSales(pool, { ...page, state: state ?? null }),
  )
}

/** Throws a Failure 404 unless the sale is the seller's. */
export async function readSale(pool: pg.Pool, sellerId: string, id: string, showsEmail: boolean): Promise<JsonText> {
  const [found] = await statements.readSale(pool, { sellerId, id, showsEmail })
  if (!found) throw new Failure(404, 'Sale not found')
  const { sale, license, ...rest } = found
  return asJson(JSON.stringify({ ...sale, ...rest, license: license && showKey(license) }))
}
