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
import { getPaymentSetup } from '../payments/payments.contract.ts'
import { Unanswered } from '../payments/outcome.ts'
import type { Probed, Provider, Providers } from '../payments/provider.ts'
import { USDC } from '../payments/methods.ts'
import { hearing, webhookPath } from '../payments/webhooks.server.ts'
import { required } from '../kit/values/required.ts'

const CRYPTO = 'crypto'
const REMEMBERED_MS = 60_000
const SHOWN_EVENTS = 20

export function integrationRoutes(providers: Providers, { publicUrl }: { publicUrl: string }): Route[] {
  const { list } = providers
  // only PayPal has a script in the browser
  const scripted = list.find(({ setup }) => setup)
  return [
    handle(getPaymentSetup, { limits: [{ per: 'account', count: 30, seconds: 60, isShared: true }] }, async () => {
      if (!scripted?.setup) throw new Failure(404, 'Not found')
      const { expiresAt, ...setup } = await scripted.setup().catch((error: unknown) => {
        if (!(error instanceof Unanswered)) throw error
        throw new Failure(503, 'The payment provider isn’t responding.', 'provider_away', { retryAfter: 5 })
      })
      return { ...setup, expiresAt: expiresAt.toISOString(), environment: scripted.mode }
    }),

    handle(listIntegrations, { limits: [{ per: 'account', count: 60, seconds: 60 }] }, createProbe(list)),

    handle(listWebhooks, async () =>
      hearing(list).map(({ name, label, canVerifyEvents, sendTestEvent: canSend }) => ({
        provider: name,
        name: label,
        url: publicUrl + webhookPath(name),
        canVerify: canVerifyEvents,
        canTest: canSend !== undefined,
      })),
    ),

    handle(listWebhookEvents, (_, { db }) => lastEvents(db)),

    handle(sendTestEvent, { limits: [{ per: 'account', count: 10, seconds: 60 }] }, async (_, { user, db }) => {
      const provider = list.find((one) => one.sendTestEvent)
      if (!provider) throw new Failure(409, 'Only the built-in sandbox sends test events.', 'not_sandbox')
      await inTransaction(db, (tx) => recordAct(tx, { actorId: user.id, act: 'payment.tested' }))
      const { eventId, answer } = await required(provider.sendTestEvent, 'the test event of the provider')()
      const stored = await db
        .selectFrom('webhookEvents')
        .select('eventId')
        .where('provider', '=', provider.name)
        .where('eventId', '=', eventId)
        .executeTakeFirst()
      return { eventId, answer, isStored: stored !== undefined }
    }),
  ]
}

type Probing = Pick<Provider, 'name' | 'label' | 'mode' | 'probe' | 'saved'>
type ProbedProvider = Pick<Provider, 'mode' | 'probe'> & { id: string; name: string }

async function probeEach(all: Pick<Provider, 'probe'>[]): Promise<Probed> {
  const probed = await Promise.all(all.map(({ probe }) => probe()))
  return probed.find((one) => one !== 'ready') ?? 'ready'
}

async function probeAll(providers: Probing[]): Promise<Integration[]> {
  const keepers = providers.flatMap(({ mode, saved }) => (saved ? [{ mode, probe: saved.probe }] : []))
  const asked: ProbedProvider[] = [
    ...providers.map(({ name: id, label: name, mode, probe }) => ({ id, name, mode, probe })),
    // one entry for all providers that save methods; it is 'away' when one provider is away
    ...(keepers[0]
      ? [{ id: 'wallet', name: 'Saved wallet', mode: keepers[0].mode, probe: () => probeEach(keepers) }]
      : []),
  ]
  const answers = asked.map(async ({ mode, probe, ...same }): Promise<Integration> => {
    const probed = await probe()
    if (probed !== 'ready') log.warn('a payment service did not pass its probe', { service: same.name, probed })
    const state = probed === 'ready' ? 'active' : 'away'
    return { ...same, id: same.id === USDC ? CRYPTO : same.id, state, isSandbox: mode === 'sandbox' }
  })
  const found = await Promise.all(answers)
  // without its settings there is no probe to run
  if (found.some(({ id }) => id === CRYPTO)) return found
  return [...found, { id: CRYPTO, name: 'Crypto', state: 'setup', isSandbox: false }]
}

/** Caches the result for a minute. */
export function createProbe(providers: Probing[], now = () => performance.now()): () => Promise<Integration[]> {
  let last: { answer: Promise<Integration[]>; until: number } | undefined
  return () => {
    if (last && last.until > now()) return last.answer
    const answer = probeAll(providers)
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
    .select([
      'eventId as id',
      'provider',
      'eventType',
      'receivedAt',
      'timesReceived',
      'processedAt',
      'error as problem',
    ])
    .orderBy('receivedAt', 'desc')
    .limit(SHOWN_EVENTS)
    .execute()
  return events.map(({ receivedAt, processedAt, ...same }) => ({
    ...same,
    receivedAt: receivedAt.toISOString(),
    processedAt: processedAt?.toISOString() ?? null,
  }))
}
