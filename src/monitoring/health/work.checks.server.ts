import type { Config } from '../../kit/config.server.ts'
import { fail, type Finding, off, ok, warn } from '../../kit/health/finding.rules.ts'
import type { On } from '../../kit/sql/statements.server.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './work.statements.server.ts'

// Checks waiting and failed jobs. A delay of a minute or two is normal.

export async function checkJobs(on: On, nodes: number): Promise<Finding> {
  const { waiting, oldestSeconds, failed, names } = only(await statements.readJobs(on, {}))
  if (failed > 0) {
    const mend =
      'see the log for the cause, mend it, then reset attempts: SELECT graphile_worker.reschedule_jobs(ARRAY[id], attempts => 0)'
    return fail(
      'jobs',
      `${failed} given up (${names})`,
      `${mend} FROM graphile_worker.jobs WHERE attempts >= max_attempts`,
    )
  }
  if (waiting === 0) return ok('jobs', 'none waits')
  const says = `${waiting} wait, the oldest for ${oldestSeconds} s`
  if (nodes === 0) return ok('jobs', `${says}; the next start runs them`)
  if (oldestSeconds < 120) return ok('jobs', says)
  return oldestSeconds < 900
    ? warn('jobs', says, 'check the log; add a node if this lasts')
    : fail('jobs', says, 'no node runs jobs: check the log and restart the shop')
}

export async function checkMails(on: On, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (!smtpUrl) {
    const { kept } = only(await statements.countUnsentMails(on, {}))
    if (kept === 0) return ok('mails', 'none waits')
    return warn('mails', `${kept} not sent, because no mail server is configured`, 'set SMTP_URL; /dev/mail shows them')
  }
  const { late, error } = only(await statements.readLateMails(on, {}))
  if (late === 0) return ok('mails', 'all sent')
  const why = error ? `; last error: ${error.replace(/\s+/g, ' ').slice(0, 120)}` : ''
  return warn('mails', `${late} not sent after 10 minutes${why}`, 'see the line mail, and the table mails')
}

// same limit as the alert PrimoBackupOld
const WANTED_EVERY_DAYS = 2
const TESTED_EVERY_DAYS = 45

export async function checkBackup(on: On): Promise<Finding> {
  const mend = 'run npm run shop -- backup <file>, or backup --to s3, and schedule it daily'
  const [last] = await statements.readLastBackup(on, {})
  if (!last) return warn('backup', 'no backup was made yet', mend)
  const says = `made ${daysAgo(last.days)}, by ${BY[last.store] ?? last.store}`
  return last.days > WANTED_EVERY_DAYS ? warn('backup', says, mend) : ok('backup', says)
}

const BY: Record<string, string> = {
  file: 'the shop, into a file',
  s3: 'the shop, into a bucket',
  pgbackrest: 'pgBackRest',
}
const daysAgo = (days: number) => (days < 1 ? 'today' : `${Math.floor(days)} days ago`)

/** Checks the last restore test of a backup. Warns at most, because the shop itself works. */
export async function checkRestoreTest(on: On): Promise<Finding> {
  const mend = 'run npm run shop -- backup check <file>, or --from s3, and schedule it monthly'
  const { hasBackup, isGood, says, days } = only(await statements.readLastRestoreTest(on, {}))
  if (isGood === null)
    return hasBackup
      ? warn('restore test', 'no backup was restored for a test yet', mend)
      : off('restore test', 'there is no backup to test', 'make a backup first')
  if (!isGood)
    return warn(
      'restore test',
      `failed ${daysAgo(days)}: ${says}`,
      'see docs/operating/alerts.md, PrimoRestoreTestFailed',
    )
  return days > TESTED_EVERY_DAYS
    ? warn('restore test', `passed ${daysAgo(days)}`, mend)
    : ok('restore test', `passed ${daysAgo(days)}: ${says}`)
}
