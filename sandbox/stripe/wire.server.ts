import type { Entry } from '../store.server.ts'
import { readClockMs } from '../clock.server.ts'
import { required } from '../../src/kit/values/required.ts'

// Stripe's objects as they are stored and shown. Fields that start with `_` are internal.

export type Metadata = Record<string, string>

export type Card = {
  id: string
  object: 'payment_method'
  type: 'card'
  card: { brand: string; last4: string; country: string; fingerprint: string | null }
  customer: string | null
  /** 'always': the buyer asked to save it. */
  allow_redisplay: 'always' | 'limited' | 'unspecified'
  created: number
  _behavior: Behavior
}
export type Behavior = 'pays' | 'asks' | 'asks_always' | 'declines' | 'lacks_funds' | 'is_disputed'

export type Session = {
  id: string
  object: 'checkout.session'
  ui_mode: 'hosted_page'
  mode: 'payment' | 'setup'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  payment_intent: string | null
  setup_intent: string | null
  customer: string | null
  amount_total: number
  currency: string
  client_reference_id: string | null
  metadata: Metadata
  url: string | null
  success_url: string
  cancel_url: string
  expires_at: number
  created: number
  livemode: false
  _lines: { name: string; quantity: number; cents: number }[]
  _isAsking: boolean
  _isSaving: boolean
  _intentMetadata: Metadata
}

export type SetupIntent = {
  id: string
  object: 'setup_intent'
  status: 'succeeded'
  payment_method: string
  customer: string
  metadata: Metadata
  created: number
}

export type NextAction = { type: 'redirect_to_url'; redirect_to_url: { url: string; return_url: string } }

export type PaymentError = {
  type: 'card_error'
  code: string
  decline_code?: string
  message: string
  charge?: string
  payment_method?: object
}
export type Intent = {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  currency: string
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  metadata: Metadata
  customer: string | null
  payment_method: string | null
  setup_future_usage: 'off_session' | null
  latest_charge: string | null
  last_payment_error: PaymentError | null
  next_action?: NextAction | null
  created: number
  livemode: false
}

export type Charge = {
  id: string
  object: 'charge'
  amount: number
  amount_captured: number
  amount_refunded: number
  refunded: boolean
  disputed: boolean
  currency: string
  status: 'succeeded' | 'failed'
  failure_code: string | null
  payment_intent: string
  payment_method: string
  payment_method_details: { type: 'card'; card: Card['card'] }
  metadata: Metadata
  created: number
  livemode: false
  /** The session, or the intent of a saved card. */
  _ref: string
}

export type Refund = {
  id: string
  object: 'refund'
  amount: number
  charge: string
  currency: string
  payment_intent: string
  metadata: Metadata
  status: 'succeeded'
  created: number
}

export type Dispute = {
  id: string
  object: 'dispute'
  amount: number
  charge: string
  currency: string
  payment_intent: string
  reason: string
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
  evidence: Record<string, string>
  evidence_details: { due_by: number; has_evidence: boolean; past_due: boolean; submission_count: number }
  metadata: Metadata
  created: number
  livemode: false
}

export type StoredFile = {
  id: string
  object: 'file'
  purpose: 'dispute_evidence'
  filename: string
  size: number
  type: string
  created: number
}

export const now = () => Math.floor(readClockMs() / 1000)

const KINDS = {
  cs_: 'stripe_session',
  pi_: 'stripe_intent',
  ch_: 'stripe_charge',
  pm_: 'stripe_card',
  set: 'stripe_setup',
  cus: 'stripe_customer',
  re_: 'stripe_refund',
  du_: 'stripe_dispute',
  fil: 'stripe_file',
  txn: 'stripe_movement',
} as const
export type Kind = (typeof KINDS)[keyof typeof KINDS]

export const kindOf = (id: string): Kind | undefined => KINDS[id.slice(0, 3) as keyof typeof KINDS]

/** `ref` groups the objects of a session, or of the intent of a saved card. */
export const entryOf = (body: { id: string }, ref: string): Entry => ({
  kind: required(kindOf(body.id), 'the kind of the id'),
  id: body.id,
  orderId: ref,
  body,
})

function feeOf(source: Charge | Refund | Dispute, cents: number): number {
  if (source.object === 'charge') return Math.min(cents, Math.round(cents * 0.029) + 30)
  return source.object === 'dispute' && cents < 0 ? 1500 : 0
}

export const movementOf = (id: string, ref: string, source: Charge | Refund | Dispute, cents: number): Entry =>
  entryOf(
    {
      id,
      object: 'balance_transaction',
      amount: cents,
      currency: source.currency,
      fee: feeOf(source, cents),
      net: cents - feeOf(source, cents),
      source: source.id,
      type: source.object === 'dispute' ? 'adjustment' : source.object,
      reporting_category: source.object === 'dispute' && cents > 0 ? 'dispute_reversal' : source.object,
      created: now(),
      status: 'available',
    } as { id: string },
    ref,
  )
