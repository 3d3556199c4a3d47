import { sql } from 'kysely'
import { type Database, type Db, now } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { type Answer, handleRaw, type RawRoute } from '../kit/handle.server.ts'
import { type Job, LANES } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { deleteOld } from '../kit/schema/retention.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { Unanswered } from './outcome.ts'
import type { MissedEvent, Provider } from './provider.ts'
import * as statements from './webhooks.statements.server.ts'

/** Verifies and stores an event. A job then reads the state from the provider: the shop does not trust events. */
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

/** Stores a verified event in the inbox. Counts a repeat. */
export async function receiveEvent(pool: Database['pool'], provider: Provider, { id, type, body }: MissedEvent) {
  const subject = provider.subjectOf(body)
  const { ref = null, paymentId = null } = subject?.about === 'payment' ? subject : {}
  const error = subject ? null : 'about no payment of ours'
  const event = { provider: provider.name, eventId: id, eventType: type, body, error }
  await statements.storeEvent(pool, { ...event, ref, paymentId: paymentId && asUuid(paymentId), lanes: LANES })
}

export const webhookPath = (provider: string) => `/api/payments/${provider}/webhook` as const

const asUuid = (text: string) => (isUuid(text) ? text : null)

/** Closes the waiting events of settled payments. Enqueues the others that are due. */
export async function requeueEvents({ pool }: Pick<Database, 'pool'>) {
  await statements.closeSettled(pool, {})
  await statements.enqueueDue(pool, { lanes: LANES })
}

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

/** Delays an event while another payment of its order is being captured. The delay grows with time. */
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

/** Closes an event and deletes its body, which names the payer. `error` is why the event had no effect. */
export async function closeEvent(db: Db, provider: string, eventId: string, error: string | null) {
  await db
    .updateTable('webhookEvents')
    .set({ processedAt: now, error, body: '' })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .execute()
}

/** Deletes processed events. The retention exceeds the few weeks in which providers repeat an event. */
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
