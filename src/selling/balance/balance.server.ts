import type pg from 'pg'
import { Failure } from '../../kit/failure.ts'
import { type Answer, handle, handleRaw, type Page, type Route } from '../../kit/handle.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { isoOf } from '../../kit/sql/json.server.ts'
import { NET, readBalance } from '../../payments/balance.server.ts'
import { type FeeTerms, toPercent } from '../../payments/fee.rules.ts'
import { getBalance, getStatement, MONTH } from './balance.contract.ts'
import { toCsv } from './csv.rules.ts'
import { monthOf } from './statement.rules.ts'
import { readStatement } from './statement.store.server.ts'

const reads: Limit[] = [{ per: 'account', count: 60, seconds: 60 }]
const files: Limit[] = [{ per: 'account', count: 20, seconds: 60 }]

type Terms = { fee: FeeTerms; payoutHoldDays: number; storeName: string }

/** What a seller earned, its statements, and the statements as files. */
export function balanceRoutes({ fee, payoutHoldDays, storeName }: Terms): Route[] {
  const terms = {
    feePercent: toPercent(fee.basisPoints),
    fixedFee: toDecimal(fee.fixedCents),
    holdDays: payoutHoldDays,
  }
  return [
    handle(getBalance, { limits: reads }, async (_, { user, db, pool }) => {
      const [balance, { disputedCents, ...around }] = await Promise.all([
        readBalance(db, user.id),
        readAround(pool, user.id),
      ])
      return {
        available: toDecimal(balance.availableCents),
        // two queries, so the values may differ by changes in between
        pending: toDecimal(Math.max(0, balance.pendingCents - disputedCents)),
        disputed: toDecimal(Math.max(0, disputedCents)),
        paidOut: toDecimal(balance.paidOutCents),
        ...around,
        presentMonth: monthOf(Date.now()),
        terms,
      }
    }),

    handle(getStatement, { limits: reads }, ({ month = monthOf(Date.now()) }, { user, pool }) =>
      readStatement(pool, { sellerId: user.id, month }),
    ),

    handleRaw(
      'GET /api/account/balance/statement.csv',
      { access: 'member', about: 'A month of the statement as CSV, with each product of each day.', limits: files },
      async ({ user, query, pool }) => {
        const month = monthIn(query)
        const statement = await readStatement(pool, { sellerId: user!.id, month, most: null })
        return fileOf({ name: `statement-${month}.csv`, type: 'text/csv; charset=utf-8', body: toCsv(statement) })
      },
    ),

    handleRaw(
      'GET /api/account/balance/statement.pdf',
      { access: 'member', about: 'A month of the statement as PDF.', limits: files },
      async (page) => {
        const month = monthIn(page.query)
        const [statement, seller] = [
          await readStatement(page.pool, { sellerId: page.user!.id, month }),
          await nameOf(page),
        ]
        // loaded on demand, because few requests need its fonts and tables
        const { toPdf } = await import('./pdf.server.ts')
        const body = await toPdf({ account: page.user!.id, statement, seller, storeName })
        return fileOf({ name: `statement-${month}.pdf`, type: 'application/pdf', body })
      },
    ),
  ]
}

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

type Around = {
  pendingSales: number
  pendingUntil: string | null
  disputedSales: number
  disputedCents: number
  firstMonth: string | null
}

/** The sales on hold, and the month of the first movement. */
async function readAround(pool: pg.Pool, sellerId: string): Promise<Around> {
  const { rows } = await pool.query<Around>(
    `SELECT "pendingSales", "pendingUntil", "disputedSales", "disputedCents", to_char(first AT TIME ZONE 'UTC', 'YYYY-MM') AS "firstMonth"
     FROM (SELECT count(*)::int AS "pendingSales", ${isoOf('max(e.available_at)')} AS "pendingUntil"
         FROM earnings e WHERE e.seller_id = $1 AND e.available_at > now() AND NOT e.is_disputed AND ${NET} > 0) held,
       (SELECT count(*)::int AS "disputedSales", coalesce(sum(${NET}), 0)::bigint AS "disputedCents"
         FROM earnings e WHERE e.seller_id = $1 AND e.is_disputed) disputed,
       (SELECT min(created_at) AS first FROM ledger_entries WHERE account = 'seller:' || $1::uuid) ledger`,
    [sellerId],
  )
  return rows[0]!
}

async function nameOf({ db, user }: Page): Promise<string> {
  const { name } = await db.selectFrom('users').select('name').where('id', '=', user!.id).executeTakeFirstOrThrow()
  return name || user!.email
}
