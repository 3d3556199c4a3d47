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

/** Prefix of the reference of a reversal without a dispute. The capture follows. */
export const REVERSAL = 'reversal:'
