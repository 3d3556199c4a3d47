import { handle } from '../../kit/handle.server.ts'
import { statement } from '../../kit/database.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { getTotals, TOTALS_DAYS } from './waiting.contract.ts'

type Row = {
  orders: number
  sales: number
  revenue: number
  refunded: number
  fees: number
  costs: number
  newMembers: number
}

const readTotals = statement<Row, []>(
  'shop_totals',
  `WITH since AS (SELECT utc_day(now()) - ${TOTALS_DAYS - 1} AS day)
  SELECT coalesce(sum(orders), 0)::int AS orders, coalesce(sum(sales), 0)::int AS sales, coalesce(sum(gross_cents), 0)::bigint AS revenue,
    coalesce(sum(returned_cents), 0)::bigint AS refunded, coalesce(sum(fee_cents), 0)::bigint AS fees,
    (SELECT coalesce(sum(amount_cents), 0)::bigint FROM provider_fees WHERE charged_at >= (SELECT day FROM since)) AS costs,
    (SELECT count(*)::int FROM users WHERE erased_at IS NULL AND created_at >= (SELECT day FROM since)) AS "newMembers"
  FROM sales_days WHERE kind = 'all' AND day >= (SELECT day FROM since)`,
)

export const totalsRoute = handle(
  getTotals,
  { limits: [{ per: 'account', count: 60, seconds: 60 }] },
  async (_, { pool }) => {
    const [row] = await readTotals(pool)
    if (!row) throw new Error('the query of the totals returned no row')
    const { revenue, refunded, fees, costs, ...counts } = row
    return {
      ...counts,
      revenue: toDecimal(revenue),
      refunded: toDecimal(refunded),
      fees: toDecimal(fees),
      costs: toDecimal(costs),
    }
  },
)
