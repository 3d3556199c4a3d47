// Outcomes of payments and refunds at a provider, in the shop's words.

/** No usable answer came: the effect of the call is unknown. */
export class Unanswered extends Error {}

/** The provider is still working on an earlier request with the same key, whose effect is unknown. */
export class UnderWay extends Unanswered {}

/** A row of `payments` is one. Minutes are measured by the database's clock. */
export type PaymentRef = {
  id: string
  providerOrderId: string | null
  /** A capture that was verified. */
  providerCaptureId: string | null
  amountCents: number
  currency: string
  /** A capture after a decline is a new request. */
  declines: number
  ageMinutes: number
  /** Since the last request that takes money; null when none is under way. */
  sentMinutes: number | null
}
export type ChargedLine = { productId: string; title: string; priceCents: number; quantity: number }
export type Charge = PaymentRef & { lines: ChargedLine[] }
export type SeenRefund = { ref: string; captureRef: string | null }

export type NextStep =
  | { kind: 'window' }
  | { kind: 'page'; url: string }
  | { kind: 'transfer'; address: string; amount: string; expiresAt: string }

/** Null is what the provider does not tell. */
export type Payer = { id: string | null; country: string | null; isVerified: boolean | null }

export type Captured = {
  kind: 'captured'
  ref: string
  captureRef: string
  /** The payment that the capture names. */
  paymentId: string | null
  amountCents: number
  currency: string
  /** All of it went back at the provider before the shop heard of it. */
  isReturned: boolean
  payer: Payer
  saved: { token: string; label: string } | null
  /** 'Visa ending in 4242'. Absent if the buyer did not pay by card or the provider does not report the card. */
  card?: string
}
export type Declined = {
  kind: 'declined'
  ref: string | null
  /** The capture that was declined, where the provider names it. */
  captureRef: string | null
  reason: string
  /** The same payment can be approved anew with another method. */
  canRetry: boolean
  payer: Payer
}
export type Unknown = {
  kind: 'unknown'
  /** The provider did not answer; otherwise it answers but cannot tell yet. */
  isAway: boolean
  why: string
}
export type Gone = { kind: 'gone' }
export type Outcome =
  | { kind: 'waiting'; ref: string }
  | { kind: 'approved'; ref: string }
  /** The buyer's bank asks about a saved method on this page. No money was taken. */
  | { kind: 'asked'; ref: string; url: string }
  /** A transfer that does not suffice yet. */
  | { kind: 'partial'; ref: string; receivedCents: number }
  /** The provider holds the money. */
  | { kind: 'pending'; ref: string }
  | Captured
  | Declined
  /** The payment does not exist or has lapsed, and nothing was taken. */
  | Gone
  | Unknown

export type RefundRef = {
  id: string
  /** Null refunds the whole capture, in the currency it came in. */
  amountCents: number | null
  providerRefundId: string | null
  ageMinutes: number
  payment: Pick<PaymentRef, 'providerOrderId' | 'providerCaptureId'>
}
export type Refunded = {
  kind: 'completed'
  ref: string | null
  /** The refund that it names. */
  refundId: string | null
  amountCents: number | null
}
export type RefundOutcome =
  | Refunded
  /** `waitsForStaff`: the provider enqueues the job again once staff have sent the money. */
  | { kind: 'pending'; ref: string; waitsForStaff?: true }
  /** Nothing went back. `reason` is a word of aftersale/refunds/refund.rules.ts or the provider's own. */
  | { kind: 'refused'; reason: string }
  | Unknown
export type FoundRefund = { paymentId: string | null; outcome: RefundOutcome }
