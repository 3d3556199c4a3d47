import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { TOTAL } from '../../kit/money.ts'
import { tidy } from '../../kit/text.rules.ts'
import { AttachedFile } from './evidenceFile.contract.ts'
import { DisputeFact } from './fact.contract.ts'

const known = z.nullable(z.string())
const Amount = z.string().check(z.regex(TOTAL, 'An amount such as 2.00'))

export const DISPUTE_STATES = ['needs_evidence', 'under_review', 'won', 'lost'] as const
export const DISPUTE_STAGES = ['warning', 'inquiry', 'claim'] as const
export const DISPUTE_QUEUES = ['open', 'ended'] as const
export type DisputeQueue = (typeof DISPUTE_QUEUES)[number]
export const DISPUTES_AT_ONCE = 25

export type ListedDispute = z.infer<typeof ListedDispute>
/** Amounts are decimal strings in USD. `reason` is the provider's code. `buyer` is null for an erased account. */
export const ListedDispute = z.object({
  id: z.uuid(),
  orderId: z.uuid(),
  provider: z.string(),
  state: z.enum(DISPUTE_STATES),
  /** 'warning': a bank inquires and no money moves. 'inquiry': buyer and shop talk. 'claim': the provider decides. */
  stage: z.enum(DISPUTE_STAGES),
  /** Amount that the buyer got from a lost dispute. */
  lost: known,
  amount: z.string(),
  reason: z.string(),
  buyer: known,
  openedAt: z.string(),
  dueAt: known,
  endedAt: known,
  sentAt: known,
  /** Time since when the provider does not find the dispute. */
  missingSince: known,
})

export const listDisputes = endpoint('GET /api/admin/disputes', {
  access: 'finance',
  about:
    'Disputed payments: open ones by the day on which evidence is due, ended ones newest first. `Link: rel="next"` is the next page, `X-Total-Count` the number in the queue.',
  input: z.strictObject({
    queue: z._default(z.enum(DISPUTE_QUEUES), 'open'),
    after: z.optional(z.uuid()),
    limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
  }),
  reply: z.array(ListedDispute),
})

export type DisputeCase = z.infer<typeof DisputeCase>
export const DisputeCase = z.extend(ListedDispute, {
  disputeRef: z.string(),
  held: z.string(),
  /** The note that staff sent. `sender` is a mail address. */
  note: known,
  sender: known,
  /** Reason why the provider rejected the evidence. */
  refusal: known,
  canSubmit: z.boolean(),
  /** Staff can send messages and refund offers, because inquiries accept no evidence. */
  canReply: z.boolean(),
  /** The provider does not find the dispute, so staff enter its outcome. */
  canSettle: z.boolean(),
  evidence: z.object({
    buyerName: z.string(),
    buyerEmail: z.string(),
    ip: known,
    country: known,
    boughtAt: z.string(),
    productDescription: z.string(),
    deliveryLog: z.array(z.string()),
    refundPolicy: z.string(),
  }),
  /** What the sellers of the order added. `seller` is the public name. */
  facts: z.array(z.extend(DisputeFact, { seller: z.string() })),
  /** The store sends these files to the provider with its answer. */
  files: z.array(AttachedFile),
})

export const readDispute = endpoint('GET /api/admin/disputes/:id', {
  access: 'finance',
  about: 'One dispute, with the evidence that would be sent.',
  input: z.strictObject({ id: z.uuid() }),
  reply: DisputeCase,
})

export const settleDispute = endpoint('POST /api/admin/disputes/:id/settle', {
  access: 'finance',
  stepUp: true,
  about:
    'Records the outcome of a dispute that its provider cannot find; `reference` is the source of the outcome. `amount` is the part of a lost dispute that the buyer got, by default all. 409 while the provider finds it, within an hour afterwards, and when it has ended.',
  input: z.strictObject({
    id: z.uuid(),
    outcome: z.enum(['won', 'lost']),
    amount: z.optional(Amount),
    reference: z.string().check(tidy(), z.minLength(3, 'At least 3 characters'), z.maxLength(200)),
  }),
  reply: z.object({ id: z.uuid() }),
})

export const MAX_REPLY_LENGTH = 2000

export const replyToInquiry = endpoint('POST /api/admin/disputes/:id/reply', {
  access: 'finance',
  stepUp: true,
  about:
    'Sends a message, with an optional refund offer, to the buyer of a payment in the inquiry stage. A repeat with the same `key` sends nothing. 409 when the dispute is not an inquiry, the provider refuses, or the offer is above the limit of one person.',
  input: z.strictObject({
    id: z.uuid(),
    key: z.uuid(),
    text: z
      .string()
      .check(tidy(), z.minLength(1, 'Write a message'), z.maxLength(MAX_REPLY_LENGTH, 'At most 2,000 characters')),
    offer: z.optional(Amount),
  }),
  reply: z.object({ id: z.uuid() }),
})

export const MAX_EVIDENCE_NOTE = 2000

export const submitEvidence = endpoint('POST /api/admin/disputes/:id/evidence', {
  access: 'finance',
  stepUp: true,
  about:
    'Sends the collected evidence with a note and the attached files to the provider, once: 409 when it was sent before, when the dispute has ended or its provider takes none. 409 `changed` if sellers have added more than `facts` facts, the number that the caller has read, or if the attached files are not `fileIds`.',
  input: z.strictObject({
    id: z.uuid(),
    note: z.string().check(tidy(), z.maxLength(MAX_EVIDENCE_NOTE, 'At most 2,000 characters')),
    facts: z.optional(z.int()),
    fileIds: z.optional(z.array(z.uuid()).check(z.maxLength(20))),
  }),
  reply: z.object({ id: z.uuid() }),
})
