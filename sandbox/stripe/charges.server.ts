import type { RawRoute } from '../../src/kit/handle.server.ts'
import { createId, type Entry, type NewEvent } from '../store.server.ts'
import { callsOf, readOr404, type Sandbox } from './call.server.ts'
import { openDispute } from './disputes.server.ts'
import { createEvent } from './events.server.ts'
import { listForm, listOf } from './list.server.ts'
import { type Card, type Charge, entryOf, type Intent, movementOf, now, type PaymentError } from './wire.server.ts'

export type Attempt = { intent: Intent; error: PaymentError | null; entries: Entry[]; events: NewEvent[] }
type How = {
  ref: string
  isAuthenticated?: boolean
  isSaved?: boolean
  /** The URL to which the bank returns the owner of a saved card. Set only if the owner is present. */
  page?: { returnUrl: string } | null
  fault: 'amount' | 'decline' | null
}

const DECLINES: Record<string, { code: string; decline_code: string; message: string }> = {
  declines: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  lacks_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
}
export const UNAUTHENTICATED = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different one and try again.',
}

/** Tries to charge a card. Without a return URL, the owner of a saved card is absent, so 3-D Secure is not possible. */
export function attempt(sandbox: Sandbox, given: Intent, card: Card, how: How): Attempt {
  const { ref, isAuthenticated = false, isSaved = false, page = null, fault } = how
  const does = card._behavior
  const intent: Intent = { ...given, payment_method: card.id, last_payment_error: null }
  const isAsking = !isAuthenticated && (does === 'asks_always' || (does === 'asks' && !isSaved))
  if (isAsking && page) {
    const redirect = { url: `${sandbox.base}/bank/${intent.id}`, return_url: page.returnUrl }
    const asked: Intent = {
      ...intent,
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: redirect },
    }
    return { intent: asked, error: null, entries: [entryOf(asked, ref)], events: [] }
  }
  if (isAsking && isSaved)
    return fail(intent, card, ref, {
      code: 'authentication_required',
      decline_code: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    })
  if (isAsking) {
    const asked: Intent = { ...intent, status: 'requires_action' }
    return { intent: asked, error: null, entries: [entryOf(asked, ref)], events: [] }
  }
  const decline = DECLINES[fault === 'decline' ? 'declines' : does]
  if (decline) return fail(intent, card, ref, decline)
  const charge = chargeOf(intent, card, ref, fault === 'amount' ? intent.amount - 1 : intent.amount)
  const paid: Intent = { ...intent, status: 'succeeded', amount_received: charge.amount, latest_charge: charge.id }
  const entries = [entryOf(paid, ref), movementOf(movementId(), ref, charge, charge.amount)]
  const events = isSaved ? [createEvent(sandbox, 'payment_intent.succeeded', paid)] : []
  if (does !== 'is_disputed') return { intent: paid, error: null, entries: [...entries, entryOf(charge, ref)], events }
  const disputed = openDispute(sandbox, charge)
  return {
    intent: paid,
    error: null,
    entries: [...entries, ...disputed.entries],
    events: [...events, ...disputed.events],
  }
}

export const movementId = () => `txn_${createId(24)}`

const chargeOf = (intent: Intent, card: Card, ref: string, cents: number): Charge => ({
  id: `ch_${createId(24)}`,
  object: 'charge',
  amount: cents,
  amount_captured: cents,
  amount_refunded: 0,
  refunded: false,
  disputed: false,
  currency: intent.currency,
  status: 'succeeded',
  failure_code: null,
  payment_intent: intent.id,
  payment_method: card.id,
  payment_method_details: { type: 'card', card: card.card },
  metadata: intent.metadata,
  created: now(),
  livemode: false,
  _ref: ref,
})

/** The intent stays open, so that the buyer can pay with another card. */
export function fail(intent: Intent, card: Card, ref: string, why: Omit<PaymentError, 'type'>): Attempt {
  const charge: Charge = {
    ...chargeOf(intent, card, ref, intent.amount),
    status: 'failed',
    amount_captured: 0,
    failure_code: why.code,
  }
  const { _behavior, ...method } = card
  const error: PaymentError = { type: 'card_error', ...why, charge: charge.id, payment_method: method }
  const failed: Intent = {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge.id,
    last_payment_error: error,
  }
  const entries = [entryOf(failed, ref), entryOf(charge, ref)]
  return { intent: failed, error, entries, events: [] }
}

export function chargeRoutes(sandbox: Sandbox): RawRoute[] {
  const { read } = callsOf(sandbox)
  const { pool } = sandbox
  return [
    read('GET /v1/charges/:id', 'A charge.', ({ params }) => readOr404(pool, params.id, 'charge')),
    read('GET /v1/balance_transactions', 'What moved in the account, newest first.', ({ form }) =>
      listOf(pool, 'stripe_movement', '/v1/balance_transactions', listForm(form, ['type'])),
    ),
  ]
}
