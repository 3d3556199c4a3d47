import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Logger, run, type Runner, type Task, type WorkerEvents } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import { type Database, type Db, NOTICING_LOSS, openPool, retryWhileAway, type Tx } from './database.server.ts'
import {
  CONNECT_MS,
  forgetReplacedRuns,
  holdNodeLock,
  LOST_MS,
  unlockJobsOfDeadNodes,
  unlockLostJobs,
} from './cluster/jobLocks.server.ts'
import { addJob as insertJob, deleteEmptyQueues } from './cluster/jobs.statements.server.ts'
import { runAs } from './log/current.server.ts'
import { log } from './log/log.server.ts'
import { inSpan } from './log/trace.server.ts'
import { SocketClient } from './socketClient.server.ts'

/**
 * Number of workers of a node for each kind of work. If all jobs of a kind hang, the other kinds still run. `money`
 * calls payment providers, `supply` the supplier of paid codes, `hooks` servers of members, `outside` other services;
 * `files` reads large files. `money` has `LANES` workers for each of three providers, and three for periodic jobs.
 */
export const WORKERS = { money: 12, supply: 2, hooks: 2, outside: 2, files: 2, other: 3 } as const
export type Pool = keyof typeof WORKERS

/** A kind of background work. It may run late or twice, so it must be idempotent. A job that throws is retried. */
export type Job = {
  name: string
  run: (payload: Record<string, string>) => Promise<void>
} & (
  { pool: Pool; cron?: string; everySeconds?: undefined } | { everySeconds: number; pool?: undefined; cron?: undefined }
)

/** Maximum number of concurrent jobs for one outside service, on all nodes together. */
export const LANES = 3

/**
 * Returns the queue of a job that calls an outside service. If the service hangs, jobs for other services still run.
 * The id of the job's subject distributes the jobs over the lanes.
 */
export const laneOf = (service: string, id: string) =>
  `${service}:${[...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % LANES}`

/**
 * Enqueues a job in the caller's transaction, which must commit. Replaces a waiting job with the same `key`. Jobs of
 * one `queue` run one after another on all nodes. A member's jobs need one queue, so that they use one worker.
 */
export async function addJob(
  tx: Tx | Db,
  name: string,
  payload: Record<string, string>,
  {
    key = null,
    queue = null,
    delaySeconds = 0,
    maxAttempts = 25,
  }: { key?: string | null; queue?: string | null; delaySeconds?: number; maxAttempts?: number } = {},
) {
  await insertJob(tx, { name, payload: JSON.stringify(payload), queue, delaySeconds, key, maxAttempts })
}

const SWEEP_MS = 5_000
/** Connections of a node that fetch and save jobs. */
const MAX_SAVING = 6
/** Connections of a node without those for requests: listeners per kind of work, saving jobs, the lock, the bus. */
export const SESSIONS = Object.keys(WORKERS).length + MAX_SAVING + 2

export function trackRuns() {
  const runs = new Set<{ id: string }>()
  return {
    begin: (id: string) => {
      const run = { id }
      runs.add(run)
      return () => setTimeout(() => runs.delete(run), LOST_MS).unref()
    },
    ids: () => [...runs].map(({ id }) => id),
  }
}

const runJob = (name: string, id: string, work: () => Promise<void>) =>
  runAs({ requestId: `job-${id}` }, () => inSpan(`job ${name}`, {}, work))

class ConnectingClient extends SocketClient {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS })
  }
}

/**
 * Opens the pool of the job workers. Only opening a new connection times out. A timeout of the pool would also end the
 * wait for a free connection, and graphile-worker does not retry to save a job's outcome after such an error.
 */
export const openJobPool = (url: string, max: number, queryTimeoutMs: number) =>
  openPool({
    connectionString: url,
    max,
    application_name: 'primo jobs',
    query_timeout: queryTimeoutMs,
    Client: ConnectingClient,
  })

/**
 * Resolves when a worker has looked for its first job: null, or the error. graphile-worker remembers an error of this look:
 * such a runner never runs a job and must be replaced.
 */
const watchFirstLook = (events: WorkerEvents) =>
  new Promise<unknown>((resolve) => {
    events.once('worker:getJob:empty', () => resolve(null))
    events.once('job:start', () => resolve(null))
    events.once('worker:getJob:error', ({ error }) => resolve(error))
  })

export async function startJobs({
  url,
  database,
  jobs,
  patienceMs = NOTICING_LOSS.query_timeout,
}: {
  url: string
  database: Database
  jobs: Job[]
  /** Query timeout of the queue. A statement that exceeds it closes its connection. */
  patienceMs?: number
}) {
  const node = await retryWhileAway(() => holdNodeLock(url))
  const scheduled = jobs.filter(({ cron }) => cron).map(({ name }) => name)
  const runs = trackRuns()
  const workerIds: string[] = []
  const taskOf = ({ name, run }: Job): Task =>
    async function runTask(payload, { job }) {
      const end = runs.begin(job.id)
      try {
        await runJob(name, job.id, () => run(isPayload(payload) ? payload : {}))
      } finally {
        end()
      }
    }
  await retryWhileAway(() => unlockJobsOfDeadNodes(database))
  const pools = (Object.keys(WORKERS) as Pool[]).filter((name) => jobs.some(({ pool }) => pool === name))
  // a separate pool, because a runner closes its own pool before it saves the outcome of the last jobs. Each runner
  // also has a connection that listens for messages, to which no query timeout applies
  const pool = openJobPool(url, pools.length + MAX_SAVING, patienceMs)
  const dead: Runner[] = []
  const start = async (name: Pool) => {
    const own = jobs.filter((job) => job.pool === name)
    // subscribe first, because the runner creates the worker pool that locks jobs while it starts
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => {
      workerIds.push(workerPool.id)
      node.register(workerPool.id)
    })
    const firstLook = watchFirstLook(events)
    const runner = await run({
      events,
      pgPool: pool,
      concurrency: WORKERS[name],
      pollInterval: 2000,
      // no batches: a node that fetches or completes jobs in batches may stop after a database restart
      noHandleSignals: true,
      logger: quietLogger,
      taskList: Object.fromEntries(own.map((job) => [job.name, taskOf(job)])),
      crontab: own
        .filter((job) => job.cron)
        .map((job) => `${job.cron} ${job.name} ?max=1&jobKey=${job.name}&queue=${job.name}`)
        .join('\n'),
    })
    const error = await firstLook
    if (error === null) return runner
    dead.push(runner)
    throw error
  }
  const runners: Runner[] = []
  // sequentially, because each runner migrates the schema of the queue
  for (const name of pools) runners.push(await retryWhileAway(() => start(name)))
  // not earlier: a runner that stops while the database is away releases its connection twice
  await Promise.all(dead.map((runner) => runner.stop().catch(() => undefined)))
  const repeated = jobs.flatMap((job) => (job.everySeconds === undefined ? [] : [repeat(job, job.everySeconds)]))
  const sweep = setInterval(() => {
    unlockJobsOfDeadNodes(database)
      .then(() => unlockLostJobs(database, workerIds, runs.ids()))
      .then(() => forgetReplacedRuns(database, scheduled))
      .catch((error: unknown) => log.warn('abandoned jobs were not unlocked', { error }))
  }, SWEEP_MS)
  return {
    stop: async () => {
      clearInterval(sweep)
      await Promise.all([...repeated.map((stop) => stop()), ...runners.map((runner) => runner.stop())])
      await pool.end()
      await node.release()
    },
  }
}

function repeat({ name, run }: Job, everySeconds: number) {
  let running: Promise<void> | null = null
  let isFailing = false
  const look = async () => {
    try {
      await runJob(name, randomUUID(), () => run({}))
      if (isFailing) log.info('a repeated job succeeds again', { job: name })
      isFailing = false
    } catch (error) {
      // logs once per outage, not once per run
      if (!isFailing) log.warn('a repeated job failed', { error, job: name })
      isFailing = true
    }
  }
  const timer = setInterval(() => {
    running ??= look().finally(() => (running = null))
  }, everySeconds * 1000)
  return async () => {
    clearInterval(timer)
    await running
  }
}

const isPayload = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quietLogger = new Logger(() => (level, message, meta) => {
  if (level === 'error') log.error(message, { error: (meta as { error?: unknown } | undefined)?.error })
  if (level === 'warning') log.warn(message)
})

/** Deletes empty queues of members, because each fetch of a job reads all queues. */
export const queueJobs = ({ db }: Pick<Database, 'db'>): Job[] => [
  {
    name: 'sweep_queues',
    pool: 'other',
    cron: '47 * * * *',
    run: () =>
      db.transaction().execute(async (tx) => {
        await sql`SET LOCAL lock_timeout = '200ms'`.execute(tx)
        // `add_job` reads a queue, then inserts a job, without a foreign key. The lock waits for such transactions
        await sql`LOCK TABLE graphile_worker._private_job_queues IN SHARE MODE`.execute(tx)
        await deleteEmptyQueues(tx, {})
      }),
  },
]
