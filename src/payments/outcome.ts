// Outcomes of payments and refunds, independent of the provider.

/** The provider sent no usable reply, so the effect of the request is unknown. */
export class Unanswered extends Error {}

/** The provider is still processing an earlier request with the same key. Its effect is unknown. */
export class UnderWay extends Unanswered {}

/** Identifies a payment for the provider; a row of `payments` fits. The database's clock measures the minutes. */
export type PaymentRef = {
  id: string
  providerOrderId: string | null
  /** The verified capture. */
  providerCaptureId: string | null
  amountCents: number
  currency: string
  /** Part of the idempotency key: a capture after a decline is a new request. */
  declines: number
  ageMinutes: number
  /** Minutes since the last unfinished charge request. Null: no request is unfinished. */
  sentMinutes: number | null
}
export type ChargedLine = { productId: string; title: string; priceCents: number; quantity: number }
export type Charge = PaymentRef & { lines: ChargedLine[] }
export type SeenRefund = { ref: string; captureRef: string | null }

export type NextStep =
  | { kind: 'window' }
  | { kind: 'page'; url: string }
  | { kind: 'transfer'; address: string; amount: string; expiresAt: string }

/** Null: the provider does not report the value. */
export type Payer = { id: string | null; country: string | null; isVerified: boolean | null }

export type Captured = {
  kind: 'captured'
  ref: string
  captureRef: string
  /** The shop's payment id in the capture. */
  paymentId: string | null
  amountCents: number
  currency: string
  /** The provider returned the whole amount before the shop processed the capture. */
  isReturned: boolean
  payer: Payer
  saved: { token: string; label: string } | null
  /** 'Visa ending in 4242'. Absent if the buyer did not pay by card or the provider does not report the card. */
  card?: string
}
export type Declined = {
  kind: 'declined'
  ref: string | null
  /** The declined capture, if the provider reports it. */
  captureRef: string | null
  reason: string
  /** The buyer can approve the same payment with another method. */
  canRetry: boolean
  payer: Payer
}
export type Unknown = {
  kind: 'unknown'
  /** True: the provider did not reply. False: it replied without a result. */
  isAway: boolean
  why: string
}
export type Gone = { kind: 'gone' }
export type Outcome =
  | { kind: 'waiting'; ref: string }
  | { kind: 'approved'; ref: string }
  /** The buyer's bank requires a confirmation on this page. No money was taken. */
  | { kind: 'asked'; ref: string; url: string }
  /** The transfers so far do not cover the amount. */
  | { kind: 'partial'; ref: string; receivedCents: number }
  /** The provider holds the money. */
  | { kind: 'pending'; ref: string }
  | Captured
  | Declined
  /** The payment does not exist or has expired, and no money was taken. */
  | Gone
  | Unknown

export type RefundRef = {
  id: string
  /** Null refunds the whole capture in its currency. */
  amountCents: number | null
  providerRefundId: string | null
  ageMinutes: number
  payment: Pick<PaymentRef, 'providerOrderId' | 'providerCaptureId'>
}
export type Refunded = {
  kind: 'completed'
  ref: string | null
  /** The shop's refund id at the provider. */
  refundId: string | null
  amountCents: number | null
}
export type RefundOutcome =
  | Refunded
  /** `waitsForStaff`: the provider enqueues the job again after staff sent the money. */
  | { kind: 'pending'; ref: string; waitsForStaff?: true }
  /** No money was returned. `reason` is a code of aftersale/refunds/refund.rules.ts or the provider's code. */
  | { kind: 'refused'; reason: string }
  | Unknown
export type FoundRefund = { paymentId: string | null; outcome: RefundOutcome }
