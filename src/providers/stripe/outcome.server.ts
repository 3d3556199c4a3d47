import type Stripe from 'stripe'
import { cardLabel } from '../../payments/methods/cardLabel.rules.ts'
import type { Declined, Outcome, Payer } from '../../payments/outcome.ts'
import { unclear } from '../../payments/unknown.server.ts'

const idOf = (value: string | { id: string } | null | undefined): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

type CardFacts = { fingerprint?: string | null; country?: string | null; brand?: string | null; last4?: string | null }

const payerOf = (card: CardFacts | null | undefined): Payer => ({
  id: card?.fingerprint ?? null,
  country: card?.country ?? null,
  isVerified: null,
})

export const tokenOf = (customer: string, method: string) => `${customer}.${method}`
export function readToken(token: string): { customer?: string; method: string } {
  const [customer, method] = token.split('.')
  return method === undefined ? { method: token } : { customer: customer!, method }
}

/** `ref` is the payment page or the intent itself. The latest charge must be expanded. */
export function outcomeOfIntent(intent: Stripe.PaymentIntent, ref: string): Outcome {
  const { status, last_payment_error: error } = intent
  if (status === 'succeeded') return capturedBy(intent, ref)
  if (status === 'processing' || status === 'requires_capture') return { kind: 'pending', ref }
  if (status === 'canceled') return { kind: 'gone' }
  return error && status === 'requires_payment_method' ? declinedBy(error, ref) : { kind: 'waiting', ref }
}

function capturedBy(intent: Stripe.PaymentIntent, ref: string): Outcome {
  const { metadata, currency, latest_charge: charge } = intent
  // Stripe may show the payment before its charge exists
  if (charge === null || typeof charge === 'string') return unclear('a payment without its charge')
  const card = charge.payment_method_details?.card
  return {
    kind: 'captured',
    ref,
    captureRef: charge.id,
    paymentId: metadata.payment_id ?? null,
    amountCents: charge.amount_captured,
    currency: currency.toUpperCase(),
    isReturned: charge.refunded,
    payer: payerOf(card),
    saved: savedBy(intent.payment_method, labelOf(card)),
    ...(card?.last4 && { card: labelOf(card) }),
  }
}

export const labelOf = (card: CardFacts | null | undefined): string => cardLabel(card?.brand, card?.last4)

/** Returns the card if the buyer chose to save it on Stripe's page. Null if the payment method is not expanded. */
function savedBy(method: Stripe.PaymentIntent['payment_method'], label: string) {
  if (method === null || typeof method === 'string' || method.allow_redisplay !== 'always') return null
  const customer = idOf(method.customer)
  return customer === null ? null : { token: tokenOf(customer, method.id), label }
}

type PaymentError = NonNullable<Stripe.PaymentIntent['last_payment_error']>

function declinedBy(error: PaymentError, ref: string): Declined {
  const reason = error.decline_code ?? error.code ?? 'declined'
  const { charge: captureRef = null, payment_method: method } = error
  return { kind: 'declined', ref, captureRef, reason, canRetry: true, payer: payerOf(method?.card) }
}

export const declined = (reason: string, ref: string | null = null): Declined => ({
  kind: 'declined',
  ref,
  captureRef: null,
  reason,
  canRetry: true,
  payer: payerOf(null),
})

/** `intent` and its latest charge must be expanded. */
export function outcomeOfSession(session: Stripe.Checkout.Session): Outcome {
  const { id: ref, status, payment_intent: intent } = session
  const outcome: Outcome =
    intent === null || typeof intent === 'string' ? { kind: 'waiting', ref } : outcomeOfIntent(intent, ref)
  const isOver = outcome.kind === 'waiting' || outcome.kind === 'declined'
  if (status === 'expired' && isOver) return { kind: 'gone' }
  if (status === 'complete' && outcome.kind === 'waiting') return unclear('a complete page without a payment')
  // a completed page accepts no second payment
  return outcome.kind === 'declined' && status === 'complete' ? { ...outcome, canRetry: false } : outcome
}
