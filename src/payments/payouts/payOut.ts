import type { Gone, Unknown } from '../outcome.ts'

/** The ids of a batch and its payouts are the provider's idempotency keys. */
export type PayOut = {
  /** Maximum number of payouts in a batch. */
  most: number
  /** Sends a batch. A repeat returns the `ref` of the first request. */
  send: (batch: SentPayouts) => Promise<BatchOutcome>
  read: (batchRef: string) => Promise<BatchTruth>
  find: (payoutRef: string) => Promise<PayoutTruth | Gone | Unknown>
  /** Cancels a payout that the receiver has not claimed. Returns its new state. */
  cancel: (payoutRef: string) => Promise<PayoutTruth | Gone | Unknown>
}
export type SentPayouts = {
  id: string
  /** The shop sent no request for this batch before. Only then does a refusal prove that no batch exists. */
  isFirst: boolean
  payouts: { id: string; receiver: string; amountCents: number }[]
}
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
  /** 'failed' and 'returned': the shop has the money again. */
  state: 'waiting' | 'held' | 'unclaimed' | 'paid' | 'failed' | 'returned'
  /** Why the payout failed. 'details': retries fail until the seller changes the details. */
  cause: 'details' | 'shop'
  /** The provider's reason code. */
  reason: string | null
}
