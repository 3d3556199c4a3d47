import type pg from 'pg'
import { isDatabaseAway } from '../src/kit/database.server.ts'
import { log } from '../src/kit/log/log.server.ts'
import type { FaultBox } from './faults.server.ts'

// Delivers stored webhook events. One node leases each due event. After a crash, another node delivers it when the
// lease expires. Retries up to 25 times with growing pauses.

const MAX_ATTEMPTS = 25
const LEASE = '15 seconds'
const TIMEOUT_MS = 10_000
const POLL_MS = 1000
const AT_ONCE = 8

type Due = { id: string; body: string; attempts: number }
type Options = {
  pool: pg.Pool
  /** Prefix of this service's event ids, because all sandboxes share one table. */
  idPrefix: 'WH-' | 'evt_'
  faults: FaultBox
  webhookUrl: string
  sign: (body: string) => Promise<Record<string, string>>
}

export function startDeliveries({ pool, idPrefix, faults, webhookUrl, sign }: Options) {
  let isStopped = false
  let isAgain = false
  let running: Promise<void> | null = null

  async function leaseDue(): Promise<Due[]> {
    const { rows } = await pool.query<Due>({
      name: 'sandbox_due',
      text: `UPDATE sandbox.events SET attempts = attempts + 1, due_at = clock_timestamp() + interval '${LEASE}'
        WHERE id IN (SELECT id FROM sandbox.events WHERE deliveries_left > 0 AND due_at <= clock_timestamp()
            AND starts_with(id, $1) ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
        RETURNING id, body, attempts`,
      values: [idPrefix],
    })
    return rows
  }

  async function deliver(due: Due[]) {
    const results = await Promise.all(
      due.map(async ({ id, body, attempts }) => {
        const answer = await post(body)
        const isTaken = /^2\d\d$/.test(answer)
        const waitMs = isTaken ? 0 : Math.min(2 ** (attempts - 1), 3600) * 1000
        return { id, answer, done: isTaken || attempts >= MAX_ATTEMPTS ? 1 : 0, waitMs }
      }),
    )
    await pool.query({
      name: 'sandbox_delivered',
      text: `UPDATE sandbox.events SET last_answer = answer, deliveries_left = deliveries_left - done,
          attempts = attempts * (1 - done), due_at = clock_timestamp() + "waitMs" * interval '1 millisecond'
        FROM json_to_recordset($1::json) AS result (id text, answer text, done int, "waitMs" int)
        WHERE events.id = result.id AND deliveries_left > 0`,
      values: [JSON.stringify(results)],
    })
  }

  async function post(body: string): Promise<string> {
    try {
      const headers = { 'content-type': 'application/json', ...(await sign(body)) }
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(webhookUrl, { method: 'POST', headers, body, redirect: 'manual', signal })
      await response.body?.cancel()
      return String(response.status)
    } catch (error) {
      return String(error).slice(0, 200)
    }
  }

  async function run() {
    do {
      isAgain = false
      for (let due = await leaseDue(); due.length > 0 && !isStopped; due = await leaseDue()) await deliver(due)
    } while (isAgain && !isStopped)
  }

  function wake() {
    if (isStopped) return
    isAgain = true
    running ??= run()
      .catch((error: unknown) => {
        if (!isStopped && !isDatabaseAway(error)) log.error('the payment sandbox cannot deliver its events', { error })
      })
      .finally(() => (running = null))
  }

  const timer = setInterval(() => {
    wake()
    faults.reload().catch(() => undefined)
  }, POLL_MS)
  timer.unref()

  return {
    wake,
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
