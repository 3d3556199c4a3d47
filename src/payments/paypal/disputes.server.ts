import { z } from 'zod'
import { toCents } from '../../kit/money.ts'
import { type Disputes, type DisputeTruth, type Evidence, type EventSubject, Unanswered } from '../provider.ts'
import { orUnknown } from '../unknown.server.ts'
import type { Client } from './client.server.ts'
import { Refused } from './outcome.server.ts'

// PayPal's disputes (Customer Disputes v1).

const DISPUTES = '/v1/customer/disputes'
/** The longest note that PayPal takes. */
const MOST_NOTE = 2000

const Dispute = z.object({
  dispute_id: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  create_time: z.string(),
  seller_response_due_date: z.string().optional(),
  dispute_amount: z.object({ currency_code: z.string(), value: z.string() }),
  disputed_transactions: z.array(z.object({ seller_transaction_id: z.string(), custom: z.string().optional() })).min(1),
  dispute_outcome: z.object({ outcome_code: z.string() }).optional(),
})

const DisputeEvent = z.object({
  event_type: z.string().regex(/^CUSTOMER\.DISPUTE\./),
  resource: z.object({
    dispute_id: z.string(),
    disputed_transactions: z.array(z.object({ seller_transaction_id: z.string().optional() })).optional(),
  }),
})

/** Outcomes after which the shop keeps the money. */
const WON = /^(RESOLVED_SELLER_FAVOUR|RESOLVED_WITH_PAYOUT|CANCELED_BY_BUYER|DENIED|NONE)$/

export function disputesAt(client: Client): Disputes {
  const pathOf = (ref: string) => `${DISPUTES}/${encodeURIComponent(ref)}`

  async function find(ref: string) {
    const truth = await client.find(pathOf(ref), (body) => truthOf(Dispute.parse(body)))
    return truth ?? ({ kind: 'gone' } as const)
  }

  async function submit(ref: string, { id, ...evidence }: Evidence & { id: string }) {
    const input = { evidences: [{ evidence_type: 'PROOF_OF_FULFILLMENT', notes: noteOf(evidence) }] }
    const form = new FormData()
    form.set('input', new Blob([JSON.stringify(input)], { type: 'application/json' }))
    try {
      await client.request('POST', `${pathOf(ref)}/provide-evidence`, form, `de-${id}`)
      return { kind: 'sent' } as const
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      // PayPal takes evidence once: a dispute that it reviews already has it from a request whose answer was lost
      const truth = await find(ref)
      if (truth.kind === 'dispute' && truth.state === 'under_review') return { kind: 'sent' } as const
      return { kind: 'refused', reason: error.issue } as const
    }
  }

  return {
    find: (ref) => orUnknown<DisputeTruth | { kind: 'gone' }>(find(ref)),
    submit: (ref, evidence) => orUnknown(submit(ref, evidence)),
  }
}

function truthOf(dispute: z.output<typeof Dispute>): DisputeTruth {
  const { dispute_id: ref, dispute_amount: amount, reason = 'OTHER', seller_response_due_date: due } = dispute
  const { seller_transaction_id: captureRef, custom: paymentId = null } = dispute.disputed_transactions[0]!
  return {
    ...{ kind: 'dispute', ref, reason, state: stateOf(dispute), captureRef, paymentId },
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

function stateOf({ status, dispute_outcome: outcome }: z.output<typeof Dispute>): DisputeTruth['state'] {
  if (status === 'RESOLVED') return WON.test(outcome?.outcome_code ?? '') ? 'won' : 'lost'
  return status === 'WAITING_FOR_SELLER_RESPONSE' || status === 'OPEN' ? 'needs_evidence' : 'under_review'
}

/** PayPal takes one text: what staff wrote first, because the end may be cut off. */
function noteOf({ note, ...facts }: Evidence): string {
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
    .slice(0, MOST_NOTE)
}

export function subjectOfDispute(body: unknown): EventSubject | null {
  const { data } = DisputeEvent.safeParse(body)
  if (!data) return null
  const { dispute_id: disputeRef, disputed_transactions: [disputed] = [] } = data.resource
  return { about: 'dispute', disputeRef, captureRef: disputed?.seller_transaction_id ?? null }
}
