import type pg from 'pg'
import { handle, type Route } from '../kit/handle.server.ts'
import { fail, type Finding, ok, warn } from '../kit/health/finding.rules.ts'
import { findIn } from './scope.server.ts'
import { SHOP_RULES } from './check.server.ts'
import { listBreaches } from './breaches.contract.ts'
import { only } from '../kit/values/required.ts'

const MAX = 100

export const breachRoutes: Route[] = [
  handle(listBreaches, async (_, { db }) => {
    const rows = await db
      .selectFrom('ledgerBreaches')
      .select(['id', 'rule', 'violation', 'foundAt'])
      .where('endedAt', 'is', null)
      .orderBy('foundAt', 'desc')
      .orderBy('id')
      .limit(MAX)
      .execute()
    return rows.map(({ foundAt, ...breach }) => ({ ...breach, foundAt: foundAt.toISOString() }))
  }),
]

type Client = Pick<pg.Pool, 'query'>

const LATE_HOURS = 3
const LATE_DAYS = 3
const MEND = 'stop payouts, and run npm run shop -- ledger to see all of it'

export async function checkBreaches(client: Client): Promise<Finding> {
  const { rows } = await client.query<{
    count: number
    first: string | null
    hours: number | null
    unread: string | null
  }>(
    `SELECT (SELECT count(*)::int FROM ledger_breaches WHERE ended_at IS NULL) AS count,
       (SELECT rule || ': ' || violation FROM ledger_breaches WHERE ended_at IS NULL ORDER BY found_at LIMIT 1) AS first,
       (SELECT extract(epoch FROM now() - checked_at)::float8 / 3600 FROM ledger_checks) AS hours,
       (SELECT provider || ' for ' || day FROM reconciled_days WHERE compared_at IS NULL AND looked_at IS NOT NULL
          AND day < (now() AT TIME ZONE 'UTC')::date - ${LATE_DAYS}::int AND day > (now() AT TIME ZONE 'UTC')::date - 14
        ORDER BY day LIMIT 1) AS unread`,
  )
  const { count, first, hours, unread } = only(rows)
  if (count > 0) return fail('ledger', count === 1 ? first! : `${first} and ${count - 1} more`, MEND)
  if (hours === null) return ok('ledger', 'the first check comes within an hour')
  if (hours > LATE_HOURS)
    return warn('ledger', `not checked for ${Math.floor(hours)} hours`, 'see whether a node runs jobs')
  if (unread)
    return warn(
      'ledger',
      `the report of ${unread} could not be read, so it is not compared with the books`,
      'see the log for the reason; PayPal wants the permission "Transaction Search"',
    )
  return ok('ledger', 'no rule is broken')
}

/** The rules that sum up the ledger. The hourly check has the others. */
export const SUMS = ['LEDGER', 'CREDIT', 'EARNINGS']

/** Sums up the whole ledger, and counts payments that need a person. For operators: it reads large tables. */
export async function checkMoney(client: Client): Promise<Finding> {
  for (const rule of SHOP_RULES.filter(({ name }) => SUMS.includes(name))) {
    const [violation] = await findIn(client, { ...rule, scope: 'whole' }, [])
    if (violation) return fail('money', `${rule.name}: ${violation}`, MEND)
  }
  const { rows } = await client.query<{ mismatched: number; refused: number }>(
    `SELECT (SELECT count(*)::int FROM payments WHERE status = 'mismatched') AS mismatched,
       (SELECT count(*)::int FROM refunds r JOIN payments p ON p.id = r.payment_id
         WHERE r.status = 'failed' AND p.status <> 'refunded') AS refused`,
  )
  const { mismatched, refused } = only(rows)
  const cases = [
    mismatched > 0 && `${mismatched} captures of another amount`,
    refused > 0 && `${refused} refunds refused by the provider`,
  ].filter((text) => text !== false)
  if (cases.length === 0) return ok('money', 'the ledger agrees with sales and credit, no refund is stuck')
  return warn('money', cases.join(', '), "compare the tables payments and refunds with the provider's dashboard")
}
