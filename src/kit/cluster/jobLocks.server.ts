import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { type Database, NOTICING_LOSS } from '../database.server.ts'
import { log } from '../log/log.server.ts'
import { SocketClient } from '../socketClient.server.ts'

// Releases job locks. The nodes unlock the jobs of a dead node, and each node unlocks jobs that it lost.

export const CONNECT_MS = 5_000
/** A job is lost if its node has locked it for longer and does not run it. */
export const LOST_MS = 10_000

const LOCK_SPACE = 715
const HOLD_AGAIN_MS = 1_000

/** Holds an advisory lock, which the database releases when this process dies. `register` records its workers. */
export async function holdNodeLock(url: string) {
  const lock = randomInt(1, 2 ** 31)
  const workerIds: string[] = []
  let isReleased = false
  let client: pg.Client | null = null
  const writeWorkers = (on: pg.Client) =>
    on.query(
      'INSERT INTO job_workers (worker_id, node_lock) SELECT id, $2 FROM unnest($1::text[]) id ON CONFLICT DO NOTHING',
      [workerIds, lock],
    )
  const hold = async () => {
    const next = new SocketClient({
      connectionString: url,
      application_name: 'primo node',
      // the server may hold the lock of a lost connection for a while, so the wait for the lock times out on the server
      options: '-c lock_timeout=10000',
      ...NOTICING_LOSS,
      connectionTimeoutMillis: CONNECT_MS,
    })
    next.on('error', () => undefined)
    next.on('end', () => {
      if (!isReleased) setTimeout(holdAgain, HOLD_AGAIN_MS)
    })
    try {
      await next.connect()
      await next.query('SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, lock])
      // another node may have deleted our workers while this node had no lock
      await writeWorkers(next)
    } catch (error) {
      // the `end` event of the connection starts the next attempt
      next.cut()
      throw error
    }
    client = next
    if (isReleased) await next.end()
  }
  const holdAgain = () =>
    hold().catch((error: unknown) => log.warn('this node could not get its lock in the job queue', { error }))
  await hold().catch((error: unknown) => {
    isReleased = true
    throw error
  })
  return {
    register: (workerId: string) => {
      workerIds.push(workerId)
      if (client)
        writeWorkers(client).catch((error: unknown) => log.warn('a job worker could not be registered', { error }))
    },
    release: async () => {
      isReleased = true
      await client?.end().catch(() => undefined)
    },
  }
}

/** Unlocks the jobs of crashed nodes within seconds, and those of a node that never registered after a minute. */
export async function unlockJobsOfDeadNodes({ pool }: Database) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query<{ worker_id: string }>(
      `DELETE FROM job_workers WHERE node_lock IN (
         SELECT node_lock FROM (SELECT DISTINCT node_lock FROM job_workers) nodes
         WHERE pg_try_advisory_xact_lock($1, node_lock::int))
       RETURNING worker_id`,
      [LOCK_SPACE],
    )
    const unknown = await client.query<{ locked_by: string }>(
      `SELECT DISTINCT locked_by FROM graphile_worker.jobs
       WHERE locked_at < now() - interval '1 minute' AND locked_by NOT IN (SELECT worker_id FROM job_workers)`,
    )
    const ids = [...rows.map((row) => row.worker_id), ...unknown.rows.map((row) => row.locked_by)]
    if (ids.length > 0) await client.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [ids])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/**
 * Unlocks jobs that this node has locked and does not run, because the database was away when the node saved their outcome.
 * A job that a newer job of its key has replaced has no attempts left. Grants one more attempt. Otherwise the job would stay in
 * the queue without ever running.
 */
export async function unlockLostJobs({ pool }: Database, workerIds: string[], running: string[]) {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL,
       attempts = least(attempts, max_attempts - 1)
     WHERE locked_by = ANY ($1) AND locked_at < now() - $3 * interval '1 millisecond' AND NOT id = ANY ($2::bigint[])`,
    [workerIds, running, LOST_MS],
  )
  await pool.query(
    `UPDATE graphile_worker._private_job_queues queue SET locked_at = NULL, locked_by = NULL
     WHERE locked_by = ANY ($1) AND locked_at < now() - $2 * interval '1 millisecond'
       AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs WHERE job_queue_id = queue.id AND locked_at IS NOT NULL)`,
    [workerIds, LOST_MS],
  )
}

/**
 * Deletes failed runs of scheduled jobs that a newer run replaced while they ran. The newer run does their work. Without a key
 * graphile-worker never retries or deletes them.
 */
export async function forgetReplacedRuns({ pool }: Database, scheduled: string[]) {
  await pool.query(
    `DELETE FROM graphile_worker._private_jobs job USING graphile_worker._private_tasks task
     WHERE task.id = job.task_id AND task.identifier = ANY ($1) AND job.key IS NULL
       AND job.locked_at IS NULL AND job.attempts >= job.max_attempts`,
    [scheduled],
  )
}
