import { handle } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { only } from '../../kit/values/required.ts'
import { readTotals } from './totals.statements.server.ts'
import { getTotals, TOTALS_DAYS } from './waiting.contract.ts'

export const totalsRoute = handle(
  getTotals,
  { limits: [{ per: 'account', count: 60, seconds: 60 }] },
  async (_, { pool }) => {
    const { revenue, refunded, fees, costs, ...counts } = only(await readTotals(pool, { days: TOTALS_DAYS }))
    return {
      ...counts,
      revenue: toDecimal(revenue),
      refunded: toDecimal(refunded),
      fees: toDecimal(fees),
      costs: toDecimal(costs),
    }
  },
)
