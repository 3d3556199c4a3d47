import type { Gone, Unknown } from '../outcome.ts'

/** `id` of a batch and of each payout are the provider's idempotency keys. */
export type PayOut = {
  /** Payouts that one batch may hold. */
  most: number
  /** A repeat answers the first batch's `ref`. */
  send: (batch: SentPayouts) => Promise<BatchOutcome>
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
