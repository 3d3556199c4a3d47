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

// The interface of a payment provider. A provider translates requests and reports outcomes. It opens no transaction,
// makes no decision and does not know orders, carts, codes or risk.

/**
 * `payment.id` and `refund.id` are idempotency keys, so callers may repeat every method. Methods that return an outcome
 * return `unknown` when the provider is unavailable. Other methods throw Unanswered.
 */
export type Provider = {
  /** Stored with payments, saved methods and events. Finds the provider in providers.server.ts. */
  name: string
  label: string
  hint: string
  step: NextStep['kind']
  mode: 'sandbox' | 'live'
  credentials: string
  /** The provider's fee from its public US price list. Absent if it charges no fee. */
  cost?: { basisPoints: number; fixedCents: number }
  /** Minimum payment in cents. Absent without a minimum. */
  leastCents?: number
  hosts: Hosts
  /** Returns the data for the provider's browser script. Called before the buyer presses a button. */
  setup?: () => Promise<WindowSetup>
  /** Opens a payment or returns the one with `providerOrderId`. `isKeepable` offers the buyer to save the method. */
  start: (payment: Charge & { isKeepable: boolean }) => Promise<{ ref: string; next: NextStep }>
  /** Captures an approved payment. A provider that captures by itself returns the result of `find`. */
  capture: (payment: PaymentRef) => Promise<Outcome>
  /** Reads the current state of a payment. `seen` is the refund that an event reported. */
  find: (payment: PaymentRef, seen?: SeenRefund) => Promise<Outcome>
  /**
   * Makes an unpaid payment unpayable. Returns 'gone', or the state if money moved first. Absent where only `capture`
   * moves money; there, canceling the payment in the shop suffices.
   */
  close?: (payment: PaymentRef) => Promise<Outcome>
  saved?: {
    /** Charges a saved method. A repeat (`sentMinutes` is set) returns the result of the first request. */
    charge: (payment: Charge, token: string) => Promise<Outcome>
    /** Succeeds also if the provider does not know the token. */
    forget: (token: string) => Promise<void>
    probe: () => Promise<Probed>
    /** Saves a method without a payment. Absent if the provider does not support it. */
    adds?: AddsMethod
  }
  /** Makes a refund or reads the result of an earlier request. */
  refund: (refund: RefundRef) => Promise<RefundOutcome>
  findRefund: (seen: { refundRef: string; captureRef: string }) => Promise<FoundRefund>
  payOut?: PayOut
  disputes?: Disputes
  /** Reads the provider's movements of a UTC day ('2026-11-23') for the comparison with the ledger. */
  report?: (day: string) => Promise<Report | Unknown>
  /** Reads the shop's side of the report. Absent if payments, refunds and payouts contain all movements. */
  books?: (day: string, refs: string[]) => Promise<{ known: Booked[]; booked: Booked[] }>
  readEvent: (request: EventRequest) => Promise<{ id: string; type: string } | 'forged'>
  /** Reads recent events from the provider's log, because webhooks get lost. Absent if the provider has no log. */
  missed?: (since: Date) => Promise<{ kind: 'events'; events: MissedEvent[] } | Unknown>
  /** Returns the subject of a verified event, never its content. Null: the event belongs to no payment. */
  subjectOf: (body: string) => EventSubject | null
  canVerifyEvents: boolean
  /** False if a payment does not show who pays. One person could then earn the first-purchase bonus on many accounts. */
  identifiesPayer: boolean
  /** The shop reads the blockchain. No webhook delivers events. */
  hasNoEvents?: true
  probe: () => Promise<Probed>
  /** Sends a signed event to the webhook; `answer` is the HTTP status. Only a stand-in supports this. */
  sendTestEvent?: () => Promise<{ eventId: string; answer: string | null }>
}

/** `owner` is the member. Both functions throw Unanswered. */
export type AddsMethod = {
  start: (owner: string) => Promise<Extract<NextStep, { kind: 'page' }> & { ref: string }>
  /** Returns the method that the page saved. Null: the page saved none for this member. */
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
  /** Without `payoutRef`, the event concerns the batch. */
  | { about: 'payout'; batchRef: string; payoutRef: string | null }
  | { about: 'dispute'; disputeRef: string; captureRef: string | null }
  /** The provider reversed a capture. `refundRef` is null if the event contains only the capture. */
  | { about: 'reversal'; captureRef: string; refundRef: string | null }

export type Started = { id: string; orderId: string; next: NextStep }

export type Endings = {
  approve: (providerOrderId: string) => Promise<void>
  giveUp: (providerOrderId: string) => Promise<void>
}

export type BrowserProvider = {
  mode: 'sandbox' | 'live'
  /** Guides the buyer through the payment. Must run in the click, before the payment has started. */
  open: (started: Promise<Started>, endings: Endings) => Promise<void>
}
