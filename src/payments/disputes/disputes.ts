import type { Gone, Unknown } from '../outcome.ts'

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
  deliveryLog: string[]
  refundPolicy: string
  note: string
}
