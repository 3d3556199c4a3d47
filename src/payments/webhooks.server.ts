import { sql } from 'kysely'
import { type Database, type Db, now, statement } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { type Answer, handleRaw, type RawRoute } from '../kit/handle.server.ts'
import { type Job, laneInSql } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { deleteOld } from '../kit/schema/retention.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { Unanswered } from './outcome.ts'
import type { MissedEvent, Provider } from './provider.ts'

/** Verify the raw bytes, store, acknowledge. The shop never believes an event; a job asks the provider. */
export const webhookRoutes = (providers: Provider[]): RawRoute[] =>
  hearing(providers).map((provider) =>
    handleRaw(
      `POST ${webhookPath(provider.name)}` as const,
      {
        access: 'public',
        about: "The payment provider's signed events.",
        body: 'bytes',
        bodyLimit: 256 * 1024,
        isFromBrowser: false,
      },
      async ({ body, header, ip, pool }): Promise<Answer> => {
        const event = await provider.readEvent({ header, body, ip }).catch((error: unknown) => {
          if (!(error instanceof Unanswered)) throw error
          log.warn('a webhook could not be verified; the provider will send it again', { error })
          throw new Failure(503, 'Cannot verify right now.', 'unavailable', { retryAfter: 10 })
        })
        if (event === 'forged') throw new Failure(400, 'The signature does not fit.')
        await receiveEvent(pool, provider, { ...event, body: body.toString('utf8') })
        return {
          status: 200,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: '{"received":true}',
        }
      },
    ),
  )

export const hearing = (providers: Provider[]) => providers.filter(({ hasNoEvents }) => !hasNoEvents)

/** Puts a verified event into the inbox; a repeat is counted. */
export async function receiveEvent(pool: Database['pool'], provider: Provider, { id, type, body }: MissedEvent) {
  const subject = provider.subjectOf(body)
  const { ref = null, paymentId = null } = subject?.about === 'payment' ? subject : {}
  const error = subject ? null : 'about no payment of ours'
  await storeEvent(pool, provider.name, id, type, body, ref, paymentId && asUuid(paymentId), error)
}

export const webhookPath = (provider: string) => `/api/payments/${provider}/webhook` as const

const asUuid = (text: string) => (isUuid(text) ? text : null)

/** An event about such a payment says nothing new. */
const IS_SETTLED = `p.status IN ('captured', 'refunded', 'part_refunded', 'mismatched')`
/** The buyer's page is about to capture the payment, or captures it. */
const IS_UNDER_WAY = `(p.status = 'created' OR (p.status = 'capturing' AND p.lease_until > now()))`
const LATER = `now() + interval '10 minutes'`
const enqueue = (events: string) => `SELECT graphile_worker.add_job('webhook',
    json_build_object('provider', provider, 'eventId', event_id), job_key => 'webhook:' || provider || ':' || event_id, queue_name => ${laneInSql('provider', 'event_id')}) FROM ${events}`

/**
 * The inbox, in one statement. An event about a settled payment or about none is processed with it. One about a payment under way waits
 * three seconds in its row, because the answer to the shop's own request comes first. Any other gets a job at once.
 */
const storeEvent = statement<
  never,
  [
    provider: string,
    eventId: string,
    eventType: string,
    body: string,
    ref: string | null,
    paymentId: string | null,
    error: string | null,
  ]
>(
  'webhook_store',
  `WITH known AS (
    SELECT p.id, ${IS_SETTLED} AS is_settled, ${IS_UNDER_WAY} AS is_under_way FROM payments p
    WHERE (p.provider = $1 AND p.provider_order_id = $5) OR p.id = $6::uuid LIMIT 1),
  stored AS (
    INSERT INTO webhook_events (provider, event_id, event_type, body, payment_id, error, processed_at, due_at)
    SELECT $1, $2, $3, CASE WHEN is_over THEN '' ELSE $4 END, id, $7, CASE WHEN is_over THEN now() END,
      CASE WHEN is_under_way THEN now() + interval '3 seconds' ELSE ${LATER} END
    FROM (SELECT) received LEFT JOIN known ON true, LATERAL (SELECT is_settled OR $7::text IS NOT NULL AS is_over) verdict
    ON CONFLICT (provider, event_id) DO UPDATE SET times_received = webhook_events.times_received + 1
    RETURNING *)
  ${enqueue('stored')} WHERE processed_at IS NULL AND NOT EXISTS (SELECT FROM known WHERE is_under_way)`,
)

/** Closes the waiting events whose payment was settled meanwhile, and enqueues the others that are due. */
export async function requeueEvents({ pool }: Pick<Database, 'pool'>) {
  await closeSettled(pool)
  await enqueueDue(pool)
}

const closeSettled = statement<never, []>(
  'webhook_close',
  `WITH settled AS MATERIALIZED (
    SELECT e.provider, e.event_id FROM webhook_events e JOIN payments p ON p.id = e.payment_id
    WHERE e.processed_at IS NULL AND e.due_at <= now() AND ${IS_SETTLED}
    ORDER BY e.due_at LIMIT 1000 FOR UPDATE OF e SKIP LOCKED)
  UPDATE webhook_events e SET processed_at = now(), body = '' FROM settled s
  WHERE e.provider = s.provider AND e.event_id = s.event_id`,
)

// a job with attempts left keeps its back-off
const enqueueDue = statement<never, []>(
  'webhook_enqueue',
  `WITH due AS MATERIALIZED (
    SELECT provider, event_id FROM webhook_events WHERE processed_at IS NULL AND due_at <= now()
    ORDER BY due_at, received_at LIMIT 100 FOR UPDATE SKIP LOCKED),
  marked AS (
    UPDATE webhook_events e SET due_at = ${LATER} FROM due
    WHERE e.provider = due.provider AND e.event_id = due.event_id RETURNING e.provider, e.event_id)
  ${enqueue('marked')} WHERE NOT EXISTS (
    SELECT FROM graphile_worker.jobs j WHERE j.key = 'webhook:' || provider || ':' || event_id AND j.attempts < j.max_attempts)`,
)

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

/** Looks at an event again without a failed job: another payment of its order is being captured. Seldom when that takes long. */
export async function postponeEvent(db: Db, provider: string, eventId: string) {
  await db
    .updateTable('webhookEvents')
    .set({
      dueAt: sql<Date>`now() + least(greatest((now() - received_at) / 4, interval '3 seconds'), interval '10 minutes')`,
    })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .execute()
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

/** Events that were processed, also those of payments long over: a provider repeats an event for some weeks at most. */
export const inboxJobs = (db: Db, { keepReceivedWebhooksDays: days }: { keepReceivedWebhooksDays: number }): Job[] => [
  {
    name: 'sweep_webhooks',
    pool: 'other',
    cron: '29 3 * * *',
    run: async () => {
      await deleteOld(db, { table: 'webhookEvents', moment: 'receivedAt', days, where: sql`processed_at IS NOT NULL` })
    },
  },
]
