import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { ServedRequest } from '../../kit/serve/options.server.ts'
import type { Probes } from '../health/probes.server.ts'
import type { Vital } from './vitals.contract.ts'
import type { Run } from '../../kit/sql/statements.server.ts'
import { only } from '../../kit/values/required.ts'
import * as statements from './metrics.statements.server.ts'

// Metrics for Prometheus. Statements read values on demand, at a cost independent of the number of orders.

export type Metrics = Awaited<ReturnType<typeof createMetrics>>

const GRADES = { ok: 1, warn: 0.5, fail: 0, off: undefined } as const
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type CountGauge = {
  name: string
  help: string
  label?: string
  read: Run<Record<string, never>, { value?: string; count: number }>
}

const COUNTS: CountGauge[] = [
  {
    name: 'primo_open_payments',
    help: 'Payments that are neither captured nor over, by status.',
    label: 'status',
    read: statements.countOpenPayments,
  },
  {
    name: 'primo_jobs',
    help: 'Jobs in the queue.',
    label: 'state',
    read: statements.countJobs,
  },
  {
    name: 'primo_risk_decisions_last_hour',
    help: 'Purchases judged within the last hour, by decision.',
    label: 'decision',
    read: statements.countRiskDecisions,
  },
  {
    name: 'primo_risk_holds_open',
    help: 'Purchases that wait.',
    read: statements.countRiskHolds,
  },
  {
    name: 'primo_usdc_scan_stopped',
    help: 'Chains whose scan stands still, so that no payment in USDC is credited.',
    read: statements.countStoppedScans,
  },
  {
    name: 'primo_usdc_exceptions_open',
    help: 'Payments in USDC that wait for a decision.',
    read: statements.countOpenExceptions,
  },
  {
    name: 'primo_ledger_breaches',
    help: 'Broken rules of the ledger that the hourly check found and that are not mended.',
    read: statements.countBreaches,
  },
  {
    name: 'primo_backup_age_seconds',
    help: 'Time since the last successful backup, by where it stands. No value without a backup.',
    label: 'store',
    read: statements.readBackupAges,
  },
  {
    name: 'primo_restore_test_age_seconds',
    help: 'Time since a backup was last restored for a test, by result. No value without a test.',
    label: 'result',
    read: statements.readRestoreTestAges,
  },
  {
    name: 'primo_restore_test_failed',
    help: '1 if the last test of a restore failed.',
    read: statements.countFailedRestoreTest,
  },
]

const TIMEOUT_MS = 2_500

type Sources = { pool: pg.Pool; probes: Pick<Probes, 'look'>; patienceMs?: number }

export async function createMetrics({ pool, probes, patienceMs = TIMEOUT_MS }: Sources) {
  // lazy, so that a shop without metrics does not load the library
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
  const counts = COUNTS.map(({ name, help, label, read }) => {
    const gauge = new Gauge({ name, help, labelNames: label ? [label] : [], registers })
    return { gauge, label, read }
  })
  const readChanges = createChangeReader(pool)

  async function readDatabase() {
    for (const { status, count } of await readChanges()) changes.inc({ status }, count)
    for (const { gauge, label, read } of counts) {
      const rows = await read(pool, {})
      gauge.reset()
      for (const { value = '', count } of rows) gauge.set(label ? { [label]: value } : {}, count)
    }
  }

  let reading: Promise<void> | null = null
  /** One at a time, so that scrapes of an unresponsive database share one connection and count each change once. */
  const refresh = () =>
    (reading ??= readDatabase()
      .catch(() => undefined)
      .finally(() => (reading = null)))

  return {
    contentType: registry.contentType,
    seeRequest: ({ method, route, status, seconds }: ServedRequest) =>
      requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
    seeVital: ({ name, value, route }: Vital) => vitals.observe({ name, route }, name === 'CLS' ? value : value / 1000),
    /** Returns the text for Prometheus. Without the database it contains only the metrics of the process. */
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

/** Counts each change once. Skips changes while a transaction with a lower id may still commit. */
function createChangeReader(pool: pg.Pool) {
  let last: number | undefined
  return async () => {
    const found = only(await statements.findLastChange(pool, { last: last ?? 0 }))
    const end = Math.max(found.id, last ?? 0)
    const begin = last ?? end
    last = end
    return begin === end ? [] : statements.countChanges(pool, { begin, end })
  }
}
