// What the shop asks of a payment provider, in the shop's words. A provider translates and reports: it opens no transaction,
// decides nothing, and knows neither orders nor carts, codes or risk.

/**
 * `payment.id` and `refund.id` are idempotency keys, so every method may be repeated. Methods that answer an outcome never
 * throw when the provider is away: they answer `unknown`. The others throw Unanswered.
 */
export type Provider = {
  /** Stored with payments, saved methods and events; selects from the list in providers.server.ts. */
  name: string
  /** The provider's name as people write it. */
  label: string
  /** What happens after the press, in one line for buyers. */
  hint: string
  /** What `start` leads to. */
  step: NextStep['kind']
  mode: 'sandbox' | 'live'
  /** The settings that hold the credentials, for operators. */
  credentials: string
  /** The provider's fee for a payment, from its public price list for the US. Absent if it takes no fee. */
  cost?: { basisPoints: number; fixedCents: number }
  /** It takes no smaller payment, in cents. Absent where it takes any. */
  leastCents?: number
  /** What the content security policy must allow. */
  hosts: Hosts
  /** What a provider with a script in the browser needs before the buyer presses a button. */
  setup?: () => Promise<WindowSetup>
  /** Opens a payment, or answers the one that `providerOrderId` names. `isKeepable` asks the buyer to save the method. */
  start: (payment: Charge & { isKeepable: boolean }) => Promise<{ ref: string; next: NextStep }>
  /** Takes the money of an approved payment. A provider that takes it by itself answers as `find` does. */
  capture: (payment: PaymentRef) => Promise<Outcome>
  /** The truth about a payment. `seen` is what an event named of it. */
  find: (payment: PaymentRef, seen?: SeenRefund) => Promise<Outcome>
  /**
   * Makes an unpaid payment unpayable: 'gone', or the truth when money moved first. Absent where only `capture` takes money.
   * Marking the payment as canceled suffices there.
   */
  close?: (payment: PaymentRef) => Promise<Outcome>
  saved?: {
    /** A repeat (`sentMinutes` is set) answers what became of the first request. */
    charge: (payment: Charge, token: string) => Promise<Outcome>
    /** Succeeds too when the provider does not know the token. */
    forget: (token: string) => Promise<void>
    probe: () => Promise<Probed>
    /** Saves a method without a payment. Absent where a provider cannot. */
    adds?: AddsMethod
  }
  /** Makes a refund, or finds out what became of an earlier request. */
  refund: (refund: RefundRef) => Promise<RefundOutcome>
  /** A refund that an event named, and the payment that its capture names. */
  findRefund: (seen: { refundRef: string; captureRef: string }) => Promise<FoundRefund>
  /** Pays sellers. Absent where a provider cannot. */
  payOut?: PayOut
  /** Payments that buyers dispute. Absent where a provider knows none. */
  disputes?: Disputes
  /** Reads the provider's movements of a UTC day ('2026-11-23'), to compare them with the ledger. */
  report?: (day: string) => Promise<Report | Unknown>
  /** The shop's side of the report: what it knows under `refs`, and what it booked. Absent where payments, refunds and payouts are that. */
  books?: (day: string, refs: string[]) => Promise<{ known: Booked[]; booked: Booked[] }>
  /** Verifies the raw bytes. */
  readEvent: (request: EventRequest) => Promise<{ id: string; type: string } | 'forged'>
  /** The events of the last time, read from the provider's own log, because webhooks get lost. Absent where it keeps none. */
  missed?: (since: Date) => Promise<{ kind: 'events'; events: MissedEvent[] } | Unknown>
  /** What a verified event is about, never what happened; null when it is about no payment. */
  subjectOf: (body: string) => EventSubject | null
  canVerifyEvents: boolean
  /** The shop reads the chain itself. No webhook brings events. */
  hasNoEvents?: true
  probe: () => Promise<Probed>
  /** Sends the webhook a signed event; `answer` is the status it got. Only a stand-in can. */
  sendTestEvent?: () => Promise<{ eventId: string; answer: string | null }>
}

/** `owner` is the member. Both throw Unanswered. */
export type AddsMethod = {
  /** `ref` names what the page is to save. */
  start: (owner: string) => Promise<Extract<NextStep, { kind: 'page' }> & { ref: string }>
  /** What the page saved; null when it saved nothing for this member. */
  finish: (owner: string, ref: string) => Promise<{ token: string; label: string } | null>
}

/** No usable answer came: the effect of the call is unknown. */
export class Unanswered extends Error {}

/** The provider is still working on an earlier request with the same key, whose effect is unknown. */
export class UnderWay extends Unanswered {}

export type Hosts = { scripts: string[]; connects: string[]; frames: string[] }
export type WindowSetup = { clientToken: string; expiresAt: Date; scriptUrl: string }
export type Probed = 'ready' | 'refused' | 'away'

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

/** What the buyer does next. */
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
  | { kind: 'gone' }
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

/** `id` of a batch and of each payout are the provider's idempotency keys. */
export type PayOut = {
  /** Payouts that one batch may hold. */
  most: number
  /** A repeat answers the first batch's `ref`. */
  send: (batch: SentPayouts) => Promise<BatchOutcome>
  /** The truth about each payout of a batch. */
  read: (batchRef: string) => Promise<BatchTruth>
  find: (payoutRef: string) => Promise<PayoutTruth | Gone | Unknown>
  /** Takes a payout back that its receiver has not claimed, and answers what it is then. */
  cancel: (payoutRef: string) => Promise<PayoutTruth | Gone | Unknown>
}
export type SentPayouts = {
  id: string
  /** No request for this batch was sent before. Only then does a refusal prove that there is no batch. */
  isFirst: boolean
  payouts: { id: string; receiver: string; amountCents: number }[]
}
export type Gone = { kind: 'gone' }
export type BatchOutcome = { kind: 'sent'; ref: string } | { kind: 'refused'; reason: string } | Unknown
export type BatchTruth =
  /** `isDenied`: the provider refused the whole batch and moved no money. */
  { kind: 'batch'; batchId: string; isDenied: boolean; payouts: PayoutTruth[] } | Gone | Unknown
export type PayoutTruth = {
  kind: 'payout'
  /** The shop's id of the payout. */
  id: string
  ref: string
  batchRef: string
  amountCents: number
  currency: string
  /** 'failed' and 'returned': the money is the shop's again. */
  state: 'waiting' | 'held' | 'unclaimed' | 'paid' | 'failed' | 'returned'
  /** Why it failed; 'details': it would fail again until the seller changes the details. */
  cause: 'details' | 'shop'
  /** The provider's own word. */
  reason: string | null
}

/**
 * `ref` is the id of the capture, refund, dispute or payout; for a payout it may be the shop's id. Amounts are positive.
 */
export type ReportLine = {
  kind: 'payment' | 'refund' | 'dispute' | 'payout'
  ref: string
  /** Capture of a refund or a dispute, if the report contains it. */
  captureRef?: string | null
  amountCents: number
  currency: string
  at: Date
}

/** A fee. A negative amount is a fee that the provider returned. */
export type FeeLine = { ref: string; amountCents: number; currency: string; at: Date }

/** `hasPending`: some movements of the day may still complete, and then have fees. */
export type Report = { kind: 'lines'; lines: ReportLine[]; fees: FeeLine[]; hasPending: boolean }

/** An entry of the shop's ledger. `ref` is null if the provider never sent it. A dispute's `otherRef` is its capture. */
export type Booked = {
  kind: ReportLine['kind']
  ref: string | null
  otherRef: string | null
  amountCents: number
  /** Amount that a lost dispute took; null otherwise. */
  lostCents?: number | null
  currency: string
}

export type Disputes = {
  /** When the provider's report shows the money of a lost dispute: when it opens, or when it ends. */
  reportedAt: 'opening' | 'end'
  /** Reads the current state of a dispute. 'unclear': the dispute has ended, but the provider reports no outcome. */
  find: (disputeRef: string) => Promise<DisputeTruth | Gone | Unclear | Unknown>
  /** A repeat with the same id sends nothing twice. */
  submit: (disputeRef: string, evidence: Evidence & { id: string }) => Promise<Submitted>
  /** Sends a message, with an optional offer, to the buyer in an inquiry. Idempotent by id. Absent if inquiries accept evidence. */
  reply?: (disputeRef: string, reply: InquiryReply) => Promise<Submitted>
  /** Reads how much of a capture was returned to the buyer, including disputes. Absent if a capture does not show this. */
  readReturned?: (captureRef: string) => Promise<{ kind: 'returned'; part: 'none' | 'some' | 'all' } | Gone | Unknown>
}
/** `last`: what is known of it, as if it were under review. */
export type Unclear = { kind: 'unclear'; why: string; last: DisputeTruth }
export type Submitted = { kind: 'sent' } | { kind: 'refused'; reason: string } | Unknown
export type InquiryReply = { id: string; text: string; offerCents: number | null; currency: string }
export type DisputeTruth = {
  kind: 'dispute'
  ref: string
  captureRef: string
  /** The payment that the capture names. */
  paymentId: string | null
  amountCents: number
  currency: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  /**
   * 'warning': a bank asks, and no money moves. 'inquiry': buyer and shop exchange messages while the provider holds the money.
   * 'claim': the provider or a bank decides.
   */
  stage: 'warning' | 'inquiry' | 'claim'
  /** Amount that the buyer got from a lost dispute. Null: all of it. */
  lostCents: number | null
  /** The provider's own word. */
  reason: string
  evidenceDueAt: Date | null
  openedAt: Date
}
/** What the shop tells the provider about a disputed purchase. */
export type Evidence = {
  buyerName: string
  buyerEmail: string
  ip: string | null
  country: string | null
  boughtAt: Date
  productDescription: string
  /** What was delivered and when, one line each. */
  deliveryLog: string[]
  refundPolicy: string
  note: string
}

/** The providers of this shop. */
export type Providers = {
  list: Provider[]
  /** Takes new payments. */
  main: Provider
  /** The provider of a stored payment or event. */
  named: (name: string) => Provider
}

/** `ip` is the sender's address. */
export type EventRequest = { header: (name: string) => string | undefined; body: Uint8Array; ip: string }
export type MissedEvent = { id: string; type: string; body: string }
export type EventSubject =
  | { about: 'payment'; ref: string; captureRef: string | null; paymentId: string | null }
  | { about: 'refund'; refundRef: string; captureRef: string }
  /** Without `payoutRef` it is about the batch. */
  | { about: 'payout'; batchRef: string; payoutRef: string | null }
  | { about: 'dispute'; disputeRef: string; captureRef: string | null }
  /** The provider reversed a capture by itself. `refundRef` is null if the event contains only the capture. */
  | { about: 'reversal'; captureRef: string; refundRef: string | null }

/** The reply of the call that starts a payment. */
export type Started = { id: string; orderId: string; next: NextStep }

export type Endings = {
  approve: (providerOrderId: string) => Promise<void>
  giveUp: (providerOrderId: string) => Promise<void>
}

/** A provider's half in the browser. */
export type BrowserProvider = {
  mode: 'sandbox' | 'live'
  /** Leads the buyer through the payment. Must run in the click, before the payment has started. */
  open: (started: Promise<Started>, endings: Endings) => Promise<void>
}
