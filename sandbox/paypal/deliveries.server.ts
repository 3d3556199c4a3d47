import { randomUUID, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { isDatabaseAway } from '../../src/kit/database.server.ts'
import { log } from '../../src/kit/log/log.server.ts'
import type { FaultBox } from './faults.server.ts'
import type { Keys } from './keys.server.ts'

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

// with a callback a signature is made aside, and customers do not wait for it
const signAside = promisify(sign)

/** The headers that show an event to be ours. */
async function signEvent(keys: Keys, base: string, body: string): Promise<Record<string, string>> {
  const id = randomUUID()
  const time = `${new Date().toISOString().slice(0, 19)}Z`
  const signature = await signAside('sha256', Buffer.from(signedText(id, time, keys.webhookId, body)), keys.signingKey)
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature.toString('base64'),
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

  async function deliver(due: Due[]) {
    const results = await Promise.all(
      due.map(async ({ id, body, attempts }) => {
        const answer = await post(options, body)
        const isTaken = /^2\d\d$/.test(answer)
        const waitMs = isTaken ? 0 : Math.min(2 ** (attempts - 1), 3600) * 1000
        return { id, answer, done: isTaken || attempts >= MOST_ATTEMPTS ? 1 : 0, waitMs }
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

  async function run() {
    do {
      isAgain = false
      for (let due = await takeDue(); due.length > 0 && !isStopped; due = await takeDue()) {
        await deliver(due)
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
        ...(await signEvent(keys, base, body)),
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
