import { Failure } from '../../kit/failure.ts'
import { handle, type Route } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { only } from '../../kit/values/required.ts'
import { dismissReviews, getOverview, MANY_WAITING, NET_DAYS } from './overview.contract.ts'
import * as statements from './overview.statements.server.ts'

const limits = [{ per: 'account', count: 60, seconds: 60 }] as const

export const overviewRoutes: Route[] = [
  handle(getOverview, { limits: [...limits] }, async ({ limit = MANY_WAITING }, { user, pool }) => {
    const [income, waiting] = await Promise.all([
      statements.readIncome(pool, { sellerId: user.id, period: NET_DAYS }),
      statements.listWaiting(pool, { sellerId: user.id, limit }),
    ])
    const {
      salesToday,
      todayCents,
      heldCents,
      firstAt,
      firstCents,
      disputedSales,
      disputedCents,
      hasSold,
      followers,
      ...days
    } = only(income)
    return {
      hasSold,
      today: { sales: salesToday, net: toDecimal(todayCents) },
      incoming: {
        net: toDecimal(heldCents),
        first: firstAt === null ? null : { at: firstAt, net: toDecimal(firstCents) },
      },
      disputed: { sales: disputedSales, net: toDecimal(disputedCents) },
      from: days.firstDay,
      to: days.lastDay,
      days: days.days.map(({ day, cents }) => ({ day, net: toDecimal(cents) })),
      waiting: waiting.map(({ kind, id, title, at, until, cents }) => ({
        ...{ kind, id, title, at, until },
        amount: cents === null ? null : toDecimal(cents),
      })),
      waitingCount: waiting[0]?.total ?? 0,
      followers,
    }
  }),

  handle(dismissReviews, { limits: [...limits] }, async ({ id, at }, { user, pool }) => {
    const seen = await statements.dismissReviews(pool, { productId: id, sellerId: user.id, at })
    if (seen.length === 0) throw new Failure(404, 'Not found')
    return { id }
  }),
]
