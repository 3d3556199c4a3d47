import { sql } from 'kysely'
import { z } from 'zod'
import { type Db, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { type Answer, handleRaw, type RawRoute } from '../kit/handle.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { PAYPAL } from './payments.contract.ts'
import { Unanswered } from './paypal/errors.server.ts'
import type { Paypal } from './paypal/client.server.ts'

const Event = z.object({ id: z.string().min(1).max(200), event_type: z.string().max(100) })

/**
 * The provider's news. Verified over the raw bytes, stored, then acknowledged; what it says is never believed, the job
 * asks the provider instead.
 */
export function webhookRoutes(paypal: Paypal): RawRoute[] {
  return [
    handleRaw(
      'POST /api/payments/paypal/webhook',
      {
        access: 'public',
        about: "The payment provider's signed events.",
        body: 'bytes',
        bodyLimit: 256 * 1024,
        isFromBrowser: false,
      },
      async ({ body, header, db }): Promise<Answer> => {
        const raw = body.toString('utf8')
        const event = readEvent(raw)
        if (!event || !(await isGenuine(paypal, header, body))) throw new Failure(400, 'The signature does not fit.')
        await inTransaction(db, async (tx) => {
          const stored = await tx
            .insertInto('webhookEvents')
            .values({ provider: PAYPAL, eventId: event.id, eventType: event.event_type, body: raw })
            .onConflict((conflict) =>
              conflict
                .columns(['provider', 'eventId'])
                .doUpdateSet({ timesReceived: sql`webhook_events.times_received + 1` }),
            )
            .returning('processedAt')
            .executeTakeFirstOrThrow()
          if (stored.processedAt === null) await enqueueEvent(tx, event.id)
        })
        return {
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '{"received":true}',
        }
      },
    ),
  ]
}

function readEvent(raw: string) {
  try {
    return Event.parse(JSON.parse(raw))
  } catch {
    return null
  }
}

async function isGenuine(paypal: Paypal, header: (name: string) => string | undefined, raw: Buffer) {
  try {
    return await paypal.isWebhookGenuine(header, raw)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    log.warn('a webhook could not be verified; the provider will send it again', { error })
    throw new Failure(503, 'Cannot verify right now.', 'unavailable', { retryAfter: 10 })
  }
}

const enqueueEvent = (tx: Tx | Db, eventId: string) =>
  addJob(tx, 'webhook', { provider: PAYPAL, eventId }, { key: `webhook:${eventId}` })

const AT_ONCE = 100

/**
 * Asks again for events that were acknowledged but not worked off for a while, as their job was lost or has given up; the
 * one first that was asked for longest ago, so that those that fail each time keep no other out.
 */
export async function takeUpEvents(db: Db) {
  const lastLook = sql<Date>`greatest(received_at, taken_up_at)`
  const waiting = db
    .selectFrom('webhookEvents')
    .select('eventId')
    .where('provider', '=', PAYPAL)
    .where('processedAt', 'is', null)
    .where(lastLook, '<', sql<Date>`now() - interval '10 minutes'`)
    .orderBy(lastLook)
    .limit(AT_ONCE)
  const idle = await db
    .updateTable('webhookEvents')
    .set({ takenUpAt: sql<Date>`now()` })
    .where('provider', '=', PAYPAL)
    .where('eventId', 'in', waiting)
    .returning('eventId')
    .execute()
  for (const { eventId } of idle) await enqueueEvent(db, eventId)
}

/** The text of an event that is still to be worked off. */
export async function takeEvent(db: Db, provider: string, eventId: string): Promise<string | undefined> {
  const event = await db
    .selectFrom('webhookEvents')
    .select('body')
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .executeTakeFirst()
  return event?.body
}

/** `error` says why nothing came of it. The text names the payer and is of no use any more. */
export async function closeEvent(db: Db, provider: string, eventId: string, error: string | null) {
  await db
    .updateTable('webhookEvents')
    .set({ processedAt: sql`now()`, error, body: '' })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .execute()
}
