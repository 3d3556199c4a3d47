import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type pg from 'pg'
import type { Seen } from '../../kit/serve/options.server.ts'
import type { Probes } from '../health/probes.server.ts'
import type { Vital } from './vitals.contract.ts'

// Metrics for Prometheus. Values from the database are read on demand, by statements whose cost does not grow with the
// number of orders.

export type Metrics = ReturnType<typeof createMetrics>

const GRADES = { ok: 1, warn: 0.5, fail: 0, off: undefined } as const
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics({ pool, probes }: { pool: Pick<pg.Pool, 'query'>; probes: Probes }) {
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
  const payments = new Gauge({
    name: 'primo_open_payments',
    help: 'Payments that are neither captured nor over, by status.',
    labelNames: ['status'],
    registers,
  })
  const jobs = new Gauge({ name: 'primo_jobs', help: 'Jobs in the queue.', labelNames: ['state'], registers })
  const decisions = new Gauge({
    name: 'primo_risk_decisions_last_hour',
    help: 'Purchases judged within the last hour, by decision.',
    labelNames: ['decision'],
    registers,
  })
  const holds = new Gauge({ name: 'primo_risk_holds_open', help: 'Purchases that wait.', registers })
  const readChanges = createChangeReader(pool)

  async function readDatabase() {
    for (const { status, count } of await readChanges()) changes.inc({ status }, count)
    const { rows: open } = await pool.query<{ status: string; count: number }>(
      `SELECT status, count(*)::int AS count FROM payments
       WHERE status IN ('creating', 'created', 'capturing', 'declined') GROUP BY status`,
    )
    payments.reset()
    for (const { status, count } of open) payments.set({ status }, count)
    const { rows } = await pool.query<{ due: number; later: number; failed: number }>(
      `SELECT count(*) FILTER (WHERE attempts < max_attempts AND run_at <= now())::int AS due,
         count(*) FILTER (WHERE attempts < max_attempts AND run_at > now())::int AS later,
         count(*) FILTER (WHERE attempts >= max_attempts)::int AS failed FROM graphile_worker.jobs`,
    )
    for (const [state, count] of Object.entries(rows[0]!)) jobs.set({ state }, count)
    const { rows: judged } = await pool.query<{ decision: string; count: number }>(
      `SELECT decision, count(*)::int AS count FROM risk_decisions
       WHERE created_at > now() - interval '1 hour' GROUP BY decision`,
    )
    decisions.reset()
    for (const { decision, count } of judged) decisions.set({ decision }, count)
    const { rows: waiting } = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM risk_holds WHERE state = 'open'`,
    )
    holds.set(waiting[0]!.count)
  }

  return {
    contentType: registry.contentType,
    seeRequest: ({ method, route, status, seconds }: Seen) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    seeVital: ({ name, value, route }: Vital) => vitals.observe({ name, route }, name === 'CLS' ? value : value / 1000),
    /** The text for Prometheus. Without the database it contains the process's own metrics. */
    read: async (): Promise<string> => {
      await readDatabase().catch(() => undefined)
      for (const { about, grade } of await probes.look()) {
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
    const end = Math.max(ends[0]!.id, last ?? 0)
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
