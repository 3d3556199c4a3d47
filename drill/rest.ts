import { setTimeout as pause } from 'node:timers/promises'
import { findViolations } from './invariants.ts'
import type { Shopper, World } from './world.ts'
import { only } from '../src/kit/values/required.ts'

// Moves due times, so that the shop does the work of the next hour at once.

// The shop closed these payments, but the buyer could still pay on Stripe's page.
const UNCLOSED = `provider = 'stripe' AND status IN ('canceled', 'expired', 'failed') AND provider_order_id IS NOT NULL
  AND closed_at IS NULL`

const OPEN = `SELECT
  (SELECT count(*)::int FROM orders WHERE status = 'pending') AS "pending orders",
  (SELECT count(*)::int FROM payments WHERE status IN ('creating', 'created', 'capturing')) AS "open payments",
  (SELECT count(*)::int FROM payments WHERE ${UNCLOSED}) AS "unclosed payments",
  (SELECT count(*)::int FROM refunds WHERE status = 'requested') AS "requested refunds",
  (SELECT count(*)::int FROM webhook_events WHERE processed_at IS NULL) AS "unread webhooks",
  (SELECT count(*)::int FROM sandbox.events WHERE deliveries_left > 0) AS "undelivered webhooks",
  (SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier IN ('webhook', 'refund', 'send_mail', 'reconcile_payment')
    AND (attempts < max_attempts OR last_error IS NOT NULL)) AS "waiting jobs"`

/**
 * Runs the reconciler and all jobs until nothing is open: captures approved payments, then expires unpaid orders.
 * Throws after `seconds`.
 */
export async function comeToRest({ database: { pool } }: World, { seconds = 90 } = {}) {
  const end = performance.now() + seconds * 1000
  for (let round = 0; ; round++) {
    await pool.query(`UPDATE payments SET updated_at = now() - interval '5 minutes',
        lease_until = least(lease_until, now() - interval '1 second')
      WHERE status IN ('creating', 'created', 'capturing', 'declined')`)
    if (round > 0) {
      await pool.query(`UPDATE orders SET expires_at = now() - interval '1 second'
        WHERE status = 'pending' AND expires_at > now()`)
    }
    await pool.query(`UPDATE payments SET updated_at = now() - interval '1 day' WHERE ${UNCLOSED}`)
    await pool.query(`UPDATE webhook_events SET due_at = now() WHERE processed_at IS NULL`)
    await pool.query(`UPDATE sandbox.events SET due_at = now() WHERE deliveries_left > 0 AND due_at > now()`)
    await pool.query(`SELECT graphile_worker.add_job(name, job_key => 'drill ' || name)
      FROM unnest(ARRAY['reconcile', 'close_payments']) name`)
    // resets the attempts: retries that normally take hours run here within seconds and would use them up
    await pool.query(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now(), attempts => 0)
      FROM graphile_worker.jobs WHERE locked_at IS NULL`)
    await waitForJob(pool, end)
    const { rows } = await pool.query<Record<string, number>>(OPEN)
    const left = Object.entries(only(rows)).filter(([, count]) => count > 0)
    if (left.length === 0) return
    if (performance.now() > end)
      throw new Error(
        `not at rest: ${left.map(([what, n]) => `${n} ${what}`).join(', ')}; ${(await describeJobs(pool)).join('; ')}`,
      )
    await pause(100)
  }
}

async function describeJobs(pool: World['database']['pool']): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT format('%s %s, try %s of %s, %s: %s', task_identifier, key, attempts, max_attempts,
       CASE WHEN locked_at IS NULL THEN 'not running' ELSE 'running' END, coalesce(left(last_error, 300), 'no error')) AS text
     FROM graphile_worker.jobs WHERE attempts > 0 ORDER BY id LIMIT 5`,
  )
  return rows.map(({ text }) => text)
}

async function waitForJob(pool: World['database']['pool'], end: number) {
  const isWaiting = async () =>
    (await pool.query(`SELECT FROM graphile_worker.jobs WHERE starts_with(key, 'drill ')`)).rowCount !== 0
  while ((await isWaiting()) && performance.now() < end) await pause(30)
}

export async function findViolationsAtRest(world: World, shoppers: Shopper[] = []): Promise<string[]> {
  return findViolations(world.databaseUrl, await world.captures(), {
    seen: shoppers.map(({ seen }) => seen),
    ...(world.objectsDir && { objectsDir: world.objectsDir }),
  })
}

export async function countOrders({ database: { pool } }: World) {
  const { rows } = await pool.query<Record<'pending' | 'completed' | 'failed' | 'refunded' | 'covered', number>>(
    `SELECT (count(*) FILTER (WHERE status = 'completed' AND credit_cents = total_cents))::int AS covered, ${[
      'pending',
      'completed',
      'failed',
      'refunded',
    ]
      .map((status) => `(count(*) FILTER (WHERE status = '${status}'))::int AS ${status}`)
      .join(', ')} FROM orders`,
  )
  return only(rows)
}
