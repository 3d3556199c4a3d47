import type { Gone, Unknown } from '../outcome.ts'

export type Disputes = {
  /** When the provider's report lists the money of a lost dispute: at its opening or at its end. */
  reportedAt: 'opening' | 'end'
  /** Reads the current state of a dispute. 'unclear': the dispute has ended, but the provider reports no outcome. */
  find: (disputeRef: string) => Promise<DisputeTruth | Gone | Unclear | Unknown>
  /** Sends evidence. Idempotent by id. */
  submit: (disputeRef: string, evidence: Evidence & { id: string }) => Promise<Submitted>
  /** Sends a message and an optional offer to the buyer. Idempotent by id. Absent if inquiries accept evidence. */
  reply?: (disputeRef: string, reply: InquiryReply) => Promise<Submitted>
  /** Reads how much of a capture was returned, including disputes. Absent if the provider does not report this. */
  readReturned?: (captureRef: string) => Promise<{ kind: 'returned'; part: 'none' | 'some' | 'all' } | Gone | Unknown>
}
/** `last` is the last known state, shown as under review. */
export type Unclear = { kind: 'unclear'; why: string; last: DisputeTruth }
export type Submitted = { kind: 'sent' } | { kind: 'refused'; reason: string } | Unknown
export type InquiryReply = { id: string; text: string; offerCents: number | null; currency: string }
export type DisputeTruth = {
  kind: 'dispute'
  ref: string
  captureRef: string
  /** The shop's payment id in the capture. */
  paymentId: string | null
  amountCents: number
  currency: string
  state: 'needs_evidence' | 'under_review' | 'won' | 'lost'
  /**
   * 'warning': a bank inquires and no money moves. 'inquiry': buyer and shop exchange messages while the provider holds
   * the money. 'claim': the provider or a bank decides.
   */
  stage: 'warning' | 'inquiry' | 'claim'
  /** The amount that a lost dispute paid to the buyer. Null: the whole disputed amount. */
  lostCents: number | null
  /** The provider's reason code. */
  reason: string
  evidenceDueAt: Date | null
  openedAt: Date
}
/** What the shop sends to the provider about a disputed purchase. */
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
  files: EvidenceFile[]
}

/** Subjects of a file. `use` is the delivery or the use of the goods. */
export const SHOWN_BY_FILES = ['messages', 'use', 'other'] as const

/** `fileName` is generated and contains no text of a member. At most one file of each kind. */
export type EvidenceFile = {
  shows: (typeof SHOWN_BY_FILES)[number]
  fileName: string
  contentType: string
  bytes: Uint8Array<ArrayBuffer>
}
