import type pg from 'pg'
import type { Config } from '../../kit/config.server.ts'
import { fail, type Finding, off, ok, warn } from '../../kit/health/finding.rules.ts'
import { only } from '../../kit/values/required.ts'

type Client = Pick<pg.Pool, 'query'>

// Waiting and failed work. A delay of a minute or two is normal.

export async function checkJobs(client: Client, nodes: number): Promise<Finding> {
  const { rows } = await client.query<{ waiting: number; oldestSeconds: number; failed: number; names: string | null }>(
    `SELECT count(*) FILTER (WHERE is_due)::int AS waiting,
       coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_due)), 0)::int AS "oldestSeconds",
       count(*) FILTER (WHERE has_failed)::int AS failed,
       string_agg(DISTINCT task_identifier, ', ') FILTER (WHERE has_failed) AS names
     FROM (SELECT *, run_at < now() AND locked_at IS NULL AND attempts < max_attempts AS is_due,
         -- a job that runs has its attempt counted already
         locked_at IS NULL AND attempts >= max_attempts AS has_failed
       FROM graphile_worker.jobs) jobs`,
  )
  const { waiting, oldestSeconds, failed, names } = only(rows)
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

export async function checkMails(client: Client, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (!smtpUrl) {
    const { rows } = await client.query<{ kept: number }>(
      'SELECT count(*)::int AS kept FROM mails WHERE sent_at IS NULL',
    )
    const { kept } = only(rows)
    if (kept === 0) return ok('mails', 'none waits')
    return warn('mails', `${kept} not sent, because no mail server is configured`, 'set SMTP_URL; /dev/mail shows them')
  }
  const { rows } = await client.query<{ late: number; error: string | null }>(
    `SELECT count(*)::int AS late, (array_agg(error ORDER BY created_at DESC) FILTER (WHERE error IS NOT NULL))[1] AS error
     FROM mails WHERE sent_at IS NULL AND created_at < now() - interval '10 minutes'
       -- one that was refused for good is news for a week
       AND (refused_at IS NULL OR refused_at > now() - interval '7 days')`,
  )
  const { late, error } = only(rows)
  if (late === 0) return ok('mails', 'all sent')
  const why = error ? `; last error: ${error.replace(/\s+/g, ' ').slice(0, 120)}` : ''
  return warn('mails', `${late} not sent after 10 minutes${why}`, 'see the line mail, and the table mails')
}

// as the alert PrimoBackupOld
const WANTED_EVERY_DAYS = 2
const TESTED_EVERY_DAYS = 45

export async function checkBackup(client: Client): Promise<Finding> {
  const mend = 'run npm run shop -- backup <file>, or backup --to s3, and schedule it daily'
  const { rows } = await client.query<{ days: number; store: string }>(
    `SELECT extract(epoch FROM now() - made_at)::float8 / 86400 AS days, store FROM backups ORDER BY made_at DESC LIMIT 1`,
  )
  const last = rows[0]
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

/** Whether a backup could be restored. Warns at most: the shop itself works. */
export async function checkRestoreTest(client: Client): Promise<Finding> {
  const mend = 'run npm run shop -- backup check <file>, or --from s3, and schedule it monthly'
  const { rows } = await client.query<{ hasBackup: boolean; isGood: boolean | null; says: string; days: number }>(
    `SELECT EXISTS (SELECT FROM backups) AS "hasBackup", t.is_good AS "isGood", t.says,
       extract(epoch FROM now() - t.tested_at)::float8 / 86400 AS days
     FROM (VALUES (1)) one LEFT JOIN (SELECT * FROM restore_tests ORDER BY tested_at DESC LIMIT 1) t ON true`,
  )
  const { hasBackup, isGood, says, days } = only(rows)
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
