import type { Disputes } from './disputes/disputes.ts'
import type { Booked, Report } from './ledger/report.ts'
import type {
  Charge,
  FoundRefund,
  NextStep,
  Outcome,
  PaymentRef,
  RefundOutcome,
  RefundRef,
  SeenRefund,
  Unknown,
} from './outcome.ts'
import type { PayOut } from './payouts/payOut.ts'

// What the shop asks of a payment provider, in the shop's words. A provider translates and reports: it opens no transaction,
// decides nothing, and knows neither orders nor carts, codes or risk.

/**
 * `payment.id` and `refund.id` are idempotency keys, so every method may be repeated. Methods that answer an outcome never
 * throw when the provider is away: they answer `unknown`. The others throw Unanswered.
 */
export type Provider = {
  /** Stored with payments, saved methods and events; selects from the list in providers.server.ts. */
  name: string
  label: string
  hint: string
  step: NextStep['kind']
  mode: 'sandbox' | 'live'
  credentials: string
  /** The provider's fee for a payment, from its public price list for the US. Absent if it takes no fee. */
  cost?: { basisPoints: number; fixedCents: number }
  /** It takes no smaller payment, in cents. Absent where it takes any. */
  leastCents?: number
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
  findRefund: (seen: { refundRef: string; captureRef: string }) => Promise<FoundRefund>
  payOut?: PayOut
  disputes?: Disputes
  /** Reads the provider's movements of a UTC day ('2026-11-23'), to compare them with the ledger. */
  report?: (day: string) => Promise<Report | Unknown>
  /** The shop's side of the report: what it knows under `refs`, and what it booked. Absent where payments, refunds and payouts are that. */
  books?: (day: string, refs: string[]) => Promise<{ known: Booked[]; booked: Booked[] }>
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
  start: (owner: string) => Promise<Extract<NextStep, { kind: 'page' }> & { ref: string }>
  /** What the page saved; null when it saved nothing for this member. */
  finish: (owner: string, ref: string) => Promise<{ token: string; label: string } | null>
}

export type Hosts = { scripts: string[]; connects: string[]; frames: string[] }
export type WindowSetup = { clientToken: string; expiresAt: Date; scriptUrl: string }
export type Probed = 'ready' | 'refused' | 'away'

export type Providers = {
  list: Provider[]
  main: Provider
  named: (name: string) => Provider
}

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

export type Started = { id: string; orderId: string; next: NextStep }

export type Endings = {
  approve: (providerOrderId: string) => Promise<void>
  giveUp: (providerOrderId: string) => Promise<void>
}

export type BrowserProvider = {
  mode: 'sandbox' | 'live'
  /** Leads the buyer through the payment. Must run in the click, before the payment has started. */
  open: (started: Promise<Started>, endings: Endings) => Promise<void>
}
