import { handle } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { required } from '../../kit/values/required.ts'
import { readTotals } from './totals.statements.server.ts'
import { getTotals } from './waiting.contract.ts'

export const totalsRoute = handle(
  getTotals,
  { limits: [{ per: 'account', count: 60, seconds: 60 }] },
  async (_, { pool }) => {
    const [today, week] = (await readTotals(pool, {})).map(({ revenue, refunded, fees, costs, ...row }) => ({
      orders: row.orders,
      sales: row.sales,
      newMembers: row.newMembers,
      revenue: toDecimal(revenue),
      refunded: toDecimal(refunded),
      fees: toDecimal(fees),
      costs: toDecimal(costs),
    }))
    return { today: required(today, 'the sums of today'), week: required(week, 'the sums of the week') }
  },
)
