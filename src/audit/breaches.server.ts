import { handle, type Route } from '../kit/handle.server.ts'
import { fail, type Finding, ok, warn } from '../kit/health/finding.rules.ts'
import type { On } from '../kit/sql/statements.server.ts'
import { only } from '../kit/values/required.ts'
import { listBreaches } from './breaches.contract.ts'
import { countStuck, sumUpBreaches } from './breaches.statements.server.ts'
import { findViolations } from './faults.server.ts'

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

const LATE_HOURS = 3
const LATE_DAYS = 3
const MEND = 'stop payouts, and run npm run shop -- ledger to see all of it'

export async function checkBreaches(on: On): Promise<Finding> {
  const { count, first, hours, unread } = only(await sumUpBreaches(on, { lateDays: LATE_DAYS }))
  if (first !== null) return fail('ledger', count === 1 ? first : `${first} and ${count - 1} more`, MEND)
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

/** Rules that sum the ledger. The hourly check covers the others. */
export const SUMS = ['LEDGER', 'CREDIT', 'EARNINGS']

/** Sums the ledger, and counts payments that need staff. For operators, because it reads large tables. */
export async function checkMoney(on: On): Promise<Finding> {
  const [first] = await findViolations(on, SUMS)
  if (first) return fail('money', `${first.rule}: ${first.violation}`, MEND)
  const { mismatched, refused } = only(await countStuck(on, {}))
  const cases = [
    mismatched > 0 && `${mismatched} captures of another amount`,
    refused > 0 && `${refused} refunds refused by the provider`,
  ].filter((text) => text !== false)
  if (cases.length === 0) return ok('money', 'the ledger agrees with sales and credit, no refund is stuck')
  return warn('money', cases.join(', '), "compare the tables payments and refunds with the provider's dashboard")
}
