import { sql } from 'kysely'
import { recordAct } from '../identity/audit/audit.server.ts'
import { type Db, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { handle, type Route } from '../kit/handle.server.ts'
import { log } from '../kit/log/log.server.ts'
import {
  type Integration,
  listIntegrations,
  listWebhookEvents,
  listWebhooks,
  sendTestEvent,
} from './integrations.contract.ts'
import { PAYPAL } from './payments.contract.ts'
import { Refused, Unanswered } from './paypal/errors.server.ts'
import type { Paypal } from './paypal/client.server.ts'
import type { Provider } from './providers.server.ts'

const REMEMBERED_MS = 60_000
const SHOWN_EVENTS = 20

type Probed = Pick<Paypal, 'mode' | 'createClientToken' | 'askVault'>

/** What Settings shows of being paid: the ways with their probes, the webhooks with what they received. */
export function integrationRoutes(
  { paypal, testWebhook }: Pick<Provider, 'paypal' | 'testWebhook'>,
  { publicUrl }: { publicUrl: string },
): Route[] {
  const probe = createProbe(paypal)
  return [
    handle(listIntegrations, probe, { limits: [{ per: 'account', count: 60, seconds: 60 }] }),

    handle(listWebhooks, async () => [
      {
        provider: PAYPAL,
        name: 'PayPal',
        url: `${publicUrl}/api/payments/paypal/webhook`,
        canVerify: paypal.canVerify,
        canTest: testWebhook !== null,
      },
    ]),

    handle(listWebhookEvents, (_, { db }) => lastEvents(db)),

    handle(
      sendTestEvent,
      async (_, { user, db }) => {
        if (!testWebhook) throw new Failure(409, 'Only the built-in sandbox sends test events.', 'not_sandbox')
        await inTransaction(db, (tx) => recordAct(tx, { actorId: user.id, act: 'payment.tested' }))
        const { eventId, answer } = await testWebhook()
        return { eventId, answer, isStored: await isStored(db, eventId) }
      },
      { limits: [{ per: 'account', count: 10, seconds: 60 }] },
    ),
  ]
}

/** Asks each service that a payment needs; a saved wallet needs the provider's vault, which is granted by itself. */
async function probeAll(paypal: Probed): Promise<Integration[]> {
  const isSandbox = paypal.mode === 'sandbox'
  const [checkout, vault] = await Promise.all([
    answers('checkout', () => paypal.createClientToken()),
    answers('vault', () => paypal.askVault()),
  ])
  return [
    { id: 'paypal', name: 'PayPal', state: checkout, isSandbox },
    { id: 'wallet', name: 'Saved wallet', state: vault, isSandbox },
    // nothing of it is built, so there is nothing to ask
    { id: 'crypto', name: 'Crypto', state: 'setup', isSandbox: false },
  ]
}

async function answers(service: string, ask: () => Promise<unknown>): Promise<'active' | 'away'> {
  try {
    await ask()
    return 'active'
  } catch (error) {
    if (!(error instanceof Unanswered || error instanceof Refused)) throw error
    log.warn('a payment service did not pass its probe', { service, error })
    return 'away'
  }
}

/** One answer for everybody who asks within a minute. */
export function createProbe(paypal: Probed, now = () => performance.now()): () => Promise<Integration[]> {
  let last: { answer: Promise<Integration[]>; until: number } | undefined
  return () => {
    if (last && last.until > now()) return last.answer
    const answer = probeAll(paypal)
    const mine = { answer, until: now() + REMEMBERED_MS }
    last = mine
    answer.catch(() => {
      if (last === mine) last = undefined
    })
    return answer
  }
}

async function lastEvents(db: Db) {
  const events = await db
    .selectFrom('webhookEvents')
    .select(['eventId', 'provider', 'eventType', 'receivedAt', 'timesReceived', 'processedAt', 'error'])
    .orderBy('receivedAt', 'desc')
    .limit(SHOWN_EVENTS)
    .execute()
  return events.map(({ eventId, receivedAt, processedAt, error, ...same }) => ({
    ...same,
    id: eventId,
    receivedAt: receivedAt.toISOString(),
    processedAt: processedAt?.toISOString() ?? null,
    problem: error,
  }))
}

async function isStored(db: Db, eventId: string): Promise<boolean> {
  const found = await db
    .selectFrom('webhookEvents')
    .select(sql`1`.as('one'))
    .where('provider', '=', PAYPAL)
    .where('eventId', '=', eventId)
    .executeTakeFirst()
  return found !== undefined
}
