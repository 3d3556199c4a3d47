import { z } from 'zod'
import { toCents } from '../../kit/money.ts'
import type {
  Disputes,
  DisputeTruth,
  Evidence,
  InquiryReply,
  Submitted,
  Unclear,
} from '../../payments/disputes/disputes.ts'
import { type Gone, Unanswered } from '../../payments/outcome.ts'
import type { EventSubject } from '../../payments/provider.ts'
import { orUnknown } from '../../payments/unknown.server.ts'
import type { Client } from './client.server.ts'
import { amountOf, Refused } from './outcome.server.ts'
import { Capture, read } from './wire.server.ts'
import { firstOf } from '../../kit/values/required.ts'

const DISPUTES = '/v1/customer/disputes'
const MAX_NOTE = 2000

const Dispute = z.object({
  dispute_id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  create_time: z.string(),
  seller_response_due_date: z.string().optional(),
  dispute_life_cycle_stage: z.string().optional(),
  dispute_amount: z.object({ currency_code: z.string(), value: z.string() }),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string(), custom: z.string().optional() })).min(1),
  dispute_outcome: z
    .object({
      outcome_code: z.string().optional(),
      amount_refunded: z.object({ currency_code: z.string(), value: z.string() }).optional(),
    })
    .optional(),
})
type Dispute = z.output<typeof Dispute>

const DisputeEvent = z.object({
  event_type: z.string().regex(/^CUSTOMER\.DISPUTE\./),
  resource: z.object({
    dispute_id: z.string(),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).optional(),
  }),
})

const RETURNED = new Map<string, 'none' | 'some' | 'all'>([
  ['COMPLETED', 'none'],
  ['PARTIALLY_REFUNDED', 'some'],
  ['REFUNDED', 'all'],
])

/** Outcomes in which the shop does not lose the money. */
const WON = /^(RESOLVED_SELLER_FAVOUR|RESOLVED_WITH_PAYOUT|CANCELED_BY_BUYER|DENIED|NONE)$/
const LOST = /^(RESOLVED_BUYER_FAVOUR|ACCEPTED)$/

export function disputesAt(client: Client): Disputes {
  const pathOf = (ref: string) => `${DISPUTES}/${encodeURIComponent(ref)}`

  const readCapture = (ref: string) => client.find(`/v2/payments/captures/${encodeURIComponent(ref)}`, Capture.parse)

  async function find(ref: string): Promise<DisputeTruth | Gone | Unclear> {
    const dispute = await client.find(pathOf(ref), Dispute.parse)
    if (!dispute) return { kind: 'gone' }
    const known = read(() => stateOf(dispute))
    const end = known.state === 'ended' ? await readEnd(dispute) : known
    if (end) return read(() => truthOf(dispute, end))
    const last = read(() => truthOf(dispute, { state: 'under_review', lostCents: null }))
    return { kind: 'unclear', why: 'the dispute is resolved without an outcome', last }
  }

  /** Derives a missing outcome of a closed dispute from the state of its capture. Null if that is not possible. */
  async function readEnd({ dispute_outcome: outcome, ...dispute }: Dispute): Promise<End | null> {
    const capture = await readCapture(firstOf(dispute.disputed_transactions).seller_transaction_id)
    if (capture?.status === 'COMPLETED') return { state: 'won', lostCents: null }
    if (capture?.status === 'REFUNDED') return { state: 'lost', lostCents: null }
    const refunded = outcome?.amount_refunded
    return capture && refunded ? { state: 'lost', lostCents: read(() => toCents(refunded.value)) } : null
  }

  /** Sends a message in an inquiry. PayPal accepts evidence only in a claim. */
  async function reply(ref: string, { id, text, offerCents, currency }: InquiryReply): Promise<Submitted> {
    const [action, body] =
      offerCents === null
        ? ['send-message', { message: text }]
        : ['make-offer', { note: text, offer_type: 'REFUND', offer_amount: amountIn(offerCents, currency) }]
    try {
      await client.request('POST', `${pathOf(ref)}/${action}`, body, `di-${id}`)
      return { kind: 'sent' }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { kind: 'refused', reason: error.issue }
    }
  }

  async function readReturned(captureRef: string) {
    const capture = await readCapture(captureRef)
    if (!capture) return { kind: 'gone' } as const
    const part = RETURNED.get(capture.status)
    if (!part) throw new Unanswered(`the capture is ${capture.status}, which does not tell what went back`)
    return { kind: 'returned', part } as const
  }

  /** PayPal accepts less than 10 MB in each file, and 50 MB in one request. Each file is a part `evidence-file`. */
  async function submit(ref: string, { id, files, ...evidence }: Evidence & { id: string }) {
    const input = { evidences: [{ evidence_type: 'PROOF_OF_FULFILLMENT', notes: noteOf(evidence) }] }
    const form = new FormData()
    form.set('input', new Blob([JSON.stringify(input)], { type: 'application/json' }))
    for (const { bytes, contentType, fileName } of files)
      form.append('evidence-file', new Blob([bytes], { type: contentType }), fileName)
    try {
      await client.request('POST', `${pathOf(ref)}/provide-evidence`, form, `de-${id}`)
      return { kind: 'sent' } as const
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // PayPal accepts evidence once: 'under_review' means that an earlier request arrived, but its response got lost
      const truth = await find(ref)
      if (truth.kind === 'dispute' && truth.state === 'under_review') return { kind: 'sent' } as const
      return { kind: 'refused', reason: error.issue } as const
    }
  }

  return {
    reportedAt: 'end',
    find: (ref) => orUnknown<DisputeTruth | Gone | Unclear>(find(ref)),
    submit: (ref, evidence) => orUnknown<Submitted>(submit(ref, evidence)),
    reply: (ref, answer) => orUnknown(reply(ref, answer)),
    readReturned: (captureRef) => orUnknown<Awaited<ReturnType<typeof readReturned>>>(readReturned(captureRef)),
  }
}

function truthOf(dispute: Dispute, { state, lostCents }: End): DisputeTruth {
  const { dispute_id: ref, dispute_amount: amount, reason = 'OTHER', seller_response_due_date: due } = dispute
  const { seller_transaction_id: captureRef, custom: paymentId = null } = firstOf(dispute.disputed_transactions)
  return {
    ...{ kind: 'dispute', ref, reason, state, lostCents, captureRef, paymentId },
    stage: dispute.dispute_life_cycle_stage === 'INQUIRY' ? 'inquiry' : 'claim',
    amountCents: toCents(amount.value),
    currency: amount.currency_code,
    evidenceDueAt: due ? timeOf(due) : null,
    openedAt: timeOf(dispute.create_time),
  }
}

function timeOf(text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw new Unanswered(`a time that cannot be read: ${text}`)
  return time
}

type End = Pick<DisputeTruth, 'state' | 'lostCents'>

function stateOf({ status, dispute_outcome: outcome }: Dispute): End | { state: 'ended' } {
  if (status === 'RESOLVED') {
    const { outcome_code: code = '', amount_refunded: refunded } = outcome ?? {}
    // PayPal compensated the buyer with its own money, so the shop lost nothing
    if (WON.test(code)) return { state: 'won', lostCents: null }
    return LOST.test(code)
      ? { state: 'lost', lostCents: refunded ? toCents(refunded.value) : null }
      : { state: 'ended' }
  }
  const isMyTurn = status === 'WAITING_FOR_SELLER_RESPONSE' || status === 'OPEN'
  return { state: isMyTurn ? 'needs_evidence' : 'under_review', lostCents: null }
}

const amountIn = (cents: number, currency: string) => ({ ...amountOf(cents), currency_code: currency })

/** PayPal accepts one text. The note of staff comes first, because a long text is cut at its end. */
function noteOf({ note, ...facts }: Omit<Evidence, 'files'>): string {
  const lines = [
    note,
    `Sold: ${facts.productDescription}, on ${facts.boughtAt.toISOString()}.`,
    `Buyer: ${facts.buyerName}, ${facts.buyerEmail}, ${facts.country ?? 'country unknown'}, ${facts.ip ?? 'address unknown'}.`,
    `Delivered electronically: ${facts.deliveryLog.join('; ') || 'nothing yet'}.`,
    facts.refundPolicy,
  ]
  return lines
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, MAX_NOTE)
}

export function subjectOfDispute(body: unknown): EventSubject | null {
  const { data } = DisputeEvent.safeParse(body)
  if (!data) return null
  const { dispute_id: disputeRef, disputed_transactions: [disputed] = [] } = data.resource
  return { about: 'dispute', disputeRef, captureRef: disputed?.seller_transaction_id ?? null }
}
