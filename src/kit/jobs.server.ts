import { randomInt } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Logger, run, type Task, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database, Db, Tx } from './database.server.ts'
import { runAs } from './log/current.server.ts'
import { log } from './log/log.server.ts'
import { inSpan } from './log/trace.server.ts'

/** A kind of background work. It may run late or twice, so it must be idempotent; a throw means retry. */
export type Job = {
  name: string
  cron?: string
  run: (payload: Record<string, string>) => Promise<void>
}

/** Enqueues inside the caller's transaction: no commit, no job. Replaces a waiting job with the same `key`. */
export async function addJob(
  tx: Tx | Db,
  name: string,
  payload: Record<string, string>,
  {
    key = null,
    delaySeconds = 0,
    maxAttempts = 25,
  }: { key?: string | null; delaySeconds?: number; maxAttempts?: number } = {},
) {
  await sql`SELECT graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, run_at => now() + ${delaySeconds} * interval '1 second',
    job_key => ${key}, max_attempts => ${maxAttempts})`.execute(tx)
}

const SWEEP_MS = 5_000

/** Starts the workers of this node. `stop` waits for running jobs. */
export async function startJobs({
  url,
  database,
  jobs,
  concurrency = 4,
}: {
  url: string
  database: Database
  jobs: Job[]
  concurrency?: number
}) {
  const node = await holdNodeLock(url)
  const running = new Set<string>()
  const workerIds: string[] = []
  const taskList: Record<string, Task> = Object.fromEntries(
    jobs.map(({ name, run }) => [
      name,
      async (payload: unknown, { job }) => {
        running.add(job.id)
        try {
          const given = isPayload(payload) ? payload : {}
          await runAs({ requestId: `job-${job.id}` }, () => inSpan(`job ${name}`, {}, () => run(given)))
        } finally {
          running.delete(job.id)
        }
      },
    ]),
  )
  await unlockJobsOfDeadNodes(database)
  // the worker pool that locks jobs is created while the runner starts, so listen before
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => {
    workerIds.push(workerPool.id)
    node.register(workerPool.id)
  })
  const runner = await run({
    events,
    connectionString: url,
    maxPoolSize: concurrency + 2,
    concurrency,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: quietLogger,
    taskList,
    crontab: jobs
      .filter((job) => job.cron)
      .map((job) => `${job.cron} ${job.name} ?max=1&jobKey=${job.name}`)
      .join('\n'),
  })
  const sweep = setInterval(() => {
    unlockJobsOfDeadNodes(database)
      .then(() => unlockLostJobs(database, workerIds, running))
      .catch((error: unknown) => log.warn('abandoned jobs were not unlocked', { error }))
  }, SWEEP_MS)
  return {
    stop: async () => {
      clearInterval(sweep)
      await runner.stop()
      await node.release()
    },
  }
}

const isPayload = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quietLogger = new Logger(() => (level, message, meta) => {
  if (level === 'error') log.error(message, { error: (meta as { error?: unknown } | undefined)?.error })
  if (level === 'warning') log.warn(message)
})

const LOCK_SPACE = 715

/** Holds an advisory lock, which the database releases when this process dies. `register` records its workers. */
async function holdNodeLock(url: string) {
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
    const next = new pg.Client({ connectionString: url, application_name: 'primo node', keepAlive: true })
    next.on('error', () => undefined)
    next.on('end', () => {
      if (!isReleased) setTimeout(() => void hold().catch(() => undefined), 1000)
    })
    await next.connect()
    await next.query('SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, lock])
    // while the lock was lost, another node may have deleted our workers
    await writeWorkers(next)
    client = next
  }
  await hold()
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
 * Unlocks jobs that this node has locked and does not run: the database was away when their outcome should have been saved.
 * A job that a newer one of its key has replaced has no attempts left. It gets one more; otherwise it would stay in the
 * queue without ever running.
 */
export async function unlockLostJobs({ pool }: Database, workerIds: string[], running: ReadonlySet<string>) {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL,
       attempts = least(attempts, max_attempts - 1)
     WHERE locked_by = ANY ($1) AND locked_at < now() - interval '10 seconds' AND NOT id = ANY ($2::bigint[])`,
    [workerIds, [...running]],
  )
}
