import { inTransaction } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { bookFees } from '../../payments/fees/book.server.ts'
import type { Provider } from '../../payments/provider.ts'
import { mailStaff } from '../breaches.mail.server.ts'
import type { Checking } from '../check.server.ts'
import { describeDifference } from './reconcile.rules.ts'
import { reconcileDay } from './reconcile.server.ts'
import {
  addDueDays,
  endOldDifferences,
  findDueDays,
  markCompared,
  markRead,
  recordDifferences,
} from './reconciledDays.statements.server.ts'

// Compares each provider's report with the ledger once a day and books its fees. A difference is a breach with the
// scope 'report', and staff are alerted. The job compares the day again until the difference is gone.

/** Hours after the end of a UTC day until its report is complete. PayPal needs three. */
const REPORT_HOURS = 6
/** Days after which the job stops comparing a day with a difference. */
const MAX_DAYS = 30
const AT_ONCE = 5
const MAX_DIFFERENCES = 50

export type Daily = Checking & {
  providers: Pick<Provider, 'name' | 'label' | 'mode' | 'report' | 'books' | 'disputes'>[]
}

/** Runs each hour. Retries an unreadable report once a day. */
export async function reconcileReports(daily: Daily): Promise<void> {
  await Promise.all(
    daily.providers.map(async (provider) => {
      if (!provider.report) return
      for (const { day } of await findDue(daily, provider)) await compare(daily, provider, day)
    }),
  )
  // after this time the job stops looking for an explanation
  await endOldDifferences(daily.db, { maxDays: MAX_DAYS })
}

async function findDue({ db }: Pick<Daily, 'db'>, { name: provider }: Daily['providers'][number]) {
  await addDueDays(db, { provider, reportHours: REPORT_HOURS, maxDays: MAX_DAYS })
  return findDueDays(db, { provider, maxDays: MAX_DAYS, max: AT_ONCE })
}

async function compare(daily: Daily, provider: Daily['providers'][number], day: string) {
  const { db, pool } = daily
  const about = { provider: provider.name, day }
  await markRead(db, about)
  const reconciled = await reconcileDay(pool, provider, day)
  if (reconciled.kind === 'none') return
  if (reconciled.kind === 'unread')
    return log.warn('the report of a provider could not be read; retrying tomorrow', { ...about, why: reconciled.why })
  const all = reconciled.differences.map((one) => `${provider.label}, ${day}: ${describeDifference(one)}`).toSorted()
  const found = all.slice(0, MAX_DIFFERENCES)
  const fresh = await inTransaction(db, async (tx) => {
    await bookFees(tx, provider, reconciled.fees)
    const isAll = all.length <= MAX_DIFFERENCES
    const added = (await recordDifferences(tx, { ...about, found, isAll })).map(({ violation }) => violation)
    await markCompared(tx, { ...about, hasFees: !reconciled.hasPending })
    if (added.length > 0)
      await mailStaff(
        tx,
        daily,
        added.map((violation) => ({ rule: 'REPORT', violation })),
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
