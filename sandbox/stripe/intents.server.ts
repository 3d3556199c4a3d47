import { z } from 'zod'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { createId, inTransaction, lockEntry, readEntry, writeEffects } from '../store.server.ts'
import { callsOf, readOr404, type Sandbox } from './call.server.ts'
import { attempt, fail, UNAUTHENTICATED } from './charges.server.ts'
import { flag, Metadata, readForm, whole } from './form.server.ts'
import { listForm, listOf } from './list.server.ts'
import { notFound, Refusal } from './refusal.server.ts'
import { type Card, type Intent, now } from './wire.server.ts'
import { required } from '../../src/kit/values/required.ts'

// Payments with a saved card. Without the owner they are `off_session`, and the bank can show no page.

const UNKNOWN = new Failure(404, 'This payment is unknown, or the bank does not ask about it.')

export async function answerBank(sandbox: Sandbox, id: string, isConfirmed: boolean): Promise<string> {
  const next = await inTransaction(sandbox.pool, async (client) => {
    const intent = await lockEntry<Intent>(client, 'stripe_intent', id)
    const action = intent?.next_action
    if (intent?.status !== 'requires_action' || !action) throw UNKNOWN
    const cardId = required(intent.payment_method, 'the card of the payment')
    const card = required(await readEntry<Card>(client, 'stripe_card', cardId), 'the card')
    const asked: Intent = { ...intent, next_action: null }
    const made = isConfirmed
      ? attempt(sandbox, asked, card, { ref: id, isSaved: true, isAuthenticated: true, page: null, fault: null })
      : fail(asked, card, id, UNAUTHENTICATED)
    await writeEffects(client, made.entries, made.events)
    const url = new URL(action.redirect_to_url.return_url)
    url.searchParams.set('payment_intent', id)
    return url.href
  })
  sandbox.wakeDeliveries()
  return next
}

/** Stripe's minimum for US dollars. */
export const MIN_CENTS = 50

const CreateIntent = z.strictObject({
  amount: whole(1),
  currency: z.string().regex(/^[a-z]{3}$/),
  customer: z.string().max(64).optional(),
  payment_method: z.string().max(64),
  allowed_payment_method_types: z.array(z.literal('card')).optional(),
  off_session: flag.default(false),
  return_url: z
    .url({ protocol: /^https?$/ })
    .max(5000)
    .optional(),
  confirm: z.literal('true'),
  description: z.string().max(1000).optional(),
  metadata: Metadata,
})

export const intentOf = (change: Pick<Intent, 'amount' | 'currency' | 'metadata' | 'customer'>): Intent => ({
  id: `pi_${createId(24)}`,
  object: 'payment_intent',
  amount_received: 0,
  status: 'requires_payment_method',
  payment_method: null,
  setup_future_usage: null,
  latest_charge: null,
  last_payment_error: null,
  created: now(),
  livemode: false,
  ...change,
})

export function intentRoutes(sandbox: Sandbox): RawRoute[] {
  const { read, write } = callsOf(sandbox)
  const { pool } = sandbox
  return [
    write('POST /v1/payment_intents', 'Charges a saved card.', async ({ form, fault }, client) => {
      const { amount, currency, customer = null, metadata, ...given } = readForm(CreateIntent, form)
      if (amount < MIN_CENTS)
        throw new Refusal(400, {
          code: 'amount_too_small',
          param: 'amount',
          message: 'Amount must be at least $0.50 usd',
        })
      const card = await readEntry<Card>(client, 'stripe_card', given.payment_method)
      if (!card) throw notFound('PaymentMethod', given.payment_method)
      if (card.customer === null || card.customer !== customer)
        throw new Refusal(400, {
          message: 'The PaymentMethod does not belong to the Customer you supplied.',
          param: 'payment_method',
        })
      const intent = intentOf({ amount, currency, metadata, customer })
      const rolled = fault === 'decline' ? fault : sandbox.faults.roll('amount') === 'amount' ? 'amount' : null
      const page = given.off_session || !given.return_url ? null : { returnUrl: given.return_url }
      const made = attempt(sandbox, intent, card, { ref: intent.id, isSaved: true, page, fault: rolled })
      const { entries, events } = made
      if (!made.error) return { body: made.intent, entries, events }
      return { status: 402, body: { error: { ...made.error, payment_intent: made.intent } }, entries, events }
    }),

    read('GET /v1/payment_intents/:id', 'A payment.', ({ params }) => readOr404(pool, params.id, 'intent')),

    read('GET /v1/payment_intents', 'Lists payments, newest first.', ({ form }) =>
      listOf(pool, 'stripe_intent', '/v1/payment_intents', listForm(form, ['customer'])),
    ),

    write('POST /v1/payment_intents/:id/cancel', 'Cancels an unpaid payment.', async ({ params }, client) => {
      const intent = await readOr404<Intent>(client, params.id, 'intent')
      if (intent.status === 'succeeded' || intent.status === 'processing')
        throw new Refusal(400, {
          code: 'payment_intent_unexpected_state',
          message: `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`,
        })
      const canceled: Intent = { ...intent, status: 'canceled' }
      return { body: canceled, entries: [{ kind: 'stripe_intent', id: intent.id, orderId: intent.id, body: canceled }] }
    }),
  ]
}
