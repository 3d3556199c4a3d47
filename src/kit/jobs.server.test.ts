// Over 300 lines, because all tests of the queue share one database.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openGate } from '../../drill/gate.ts'
import { createTestDatabase } from '../../test/database.ts'
import { type Database, inTransaction, openDatabase } from './database.server.ts'
import { forgetReplacedRuns, unlockJobsOfDeadNodes, unlockLostJobs } from './cluster/jobLocks.server.ts'
import { addJob, type Job, openJobPool, type Pool, queueJobs, startJobs, trackRuns, WORKERS } from './jobs.server.ts'
import { setLogLevel } from './log/log.server.ts'

let url: string
let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  setLogLevel('silent')
  const made = await createTestDatabase()
  url = made.url
  drop = made.drop
  database = openDatabase(url, { size: 4 })
})
afterAll(async () => {
  await database.db.destroy()
  await drop()
})

/** Returns a job that records its payloads. `until(n)` resolves when n payloads have arrived. */
function listener(name: string) {
  const seen: string[] = []
  let tell = () => {}
  const job: Job = {
    name,
    pool: 'other',
    run: async ({ what = '' }) => {
      seen.push(what)
      tell()
    },
  }
  const until = (count: number) =>
    new Promise<string[]>((resolve) => {
      tell = () => seen.length >= count && resolve(seen)
      tell()
    })
  return { job, seen, until }
}

test('enqueues a job only if its transaction commits', async () => {
  const { job, seen, until } = listener('note')
  const workers = await startJobs({ url, database, jobs: [job] })
  await inTransaction(database.db, async (tx) => {
    await addJob(tx, 'note', { what: 'rolled back' })
    throw new Error('no')
  }).catch(() => undefined)
  await inTransaction(database.db, (tx) => addJob(tx, 'note', { what: 'committed' }))
  expect(await until(1)).toEqual(['committed'])
  await workers.stop()
  expect(seen).toEqual(['committed'])
})

test('waits without a limit for a free connection, because the worker saves the end of a job only once', async () => {
  const pool = openJobPool(url, 1, 30_000)
  const held = await pool.connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const saved = pool.query('SELECT 1 AS saved')
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  held.release()
  expect((await saved).rows).toEqual([{ saved: 1 }])
  await pool.end()
})

test('times out a connection attempt after five seconds without an answer', async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const pool = openJobPool(`postgres://nobody@127.0.0.1:${port}/none`, 1, 30_000)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const refused = expect(pool.connect()).rejects.toThrow('timeout')
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  await refused
  await pool.end()
})

test('runs jobs although the database went away while a worker looked for its first job', async () => {
  const made = await createTestDatabase()
  const own = openDatabase(made.url, { size: 4 })
  onTestFinished(async () => {
    await own.db.destroy()
    await made.drop()
  })
  // the first insert fails like a statement of a stopping database
  await own.pool.query(`
    CREATE SEQUENCE inserts;
    CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('inserts') = 1 THEN RAISE EXCEPTION 'the database stops' USING ERRCODE = '57P01'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER go_away BEFORE INSERT ON graphile_worker._private_tasks FOR EACH STATEMENT EXECUTE FUNCTION go_away()`)
  const { job, until } = listener('late')
  const workers = await startJobs({ url: made.url, database: own, jobs: [job] })
  await addJob(own.db, 'late', { what: 'done' })
  expect(await until(1)).toEqual(['done'])
  await workers.stop()
})

test('another node runs the jobs of a dead node within seconds', async () => {
  await addJob(database.db, 'orphan', { what: 'left behind' })
  const pool = database.pool
  await pool.query("UPDATE graphile_worker._private_jobs SET locked_by = 'dead-worker', locked_at = now()")
  await pool.query("INSERT INTO job_workers (worker_id, node_lock) VALUES ('dead-worker', 4711)")
  const { job, until } = listener('orphan')
  const workers = await startJobs({ url, database, jobs: [job] })
  expect(await until(1)).toEqual(['left behind'])
  await workers.stop()
})

test('a running job is locked by a worker that its node has registered', async () => {
  const { job, until } = listener('running')
  let finish = () => {}
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const slow: Job = { ...job, run: (payload) => job.run(payload).then(() => finished) }
  const workers = await startJobs({ url, database, jobs: [slow] })
  await addJob(database.db, 'running', { what: 'under way' })
  await until(1)
  const { rows } = await database.pool.query(
    `SELECT w.worker_id IS NOT NULL AS "isKnown" FROM graphile_worker.jobs j
     LEFT JOIN job_workers w ON w.worker_id = j.locked_by WHERE j.task_identifier = 'running'`,
  )
  expect(rows).toEqual([{ isKnown: true }])
  finish()
  await workers.stop()
})

test('continues to run jobs after the network silently lost the connections of the queue', async () => {
  // graphile-worker prints a trace when a worker fails on a lost connection
  const print = vi.spyOn(console, 'trace').mockImplementation(() => undefined)
  const gate = await openGate(Number(new URL(url).port))
  const gated = Object.assign(new URL(url), { port: String(gate.port) }).href
  const { job, until } = listener('through')
  const workers = await startJobs({ url: gated, database, jobs: [job], patienceMs: 1_000 })
  const queued = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'through'`
  const isSaved = async () => {
    await expect.poll(async () => (await database.pool.query(queued)).rowCount, { timeout: 25_000 }).toBe(0)
  }
  await addJob(database.db, 'through', { what: 'before' })
  await isSaved()
  gate.forget()
  await addJob(database.db, 'through', { what: 'after' })
  await isSaved()
  expect(await until(2)).toEqual(['before', 'after'])
  await workers.stop()
  gate.close()
  print.mockRestore()
}, 60_000)

test('retries to acquire the lock of its node after a statement fails', async () => {
  const { pool } = database
  const workers = await startJobs({ url, database, jobs: [listener('held').job] })
  const count = async (text: string) => (await pool.query(text)).rowCount
  const holding = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'primo node'`
  await expect.poll(() => count('SELECT FROM job_workers')).toBeGreaterThan(0)
  // fails only at the first attempt: a sequence counts attempts, because rollbacks do not affect it
  await pool.query(`CREATE SEQUENCE attempts;
    CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('attempts') = 1 THEN RAISE disk_full; END IF; RETURN NULL; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON job_workers EXECUTE FUNCTION refuse_once();
    DELETE FROM job_workers`)
  await pool.query(holding.replace('FROM', 'pg_terminate_backend(pid) FROM'))
  await expect.poll(() => count('SELECT FROM job_workers'), { timeout: 10_000 }).toBeGreaterThan(0)
  expect(await count(holding)).toBe(1)
  await workers.stop()
  await pool.query('DROP TRIGGER refuse ON job_workers; DROP FUNCTION refuse_once; DROP SEQUENCE attempts')
})

test('unlocks a job after a minute if its node never registered', async () => {
  await addJob(database.db, 'stranger', { what: 'left behind' })
  const lock = (age: string) =>
    database.pool.query(
      `UPDATE graphile_worker._private_jobs SET locked_by = 'unknown', locked_at = now() - $1::interval`,
      [age],
    )
  const count = async () =>
    (await database.pool.query(`SELECT FROM graphile_worker.jobs WHERE locked_by = 'unknown'`)).rowCount
  await lock('30 seconds')
  await unlockJobsOfDeadNodes(database)
  expect(await count()).toBe(1)
  await lock('61 seconds')
  await unlockJobsOfDeadNodes(database)
  expect(await count()).toBe(0)
})

test('reruns a job whose outcome was not saved, but not while it runs', async () => {
  await addJob(database.db, 'lost', { what: 'its end was not written down' })
  await addJob(database.db, 'lost', { what: 'under way' })
  const { rows } = await database.pool.query<{ id: string }>(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'own', locked_at = now() - interval '11 seconds'
     WHERE payload::text LIKE '%its end%' OR payload::text LIKE '%under way%' RETURNING id`,
  )
  const locked = async () =>
    (await database.pool.query<{ id: string }>(`SELECT id FROM graphile_worker.jobs WHERE locked_by = 'own'`)).rows
  await unlockLostJobs(database, ['another'], [])
  expect(await locked()).toHaveLength(2)
  await unlockLostJobs(database, ['own'], [String(rows[1]!.id)])
  expect(await locked()).toEqual([rows[1]])
  await database.pool.query('DELETE FROM graphile_worker._private_jobs WHERE locked_by IS NOT NULL')
})

test('deletes the failed run of a scheduled job that a newer run has replaced', async () => {
  const { pool } = database
  await pool.query('DELETE FROM graphile_worker._private_jobs')
  const schedule = () => pool.query(`SELECT graphile_worker.add_job('tidy', job_key => 'tidy', max_attempts => 1)`)
  const rows = async () =>
    (await pool.query(`SELECT key, attempts FROM graphile_worker.jobs WHERE task_identifier = 'tidy' ORDER BY id`)).rows
  await schedule()
  await pool.query(`UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'slow', attempts = 1`)
  await schedule()
  await pool.query(`SELECT graphile_worker.add_job('once', max_attempts => 1)`)
  await forgetReplacedRuns(database, ['tidy'])
  expect(await rows()).toHaveLength(2)

  await pool.query(`UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL, attempts = 1
    WHERE locked_by = 'slow' OR id = (SELECT max(id) FROM graphile_worker.jobs)`)
  await forgetReplacedRuns(database, ['tidy'])
  expect(await rows()).toEqual([{ key: 'tidy', attempts: 0 }])
  // failed jobs without a newer run stay for the operator
  expect((await pool.query(`DELETE FROM graphile_worker._private_jobs RETURNING id`)).rowCount).toBe(2)
})

test('counts a job as running for 10 s after its end, and longer if a retry has started', () => {
  vi.useFakeTimers()
  const runs = trackRuns()
  runs.begin('7')()
  vi.advanceTimersByTime(9_999)
  expect(runs.ids()).toEqual(['7'])
  const endRetry = runs.begin('7')
  vi.advanceTimersByTime(10_000)
  expect(runs.ids()).toEqual(['7'])
  endRetry()
  vi.advanceTimersByTime(10_000)
  expect(runs.ids()).toEqual([])
  vi.useRealTimers()
})

test('reruns a lost job whose key a newer job took, so that it ends', async () => {
  const again = () => addJob(database.db, 'replaced', { what: 'twice' }, { key: 'one' })
  await again()
  await database.pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'own', locked_at = now() - interval '11 seconds', attempts = 1
     WHERE key = 'one'`,
  )
  await again()
  await unlockLostJobs(database, ['own'], [])
  const { job, until } = listener('replaced')
  const workers = await startJobs({ url, database, jobs: [job] })
  await until(2)
  await workers.stop()
  expect(
    (await database.pool.query(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'replaced'`)).rowCount,
  ).toBe(0)
})

test('does not unlock the jobs of a running node', async () => {
  const { job } = listener('own')
  const workers = await startJobs({ url, database, jobs: [job] })
  const count = async () =>
    Number((await database.pool.query<{ count: string }>('SELECT count(*) FROM job_workers')).rows[0]!.count)
  await expect.poll(count).toBeGreaterThan(0)
  await unlockJobsOfDeadNodes(database)
  expect(await count()).toBeGreaterThan(0)
  await workers.stop()
  await unlockJobsOfDeadNodes(database)
  expect(await count()).toBe(0)
})

test('repeats a job at an interval, one run at a time, and waits for the run when it stops', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: second, resolve: notifySecond } = Promise.withResolvers<void>()
  let runs = 0
  let running = 0
  const run = async () => {
    expect(running).toBe(0)
    running++
    if (++runs === 1) {
      running--
      throw new Error('the first run fails')
    }
    notifySecond()
    await isOver
    running--
  }
  const workers = await startJobs({ url, database, jobs: [{ name: 'look', everySeconds: 0.02, run }] })
  await second
  const stopped = workers.stop()
  end()
  await stopped
  expect([runs, running]).toEqual([2, 0])
})

test('saves the outcome of other jobs while a repeated job is slow to stop', async () => {
  const { job, until } = listener('beside')
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isBusy, resolve: notifyBusy } = Promise.withResolvers<void>()
  const slow: Job = { name: 'slow', everySeconds: 0.02, run: () => (notifyBusy(), isOver) }
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>()
  const held: Job = { ...job, run: (payload) => job.run(payload).then(() => isHeld) }
  const workers = await startJobs({ url, database, jobs: [slow, held] })
  await isBusy
  const count = async (text: string) => (await database.pool.query(text)).rowCount
  const listening = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
  await expect.poll(() => count(listening)).toBe(1)
  await addJob(database.db, 'beside', { what: 'under way' })
  await until(1)
  const stopped = workers.stop()
  // the node fetches no more jobs
  await expect.poll(() => count(listening)).toBe(0)
  release()
  await expect
    .poll(() => count(`SELECT FROM graphile_worker._private_jobs WHERE payload->>'what' = 'under way'`))
    .toBe(0)
  end()
  await stopped
})

test('jobs of one kind that hang do not delay jobs of other kinds', async () => {
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>()
  const pools = (Object.keys(WORKERS) as Pool[]).filter((pool) => pool !== 'money')
  const running: string[] = []
  const hanging = pools.map((pool): Job => ({
    name: `hang_${pool}`,
    pool,
    run: async () => {
      running.push(pool)
      await isHeld
    },
  }))
  const { job, until } = listener('pay')
  const workers = await startJobs({
    url,
    database,
    jobs: [...hanging, { name: job.name, run: job.run, pool: 'money' }],
  })
  for (const { name } of hanging) for (let i = 0; i < 6; i++) await addJob(database.db, name, {})
  const places = pools.reduce((sum, pool) => sum + WORKERS[pool], 0)
  await expect.poll(() => running.length, { timeout: 20_000 }).toBe(places)
  await addJob(database.db, 'pay', { what: 'refund' })
  expect(await until(1)).toEqual(['refund'])
  release()
  await workers.stop()
  await database.pool.query('DELETE FROM graphile_worker._private_jobs')
}, 60_000)

test('jobs of one queue run one after another', async () => {
  let running = 0
  let most = 0
  const seen: string[] = []
  const job: Job = {
    name: 'own',
    pool: 'other',
    run: async ({ what = '' }) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      seen.push(what)
    },
  }
  const workers = await startJobs({ url, database, jobs: [job] })
  for (const what of ['1', '2', '3', '4']) await addJob(database.db, 'own', { what }, { queue: 'member:ada' })
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(4)
  expect([most, seen]).toEqual([1, ['1', '2', '3', '4']])
  await workers.stop()
}, 60_000)

test('unlocks the queue of a lost job, and deletes queues without jobs', async () => {
  const { pool } = database
  await pool.query('DELETE FROM graphile_worker._private_jobs')
  await addJob(database.db, 'lost', { what: 'alone' }, { queue: 'member:bob' })
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'own', locked_at = now() - interval '11 seconds'`,
  )
  await pool.query(`UPDATE graphile_worker._private_job_queues SET locked_by = 'own', locked_at = now() - interval '11 seconds'
    WHERE queue_name = 'member:bob'`)
  await unlockLostJobs(database, ['own'], [])
  const locked = 'SELECT FROM graphile_worker._private_job_queues WHERE locked_at IS NOT NULL'
  expect((await pool.query(locked)).rowCount).toBe(0)
  const queues = async () =>
    (await pool.query<{ name: string }>('SELECT queue_name AS name FROM graphile_worker._private_job_queues')).rows
  const [sweep] = queueJobs(database)
  await sweep!.run({})
  expect(await queues()).toEqual([{ name: 'member:bob' }])
  await pool.query('DELETE FROM graphile_worker._private_jobs')
  await sweep!.run({})
  expect(await queues()).toEqual([])
})
