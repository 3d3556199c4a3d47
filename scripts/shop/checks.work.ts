import type pg from 'pg'
import type { Config } from '../../src/kit/config.server.ts'
import { fail, type Finding, ok, warn } from './finding.ts'

// What waits and what went wrong. A minute or two is the queue's daily business.

export async function checkJobs(client: pg.ClientBase, nodes: number): Promise<Finding> {
  const { rows } = await client.query<{ waiting: number; oldestSeconds: number; failed: number; names: string | null }>(
    `SELECT count(*) FILTER (WHERE is_due)::int AS waiting,
       coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_due)), 0)::int AS "oldestSeconds",
       count(*) FILTER (WHERE attempts >= max_attempts)::int AS failed,
       string_agg(DISTINCT task_identifier, ', ') FILTER (WHERE attempts >= max_attempts) AS names
     FROM (SELECT *, run_at < now() AND locked_at IS NULL AND attempts < max_attempts AS is_due
       FROM graphile_worker.jobs) jobs`,
  )
  const { waiting, oldestSeconds, failed, names } = rows[0]!
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
  if (nodes === 0) return ok('jobs', `${says}; the next start works them off`)
  if (oldestSeconds < 120) return ok('jobs', says)
  return oldestSeconds < 900
    ? warn('jobs', says, 'look at the log; add a node when this lasts')
    : fail('jobs', says, 'no node works jobs off: look at the log, start the shop again')
}

/** Without a mail server they are kept on purpose; the line `mail` says whether that is right. */
export async function checkMails(client: pg.ClientBase, { smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (!smtpUrl) return checkKept(client)
  const { rows } = await client.query<{ late: number; error: string | null }>(
    `SELECT count(*)::int AS late, (array_agg(error ORDER BY created_at DESC) FILTER (WHERE error IS NOT NULL))[1] AS error
     FROM mails WHERE sent_at IS NULL AND created_at < now() - interval '10 minutes'`,
  )
  const { late, error } = rows[0]!
  if (late === 0) return ok('mails', 'all sent')
  const why = error ? `; last error: ${error.replace(/\s+/g, ' ').slice(0, 120)}` : ''
  return warn('mails', `${late} not sent after 10 minutes${why}`, 'see the line mail, and the table mails')
}

async function checkKept(client: pg.ClientBase): Promise<Finding> {
  const { rows } = await client.query<{ kept: number }>('SELECT count(*)::int AS kept FROM mails WHERE sent_at IS NULL')
  return ok('mails', `${rows[0]!.kept} kept, as no mail server is set`)
}

/** Money that needs a person, and books that do not balance, which must never be. */
export async function checkMoney(client: pg.ClientBase): Promise<Finding> {
  const { rows } = await client.query<{ sum: string; mismatched: number; refused: number; stuck: number }>(
    `SELECT (SELECT coalesce(sum(amount_cents), 0)::text FROM ledger_entries) AS sum,
       (SELECT count(*)::int FROM payments WHERE status = 'mismatched') AS mismatched,
       (SELECT count(*)::int FROM refunds WHERE status = 'failed') AS refused,
       (SELECT count(*)::int FROM refunds WHERE status = 'requested' AND created_at < now() - interval '1 hour') AS stuck`,
  )
  const { sum, mismatched, refused, stuck } = rows[0]!
  if (sum !== '0')
    return fail(
      'money',
      `the ledger's entries add up to ${sum} cents, not 0`,
      'stop selling; compare with the last backup',
    )
  const cases = [
    mismatched > 0 && `${mismatched} captures of another amount`,
    refused > 0 && `${refused} refunds refused by the provider`,
    stuck > 0 && `${stuck} refunds not made within an hour`,
  ].filter((text) => text !== false)
  if (cases.length === 0) return ok('money', 'the ledger balances, no refund is stuck')
  return warn('money', cases.join(', '), "compare the tables payments and refunds with the provider's desk")
}
