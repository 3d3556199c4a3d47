import { sql } from 'kysely'
import { type Db, inTransaction, now, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { type Answer, handleRaw, type RawRoute } from '../kit/handle.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { type Provider, Unanswered } from './provider.ts'

/** Verify the raw bytes, store, acknowledge. The shop never believes an event; a job asks the provider. */
export const webhookRoutes = (providers: Provider[]): RawRoute[] =>
  providers.map((provider) =>
    handleRaw(
      `POST ${webhookPath(provider.name)}` as const,
      {
        access: 'public',
        about: "The payment provider's signed events.",
        body: 'bytes',
        bodyLimit: 256 * 1024,
        isFromBrowser: false,
      },
      async ({ body, header, ip, db }): Promise<Answer> => {
        const event = await provider.readEvent({ header, body, ip }).catch((error: unknown) => {
          if (!(error instanceof Unanswered)) throw error
          log.warn('a webhook could not be verified; the provider will send it again', { error })
          throw new Failure(503, 'Cannot verify right now.', 'unavailable', { retryAfter: 10 })
        })
        if (event === 'forged') throw new Failure(400, 'The signature does not fit.')
        const { id: eventId, type: eventType } = event
        await inTransaction(db, async (tx) => {
          const stored = await tx
            .insertInto('webhookEvents')
            .values({ provider: provider.name, eventId, eventType, body: body.toString('utf8') })
            .onConflict((conflict) =>
              conflict
                .columns(['provider', 'eventId'])
                .doUpdateSet({ timesReceived: sql`webhook_events.times_received + 1` }),
            )
            .returning('processedAt')
            .executeTakeFirstOrThrow()
          if (stored.processedAt === null) await enqueueEvent(tx, provider.name, eventId)
        })
        return {
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '{"received":true}',
        }
      },
    ),
  )

export const webhookPath = (provider: string) => `/api/payments/${provider}/webhook` as const

const enqueueEvent = (tx: Tx | Db, provider: string, eventId: string) =>
  addJob(tx, 'webhook', { provider, eventId }, { key: `webhook:${eventId}` })

const AT_ONCE = 100

/** Enqueues events whose job was lost or gave up, oldest request first, so that failing ones do not block the queue. */
export async function requeueEvents(db: Db) {
  const idle = await sql<{ provider: string; eventId: string }>`UPDATE webhook_events SET taken_up_at = now()
    WHERE (provider, event_id) IN (
      SELECT provider, event_id FROM webhook_events
      WHERE processed_at IS NULL AND greatest(received_at, taken_up_at) < now() - interval '10 minutes'
      ORDER BY greatest(received_at, taken_up_at) LIMIT ${AT_ONCE}) RETURNING provider, event_id`.execute(db)
  for (const { provider, eventId } of idle.rows) await enqueueEvent(db, provider, eventId)
}

/** The body of an event that is not processed yet. */
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

/** Deletes the body, which names the payer. `error` says why the event had no effect. */
export async function closeEvent(db: Db, provider: string, eventId: string, error: string | null) {
  await db
    .updateTable('webhookEvents')
    .set({ processedAt: now, error, body: '' })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .execute()
}
