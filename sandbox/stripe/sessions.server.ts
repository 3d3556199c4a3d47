import { z } from 'zod'
import { Failure } from '../../src/kit/failure.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import {
  type Client,
  createId,
  type Entry,
  inTransaction,
  lockEntry,
  type NewEvent,
  readEntry,
  writeEffects,
} from '../store.server.ts'
import { callsOf, readOr404, type Sandbox } from './call.server.ts'
import { cardOf, createCustomer } from './cards.server.ts'
import { attempt, fail, UNAUTHENTICATED } from './charges.server.ts'
import { createEvent } from './events.server.ts'
import { flag, instant, Metadata, readForm, whole } from './form.server.ts'
import { intentOf, MIN_CENTS } from './intents.server.ts'
import { listForm, listOf } from './list.server.ts'
import { notFound, Refusal } from './refusal.server.ts'
import { CARD_DECLINED, createSetup, keepCard } from './setups.server.ts'
import { type Card, entryOf, type Intent, now, type Session } from './wire.server.ts'
import { firstOf, required } from '../../src/kit/values/required.ts'

const LIFE_SECONDS = 86_400
const MIN_LIFE_SECONDS = 1800

const url = z.url({ protocol: /^https?$/ }).max(5000)
const CreateSession = z.strictObject({
  mode: z.literal('payment'),
  ui_mode: z.literal('hosted_page'),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata: Metadata,
  line_items: z
    .array(
      z.strictObject({
        quantity: whole(1),
        price_data: z.strictObject({
          currency: z.string().regex(/^[a-z]{3}$/),
          unit_amount: whole(0),
          product_data: z.strictObject({
            name: z.string().min(1).max(250),
            description: z.string().max(1000).optional(),
          }),
        }),
      }),
    )
    .min(1)
    .max(100),
  payment_intent_data: z
    .strictObject({
      metadata: Metadata,
      setup_future_usage: z.literal('off_session').optional(),
      description: z.string().max(1000).optional(),
    })
    .prefault({}),
  saved_payment_method_options: z
    .strictObject({ payment_method_save: z.enum(['enabled', 'disabled']).optional() })
    .prefault({}),
  customer_creation: z.enum(['always', 'if_required']).default('if_required'),
  adaptive_pricing: z.strictObject({ enabled: flag }).optional(),
  submit_type: z.enum(['auto', 'pay']).optional(),
  success_url: url,
  cancel_url: url,
  expires_at: instant.optional(),
})

export function sessionRoutes(sandbox: Sandbox): RawRoute[] {
  const { read, write } = callsOf(sandbox)
  const { pool, base } = sandbox
  return [
    write('POST /v1/checkout/sessions', 'Creates a hosted page for a payment, or to keep a card.', async ({ form }) => {
      if ((form as { mode?: unknown }).mode === 'setup') return createSetup(sandbox, form)
      const given = readForm(CreateSession, form)
      const lines = given.line_items.map(({ quantity, price_data: { unit_amount: cents, product_data } }) => {
        return { name: product_data.name, quantity, cents }
      })
      const total = lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0)
      if (total < MIN_CENTS)
        throw new Refusal(400, {
          code: 'amount_too_small',
          message: "The Checkout Session's total must be at least $0.50 usd.",
        })
      const expiresAt = given.expires_at ?? now() + LIFE_SECONDS
      if (expiresAt < now() + MIN_LIFE_SECONDS || expiresAt > now() + LIFE_SECONDS)
        throw new Refusal(400, {
          param: 'expires_at',
          message: 'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
        })
      const isAsking = given.saved_payment_method_options.payment_method_save === 'enabled'
      if (isAsking && given.customer_creation !== 'always')
        throw new Refusal(400, {
          param: 'saved_payment_method_options',
          message: 'Saving a payment method requires a Customer: set `customer_creation` to `always`.',
        })
      const id = `cs_test_${createId(32)}`
      const session: Session = {
        id,
        object: 'checkout.session',
        ui_mode: 'hosted_page',
        mode: 'payment',
        status: 'open',
        payment_status: 'unpaid',
        payment_intent: null,
        setup_intent: null,
        customer: null,
        amount_total: total,
        currency: firstOf(given.line_items).price_data.currency,
        client_reference_id: given.client_reference_id ?? null,
        metadata: given.metadata,
        url: `${base}/pay/${id}`,
        success_url: given.success_url.replaceAll('{CHECKOUT_SESSION_ID}', id),
        cancel_url: given.cancel_url,
        expires_at: expiresAt,
        created: now(),
        livemode: false,
        _lines: lines,
        _isAsking: isAsking,
        _isSaving: given.payment_intent_data.setup_future_usage !== undefined,
        _intentMetadata: given.payment_intent_data.metadata,
      }
      return { body: session, entries: [entryOf(session, id)] }
    }),

    read('GET /v1/checkout/sessions/:id', 'A hosted page and its state.', async ({ params }) =>
      asOfNow(await readOr404<Session>(pool, params.id, 'session')),
    ),

    read('GET /v1/checkout/sessions', 'Lists hosted pages, newest first.', ({ form }) =>
      listOf(pool, 'stripe_session', '/v1/checkout/sessions', listForm(form, ['payment_intent', 'customer'])),
    ),

    write('POST /v1/checkout/sessions/:id/expire', 'Closes a hosted page.', async ({ params }, client) => {
      const session = await lockEntry<Session>(client, 'stripe_session', params.id)
      if (!session) throw notFound('checkout.session', params.id)
      if (asOfNow(session).status !== 'open')
        throw new Refusal(400, { message: 'Only Checkout Sessions with a status in ["open"] can be expired.' })
      const expired: Session = { ...session, status: 'expired', url: null }
      const events = [createEvent(sandbox, 'checkout.session.expired', expired)]
      return { body: expired, entries: [entryOf(expired, session.id)], events }
    }),
  ]
}

/** Returns the session, expired if its time is over. */
export const asOfNow = (session: Session): Session =>
  session.status === 'open' && session.expires_at <= now() ? { ...session, status: 'expired', url: null } : session

export type Step = { kind: 'paid'; session: Session } | { kind: 'asked' } | { kind: 'declined'; message: string }

type Payer = { owner: string; country?: string | undefined }
type Choice =
  { kind: 'card'; number: string; payer?: Payer | undefined; isKept?: boolean } | { kind: 'bank'; isConfirmed: boolean }

const UNKNOWN = new Failure(404, 'This payment is not known, or it has expired.')
const PAID = new Failure(409, 'This payment is complete already.')
export const NOT_A_TEST_CARD = 'Only the test cards below work here.'

export async function choose(sandbox: Sandbox, id: string, choice: Choice): Promise<Step> {
  const step = await inTransaction(sandbox.pool, async (client) => {
    const stored = await lockEntry<Session>(client, 'stripe_session', id)
    const open = stored && asOfNow(stored)
    if (!open || open.status === 'expired') throw UNKNOWN
    if (open.status === 'complete') throw PAID
    const isAnswered = open._isAsking && choice.kind === 'card'
    const session = isAnswered ? { ...open, _isSaving: choice.isKept ?? false } : open
    const card = await cardFor(client, session, choice)
    if (!card) return { kind: 'declined', message: NOT_A_TEST_CARD } as const
    if (session.mode === 'setup') {
      const kept = keepCard(sandbox, session, card)
      if (!kept) return { kind: 'declined', message: CARD_DECLINED } as const
      await writeEffects(client, kept.entries, kept.events)
      return { kind: 'paid', session: kept.session } as const
    }
    const rolled = sandbox.faults.roll('amount', 'decline')
    const fault = rolled === 'amount' || rolled === 'decline' ? rolled : null
    const intent = await intentFor(client, session)
    const isDenied = choice.kind === 'bank' && !choice.isConfirmed
    const made = isDenied
      ? fail(intent, card, id, UNAUTHENTICATED)
      : attempt(sandbox, intent, card, { ref: id, isAuthenticated: choice.kind === 'bank', fault })
    const isPaid = made.intent.status === 'succeeded'
    const done = isPaid ? complete(sandbox, session, made.intent, card) : null
    const entries = done
      ? [...made.entries.filter((entry) => !done.entries.some(({ id: own }) => own === entry.id)), ...done.entries]
      : [...made.entries, entryOf(card, id), entryOf({ ...session, payment_intent: made.intent.id } as Session, id)]
    await writeEffects(client, entries, [...made.events, ...(done?.events ?? [])])
    if (done) return { kind: 'paid', session: done.session } as const
    return made.error ? ({ kind: 'declined', message: made.error.message } as const) : ({ kind: 'asked' } as const)
  })
  sandbox.wakeDeliveries()
  return step
}

async function cardFor(client: Client, session: Session, choice: Choice): Promise<Card | undefined> {
  if (choice.kind === 'card') return cardOf(choice.number, choice.payer)
  const intent = session.payment_intent && (await readEntry<Intent>(client, 'stripe_intent', session.payment_intent))
  if (!intent || intent.status !== 'requires_action') throw UNKNOWN
  return readEntry<Card>(client, 'stripe_card', required(intent.payment_method, 'the card of the payment'))
}

async function intentFor(client: Client, session: Session): Promise<Intent> {
  const known = session.payment_intent && (await readEntry<Intent>(client, 'stripe_intent', session.payment_intent))
  if (known) return known
  const { amount_total: amount, currency, _intentMetadata: metadata, _isSaving, _isAsking } = session
  const intent = intentOf({ amount, currency, metadata, customer: null })
  return { ...intent, setup_future_usage: _isSaving && !_isAsking ? 'off_session' : null }
}

/** Completes a paid session. Saves the card for a new customer if the shop or the buyer asked for that. */
function complete(
  sandbox: Sandbox,
  session: Session,
  intent: Intent,
  card: Card,
): { session: Session; entries: Entry[]; events: NewEvent[] } {
  const customer = session._isSaving ? createCustomer() : null
  const customerId = customer?.id ?? null
  const paid: Session = {
    ...session,
    status: 'complete',
    payment_status: 'paid',
    payment_intent: intent.id,
    customer: customerId,
    url: null,
  }
  const saved = customer
    ? [
        entryOf(customer, session.id),
        entryOf(
          { ...card, customer: customer.id, allow_redisplay: session._isAsking ? 'always' : 'limited' } as Card,
          session.id,
        ),
        entryOf({ ...intent, customer: customer.id } as Intent, session.id),
      ]
    : [entryOf(card, session.id)]
  return {
    session: paid,
    entries: [entryOf(paid, session.id), ...saved],
    events: [createEvent(sandbox, 'checkout.session.completed', paid)],
  }
}
