/** `ref` is the id of the capture, refund, dispute or payout, or the shop's id of a payout. Amounts are positive. */
export type ReportLine = {
  kind: 'payment' | 'refund' | 'dispute' | 'payout'
  ref: string
  /** The capture of a refund or dispute, if the report contains it. */
  captureRef?: string | null
  amountCents: number
  currency: string
  at: Date
}

/** A fee. A negative amount is a fee that the provider returned. */
export type FeeLine = { ref: string; amountCents: number; currency: string; at: Date }

/** `hasPending`: some movements of the day are incomplete and can get fees later. */
export type Report = { kind: 'lines'; lines: ReportLine[]; fees: FeeLine[]; hasPending: boolean }

/** An entry of the ledger. `ref` is null if the provider never sent it. For a dispute, `otherRef` is the capture. */
export type Booked = {
  kind: ReportLine['kind']
  ref: string | null
  otherRef: string | null
  amountCents: number
  /** The amount that a lost dispute took; null for any other entry. */
  lostCents?: number | null
  currency: string
}

/** Prefix for the reference of a reversal without a dispute. The capture id follows. */
export const REVERSAL = 'reversal:'
