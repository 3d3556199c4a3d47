import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { ServedRequest } from '../../kit/serve/options.server.ts'
import type { Probes } from '../health/probes.server.ts'
import type { Vital } from './vitals.contract.ts'
import { firstOf } from '../../kit/values/required.ts'

// Metrics for Prometheus. Values from the database are read on demand, by statements whose cost does not grow with the
// number of orders.

export type Metrics = Awaited<ReturnType<typeof createMetrics>>

const GRADES = { ok: 1, warn: 0.5, fail: 0, off: undefined } as const
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const COUNTS = [
  {
    name: 'primo_open_payments',
    help: 'Payments that are neither captured nor over, by status.',
    label: 'status',
    sql: `SELECT status AS value, count(*)::int FROM payments
      WHERE status IN ('creating', 'created', 'capturing', 'declined') GROUP BY status`,
  },
  {
    name: 'primo_jobs',
    help: 'Jobs in the queue.',
    label: 'state',
    sql: `SELECT state AS value, count(attempts)::int FROM unnest(ARRAY['due', 'later', 'failed']) state
      LEFT JOIN graphile_worker.jobs ON state = CASE WHEN attempts >= max_attempts THEN 'failed'
        WHEN run_at <= now() THEN 'due' ELSE 'later' END
      GROUP BY state`,
  },
  {
    name: 'primo_risk_decisions_last_hour',
    help: 'Purchases judged within the last hour, by decision.',
    label: 'decision',
    sql: `SELECT decision AS value, count(*)::int FROM risk_decisions
      WHERE created_at > now() - interval '1 hour' GROUP BY decision`,
  },
  {
    name: 'primo_risk_holds_open',
    help: 'Purchases that wait.',
    sql: `SELECT count(*)::int FROM risk_holds WHERE state = 'open'`,
  },
  {
    name: 'primo_usdc_scan_stopped',
    help: 'Chains whose scan stands still, so that no payment in USDC is credited.',
    sql: `SELECT count(*)::int FROM usdc_cursors WHERE is_alarmed`,
  },
  {
    name: 'primo_usdc_exceptions_open',
    help: 'Payments in USDC that wait for a decision.',
    sql: `SELECT count(*)::int FROM usdc_exceptions WHERE state <> 'done'`,
  },
  {
    name: 'primo_ledger_breaches',
    help: 'Broken rules of the ledger that the hourly check found and that are not mended.',
    sql: `SELECT count(*)::int FROM ledger_breaches WHERE ended_at IS NULL`,
  },
  {
    name: 'primo_backup_age_seconds',
    help: 'Time since the last successful backup, by where it stands. No value without a backup.',
    label: 'store',
    sql: `SELECT store AS value, extract(epoch FROM now() - max(made_at))::int AS count FROM backups GROUP BY store`,
  },
  {
    name: 'primo_restore_test_age_seconds',
    help: 'Time since a backup was last restored for a test, by result. No value without a test.',
    label: 'result',
    sql: `SELECT CASE WHEN is_good THEN 'passed' ELSE 'failed' END AS value,
        extract(epoch FROM now() - max(tested_at))::int AS count FROM restore_tests GROUP BY 1`,
  },
  {
    name: 'primo_restore_test_failed',
    help: '1 if the last test of a restore failed.',
    sql: `SELECT count(*)::int FROM (SELECT is_good FROM restore_tests ORDER BY tested_at DESC LIMIT 1) last WHERE NOT is_good`,
  },
]

const TIMEOUT_MS = 2_500

type Sources = { pool: Pick<pg.Pool, 'query'>; probes: Pick<Probes, 'look'>; patienceMs?: number }

export async function createMetrics({ pool, probes, patienceMs = TIMEOUT_MS }: Sources) {
  // a shop without metrics does not load the library
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'primo_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const vitals = new Histogram({
    name: 'primo_web_vital',
    help: "What visitors' browsers measured: LCP, INP, FCP and TTFB in seconds, CLS as it is.",
    labelNames: ['name', 'route'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 1.5, 2.5, 4, 8],
    registers,
  })
  const parts = new Gauge({
    name: 'primo_part_up',
    help: 'What the shop depends on: 1 works, 0.5 wants attention, 0 does not work.',
    labelNames: ['part'],
    registers,
  })
  const changes = new Counter({
    name: 'primo_order_changes_total',
    help: 'Changes of order status since this node began to count, seen 15 s after they were made.',
    labelNames: ['status'],
    registers,
  })
  const counts = COUNTS.map(({ name, help, label, sql }) => {
    const gauge = new Gauge({ name, help, labelNames: label ? [label] : [], registers })
    return { gauge, label, sql }
  })
  const readChanges = createChangeReader(pool)

  async function readDatabase() {
    for (const { status, count } of await readChanges()) changes.inc({ status }, count)
    for (const { gauge, label, sql } of counts) {
      const { rows } = await pool.query<{ value: string; count: number }>(sql)
      gauge.reset()
      for (const { value, count } of rows) gauge.set(label ? { [label]: value } : {}, count)
    }
  }

  let reading: Promise<void> | null = null
  /** One at a time, so that scrapes of a silent database wait on one connection and count each change once. */
  const refresh = () =>
    (reading ??= readDatabase()
      .catch(() => undefined)
      .finally(() => (reading = null)))

  return {
    contentType: registry.contentType,
    seeRequest: ({ method, route, status, seconds }: ServedRequest) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    seeVital: ({ name, value, route }: Vital) => vitals.observe({ name, route }, name === 'CLS' ? value : value / 1000),
    /** The text for Prometheus. Without the database it contains the process's own metrics. */
    read: async (): Promise<string> => {
      const late = pause(patienceMs, undefined, { ref: false })
      const [findings] = await Promise.all([probes.look(), Promise.race([refresh(), late])])
      for (const { about, grade } of findings) {
        const value = GRADES[grade]
        if (value === undefined) parts.remove({ part: about })
        else parts.set({ part: about }, value)
      }
      return registry.metrics()
    },
  }
}

/** Counts each change once. Skips changes while a transaction with a lower number may still commit. */
function createChangeReader(pool: Pick<pg.Pool, 'query'>) {
  let last: number | undefined
  return async () => {
    const { rows: ends } = await pool.query<{ id: number }>(
      `SELECT coalesce(max(id), 0)::bigint AS id FROM order_events WHERE id > $1 AND created_at < now() - interval '15 s'`,
      [last ?? 0],
    )
    const end = Math.max(firstOf(ends).id, last ?? 0)
    const begin = last ?? end
    last = end
    if (begin === end) return []
    const { rows } = await pool.query<{ status: string; count: number }>(
      'SELECT to_status AS status, count(*)::int AS count FROM order_events WHERE id > $1 AND id <= $2 GROUP BY 1',
      [begin, end],
    )
    return rows
  }
}
