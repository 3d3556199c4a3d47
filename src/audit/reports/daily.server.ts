import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { bookFees } from '../../payments/fees/book.server.ts'
import type { Provider } from '../../payments/provider.ts'
import { type Checking, mailStaff } from '../check.server.ts'
import { describeDifference } from './reconcile.rules.ts'
import { reconcileDay } from './reconcile.server.ts'

// Once a day, compares each provider's report with the ledger and books the fees in the report. A difference is a breach with the
// scope 'report': staff get the same alert as for a broken rule. The job compares that day again until the difference is gone.

/** Hours after the end of a UTC day until its report is complete. PayPal's takes three. */
const REPORT_HOURS = 6
/** Days after which a difference is not looked for again. */
const MAX_DAYS = 30
const AT_ONCE = 5
const MAX_DIFFERENCES = 50

export type Daily = Checking & {
  providers: Pick<Provider, 'name' | 'label' | 'mode' | 'report' | 'books' | 'disputes'>[]
}
type Due = { provider: string; day: string }

/** Runs each hour: a report that cannot be read is asked for again once a day. */
export async function reconcileReports(daily: Daily): Promise<void> {
  await Promise.all(
    daily.providers.map(async (provider) => {
      if (!provider.report) return
      for (const { day } of await findDue(daily, provider)) await compare(daily, provider, day)
    }),
  )
  // after this time the job stops looking for an explanation
  await sql`UPDATE ledger_breaches SET ended_at = now()
    WHERE scope = 'report' AND ended_at IS NULL AND day <= (now() AT TIME ZONE 'UTC')::date - ${MAX_DAYS}::int`.execute(
    daily.db,
  )
}

/** Adds yesterday, and the days before it that no job added, to the provider's days. Answers those to compare, newest first. */
async function findDue({ db }: Pick<Daily, 'db'>, { name }: Daily['providers'][number]): Promise<Due[]> {
  await sql`INSERT INTO reconciled_days (provider, day)
    SELECT ${name}, last - back FROM (
      SELECT (now() AT TIME ZONE 'UTC' - ${REPORT_HOURS}::int * interval '1 hour')::date - 1 AS last) yesterday,
      generate_series(0, ${MAX_DAYS}::int) back
    WHERE last - back > coalesce((SELECT max(day) FROM reconciled_days WHERE provider = ${name}), last - 1)
    ON CONFLICT DO NOTHING`.execute(db)
  const { rows } = await sql<Due>`SELECT provider, day::text AS day FROM reconciled_days d
    WHERE provider = ${name} AND day > (now() AT TIME ZONE 'UTC')::date - ${MAX_DAYS}::int
      AND (looked_at IS NULL OR (looked_at < now() - interval '20 hours' AND (compared_at IS NULL OR fees_at IS NULL OR EXISTS (
        SELECT FROM ledger_breaches b WHERE b.ended_at IS NULL AND b.scope = 'report' AND (b.provider, b.day) = (d.provider, d.day)))))
    ORDER BY day DESC LIMIT ${AT_ONCE}`.execute(db)
  return rows
}

async function compare(daily: Daily, provider: Daily['providers'][number], day: string) {
  const { db, pool } = daily
  const about = { provider: provider.name, day }
  await sql`UPDATE reconciled_days SET looked_at = now() WHERE provider = ${provider.name} AND day = ${day}::date`.execute(
    db,
  )
  const reconciled = await reconcileDay(pool, provider, day)
  if (reconciled.kind === 'none') return
  if (reconciled.kind === 'unread')
    return log.warn('the report of a provider could not be read; retrying tomorrow', { ...about, why: reconciled.why })
  const all = reconciled.differences.map((one) => `${provider.label}, ${day}: ${describeDifference(one)}`).toSorted()
  const found = all.slice(0, MAX_DIFFERENCES)
  const fresh = await inTransaction(db, async (tx) => {
    await bookFees(tx, provider, reconciled.fees)
    const added = await record(tx, about, found, all.length <= MAX_DIFFERENCES)
    await sql`UPDATE reconciled_days SET compared_at = now(), fees_at = CASE WHEN ${!reconciled.hasPending} THEN now() END WHERE provider = ${provider.name} AND day = ${day}::date`.execute(
      tx,
    )
    if (added.length > 0)
      await mailStaff(
        tx,
        daily,
        added.map((violation) => ({ rule: RULE, violation })),
        {
          subject: `${provider.label}'s report differs from the books`,
          intro: 'The daily comparison of the payment provider’s report with the books found:',
          advice: `\`npm run shop -- ledger --day ${day}\` compares the day again.`,
        },
      )
    return added
  })
  for (const violation of fresh) log.error('a provider’s report differs from the books', { ...about, violation })
}

const RULE = 'REPORT'

/** Stores the differences of a day and ends those that are gone, unless some were left out. Answers the new ones. */
async function record(tx: Tx, { provider, day }: Due, found: string[], isAll: boolean): Promise<string[]> {
  const { rows } = await sql<{ violation: string }>`
    WITH given AS (SELECT violation, md5(violation)::uuid AS subject FROM unnest(${found}::text[]) violation),
    ended AS (UPDATE ledger_breaches b SET ended_at = now()
      WHERE ${isAll} AND scope = 'report' AND b.provider = ${provider} AND b.day = ${day}::date AND ended_at IS NULL
        AND NOT EXISTS (SELECT FROM given g WHERE g.subject = b.subject))
    INSERT INTO ledger_breaches (rule, scope, subject, violation, provider, day)
    SELECT DISTINCT ${RULE}, 'report', subject, violation, ${provider}, ${day}::date FROM given g WHERE NOT EXISTS (
      SELECT FROM ledger_breaches b WHERE b.ended_at IS NULL AND b.scope = 'report' AND b.subject = g.subject)
    RETURNING violation`.execute(tx)
  return rows.map(({ violation }) => violation)
}
