import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Page, type Route, type User } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { only } from '../../kit/values/required.ts'
import { readBalance } from '../../payments/balance.server.ts'
import { readAround } from './statement.statements.server.ts'
import { type FeeTerms, toPercent } from '../../payments/fee.rules.ts'
import { getBalance, getStatement, MONTH, type Statement } from './balance.contract.ts'
import { toCsv } from './csv.rules.ts'
import { monthOf } from './statement.rules.ts'
import { readStatement } from './statement.store.server.ts'

const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const files: Limit[] = [{ per: 'account', count: 20, seconds: 60 }]

type Terms = { fee: FeeTerms; payoutHoldDays: number; storeName: string }

/** The routes for the balance of a seller and for statements, also as files. */
export function balanceRoutes({ fee, payoutHoldDays, storeName }: Terms): Route[] {
  const terms = {
    feePercent: toPercent(fee.basisPoints),
    fixedFee: toDecimal(fee.fixedCents),
    holdDays: payoutHoldDays,
  }
  return [
    handle(getBalance, { limits: reads }, async (_, { user, db, pool }) => {
      const [balance, rows] = await Promise.all([readBalance(db, user.id), readAround(pool, { sellerId: user.id })])
      const { disputedCents, ...around } = only(rows)
      return {
        available: toDecimal(balance.availableCents),
        // two queries read the values, so a change between the queries could make the difference negative
        pending: toDecimal(Math.max(0, balance.pendingCents - disputedCents)),
        disputed: toDecimal(Math.max(0, disputedCents)),
        paidOut: toDecimal(balance.paidOutCents),
        ...around,
        presentMonth: monthOf(Date.now()),
        terms,
      }
    }),

    handle(getStatement, { limits: reads }, async ({ month = monthOf(Date.now()) }, { user, pool }) => {
      const statement = await readStatement(pool, { sellerId: user.id, month })
      return user.view ? withoutDestinations(statement) : statement
    }),

    handleRaw(
      'GET /api/account/balance/statement.csv',
      { access: 'member', about: 'A month of the statement as CSV, with each product of each day.', limits: files },
      async ({ user, query, pool }) => {
        const month = monthIn(query)
        const statement = await readStatement(pool, { sellerId: user.id, month, most: null })
        return fileOf({ name: `statement-${month}.csv`, type: 'text/csv; charset=utf-8', body: toCsv(statement) })
      },
    ),

    handleRaw(
      'GET /api/account/balance/statement.pdf',
      { access: 'member', about: 'A month of the statement as PDF.', limits: files },
      async (page) => {
        const month = monthIn(page.query)
        const [statement, seller] = [
          await readStatement(page.pool, { sellerId: page.user.id, month }),
          await nameOf(page),
        ]
        // loaded on demand, because few requests need its fonts and tables
        const { toPdf } = await import('./pdf.server.ts')
        const body = await toPdf({ account: page.user.id, statement, seller, storeName })
        return fileOf({ name: `statement-${month}.pdf`, type: 'application/pdf', body })
      },
    ),
  ]
}

/** Staff who see the shop as a member see no way to pay. */
const withoutDestinations = (statement: Statement): Statement => ({
  ...statement,
  movements: statement.movements.map((movement) =>
    movement.kind.startsWith('payout') ? { ...movement, title: null } : movement,
  ),
})

function monthIn(query: URLSearchParams): string {
  const month = query.get('month') ?? monthOf(Date.now())
  if (!MONTH.test(month)) throw new Failure(400, 'Name the month like 2026-11.')
  return month
}

const fileOf = ({ name, type, body }: { name: string; type: string; body: string | Buffer }): Answer => ({
  status: 200,
  headers: {
    ...COMMON,
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': PERSONAL,
  },
  body,
})

async function nameOf({ db, user }: Page & { user: User }): Promise<string> {
  const { name } = await db.selectFrom('users').select('name').where('id', '=', user.id).executeTakeFirstOrThrow()
  return name || user.email
}
