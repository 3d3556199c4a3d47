import { createSign, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { isDatabaseAway } from '../kit/database.server.ts'
import { log } from '../kit/log.server.ts'
import type { FaultBox } from './sandbox.faults.server.ts'
import type { Keys } from './sandbox.keys.server.ts'

// Webhooks go out from their rows: whatever is due and not delivered is taken by one node under a lease, so an event
// outlives a crash. A delivery that fails is tried again up to 25 times, with growing pauses.

const MOST_ATTEMPTS = 25
const LEASE = '15 seconds'
const TIMEOUT_MS = 10_000
const POLL_MS = 1000
const AT_ONCE = 8

export const AUTH_ALGO = 'SHA256withRSA'

/** What a signature covers. */
export const signedText = (id: string, time: string, webhookId: string, body: string | Buffer) =>
  `${id}|${time}|${webhookId}|${crc32(body)}`

export const certificateUrl = (base: string, keys: Keys) => `${base}/v1/notifications/certs/${keys.certificateName}`

/** The headers that show an event to be ours. */
export function signEvent(keys: Keys, base: string, body: string): Record<string, string> {
  const id = randomUUID()
  const time = `${new Date().toISOString().slice(0, 19)}Z`
  const signature = createSign('sha256')
    .update(signedText(id, time, keys.webhookId, body))
    .sign(keys.signingKey, 'base64')
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature,
    'paypal-auth-algo': AUTH_ALGO,
    'paypal-cert-url': certificateUrl(base, keys),
  }
}

type Due = { id: string; body: string; attempts: number }

export function startDeliveries(options: {
  pool: pg.Pool
  keys: Keys
  faults: FaultBox
  base: string
  webhookUrl: string
}) {
  const { pool } = options
  let isStopped = false
  let isAgain = false
  let running: Promise<void> | null = null

  async function takeDue(): Promise<Due[]> {
    const { rows } = await pool.query<Due>({
      name: 'sandbox_due',
      text: `UPDATE sandbox.events SET attempts = attempts + 1, due_at = clock_timestamp() + interval '${LEASE}'
        WHERE id IN (SELECT id FROM sandbox.events WHERE deliveries_left > 0 AND due_at <= clock_timestamp()
          ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
        RETURNING id, body, attempts`,
    })
    return rows
  }

  async function deliver({ id, body, attempts }: Due) {
    const answer = await post(options, body)
    const isTaken = /^2\d\d$/.test(answer)
    const isOver = isTaken || attempts >= MOST_ATTEMPTS
    const waitMs = isTaken ? 0 : Math.min(2 ** (attempts - 1), 3600) * 1000
    await pool.query({
      name: 'sandbox_delivered',
      text: `UPDATE sandbox.events SET last_answer = $2, deliveries_left = deliveries_left - $3, attempts = attempts * (1 - $3),
        due_at = clock_timestamp() + $4 * interval '1 millisecond' WHERE id = $1 AND deliveries_left > 0`,
      values: [id, answer, isOver ? 1 : 0, waitMs],
    })
  }

  async function run() {
    do {
      isAgain = false
      for (let due = await takeDue(); due.length > 0 && !isStopped; due = await takeDue()) {
        await Promise.all(due.map(deliver))
      }
    } while (isAgain && !isStopped)
  }

  /** Delivers what is due now, without making the caller wait. */
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
    options.faults.reload().catch(() => undefined)
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

/** The status of the shop's answer, or why there is none. */
async function post(
  { keys, base, webhookUrl }: { keys: Keys; base: string; webhookUrl: string },
  body: string,
): Promise<string> {
  try {
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'PayPal/AUHD-sandbox',
        ...signEvent(keys, base, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'failed'
  }
}
