import { randomInt } from 'node:crypto'
import type pg from 'pg'
import { type Database, NOTICING_LOSS } from '../database.server.ts'
import { log } from '../log/log.server.ts'
import { SocketClient } from '../socketClient.server.ts'
import * as statements from './jobs.statements.server.ts'

// Releases stale job locks: each node unlocks the jobs of dead nodes, and its own jobs whose outcome was not saved.

export const CONNECT_MS = 5_000
/** A job is lost if its node has held its lock for longer than this and does not run it. */
export const LOST_MS = 10_000

const LOCK_SPACE = 715
const HOLD_AGAIN_MS = 1_000

/** Holds an advisory lock, which the database releases when this process dies. `register` records its workers. */
export async function holdNodeLock(url: string) {
  const lock = randomInt(1, 2 ** 31)
  const workerIds: string[] = []
  let isReleased = false
  let client: pg.Client | null = null
  const writeWorkers = (on: pg.Client) => statements.registerWorkers(on, { workerIds, lock })
  const hold = async () => {
    const next = new SocketClient({
      connectionString: url,
      application_name: 'primo node',
      // PostgreSQL may hold the lock of a lost connection for a while. `lock_timeout` ends the wait for it
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
      // another node may have deleted this node's workers while it had no lock
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

/** Unlocks jobs of crashed nodes within seconds. Unlocks jobs of nodes that never registered after a minute. */
export async function unlockJobsOfDeadNodes({ pool }: Database) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const dead = await statements.deleteDeadWorkers(client, { space: LOCK_SPACE })
    const unknown = await statements.findUnknownWorkers(client, {})
    const workerIds = [...dead, ...unknown].map(({ workerId }) => workerId)
    if (workerIds.length > 0) await statements.unlockWorkers(client, { workerIds })
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/** Unlocks jobs that this node has locked but does not run: the database was down when it saved their outcome. */
export async function unlockLostJobs({ pool }: Database, workerIds: string[], running: string[]) {
  await statements.unlockLostJobs(pool, { workerIds, running, lostMs: LOST_MS })
  await statements.unlockLostQueues(pool, { workerIds, lostMs: LOST_MS })
}

/**
 * Deletes failed runs of scheduled jobs. A newer run took their key and does their work. Without a key,
 * graphile-worker never retries or deletes them.
 */
export const forgetReplacedRuns = ({ pool }: Database, scheduled: string[]) =>
  statements.forgetReplacedRuns(pool, { scheduled })
