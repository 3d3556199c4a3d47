import { z } from 'zod'
import { toCents } from '../../src/kit/money.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import {
  type Client,
  createId,
  type Entry,
  inTransaction,
  lockEntry,
  readEntry,
  writeEffects,
} from '../store.server.ts'
import { readClockMs } from '../clock.server.ts'
import { callsOf, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { amountOf, readForm } from './forms.server.ts'
import { notFound, refusalFor } from './refusals.server.ts'
import { type Capture, nowText } from './wire.server.ts'
import { required } from '../../src/kit/values/required.ts'

type Status = 'WAITING_FOR_SELLER_RESPONSE' | 'WAITING_FOR_BUYER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED'
type Stage = 'INQUIRY' | 'CHARGEBACK'
export type Dispute = {
  id: string
  captureId: string
  customId: string | null
  status: Status
  /** 'SILENT': the dispute is resolved, but PayPal does not report the outcome. */
  outcome: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | 'SILENT' | null
  refundedCents?: number | null
  /** Without a stage, the dispute is a claim. */
  stage?: Stage
  messages?: { text: string; offerCents: number | null }[]
  reason: string
  cents: number
  currency: string
  dueTime: string
  createTime: string
  evidence: { type: string; notes: string }[]
  files?: SentFile[]
}
type SentFile = { part: 'evidence-file'; name: string; type: string; size: number }

const MB = 1024 * 1024
/** PayPal accepts 50 MB. The shop sends at most 4.5 MB, and the server reads the body before it checks the token. */
const FILE_BODY_LIMIT = 6 * MB
const EvidenceRequest = z.object({
  files: z
    .array(
      z.object({
        part: z.literal('evidence-file'),
        name: z.string().regex(/\.(jpe?g|gif|png|pdf)$/i),
        type: z.enum(['application/pdf', 'image/gif', 'image/jpeg', 'image/png']),
        size: z
          .number()
          .min(1)
          .max(10 * MB - 1),
      }),
    )
    .default([]),
  evidences: z
    .array(z.object({ evidence_type: z.string().max(255), notes: z.string().min(1).max(2000) }))
    .min(1)
    .max(100),
})

const DAYS_TO_ANSWER = 10

export function disputeRoutes(sandbox: Sandbox): RawRoute[] {
  const { pool } = sandbox
  const { read, write } = callsOf(sandbox)
  return [
    read('GET /v1/customer/disputes/:id', 'A dispute.', async ({ params }) => {
      const dispute = await readEntry<Dispute>(pool, 'dispute', params.id)
      return dispute ? show(sandbox, dispute) : null
    }),

    write(
      'POST /v1/customer/disputes/:id/provide-evidence',
      'Takes the evidence of the seller: a form whose part `input` is JSON, with files in parts `evidence-file`.',
      { locks: true, bodyLimit: FILE_BODY_LIMIT },
      async ({ params, body }, client) => {
        const { evidences, files } = readForm(EvidenceRequest, body)
        const dispute = await lockEntry<Dispute>(client, 'dispute', params.id)
        if (!dispute) throw notFound()
        if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE' || dispute.stage === 'INQUIRY')
          throw refusalFor('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
        const evidence = evidences.map(({ evidence_type: type, notes }) => ({ type, notes }))
        const reviewed: Dispute = { ...dispute, status: 'UNDER_REVIEW', evidence, files }
        return {
          status: 200,
          body: { links: show(sandbox, reviewed).links },
          entries: [entryOf(reviewed)],
          events: [eventOf(sandbox, 'CUSTOMER.DISPUTE.UPDATED', reviewed)],
        }
      },
    ),

    write(
      'POST /v1/customer/disputes/:id/send-message',
      'Writes to the buyer in an inquiry.',
      { locks: true },
      async ({ params, body }, client) => {
        const { message } = readForm(Message, body)
        return inquiryOutcome(sandbox, client, params.id, { text: message, offerCents: null })
      },
    ),

    write(
      'POST /v1/customer/disputes/:id/make-offer',
      'Offers the buyer a refund.',
      { locks: true },
      async ({ params, body }, client) => {
        const { note, offer_amount: offer } = readForm(Offer, body)
        return inquiryOutcome(sandbox, client, params.id, { text: note, offerCents: toCents(offer.value) })
      },
    ),
  ]
}

const Message = z.object({ message: z.string().min(1).max(2000) })
const Offer = z.object({
  note: z.string().min(1).max(2000),
  offer_type: z.literal('REFUND'),
  offer_amount: z.object({ currency_code: z.literal('USD'), value: z.string().regex(/^\d+\.\d\d$/) }),
})

async function inquiryOutcome(
  sandbox: Sandbox,
  client: Client,
  id: string,
  message: { text: string; offerCents: number | null },
) {
  const dispute = await lockEntry<Dispute>(client, 'dispute', id)
  if (!dispute) throw notFound()
  if (dispute.stage !== 'INQUIRY' || dispute.outcome) throw refusalFor('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
  const answered: Dispute = {
    ...dispute,
    status: 'WAITING_FOR_BUYER_RESPONSE',
    messages: [...(dispute.messages ?? []), message],
  }
  return {
    status: 200,
    body: { links: show(sandbox, answered).links },
    entries: [entryOf(answered)],
    events: [eventOf(sandbox, 'CUSTOMER.DISPUTE.UPDATED', answered)],
  }
}

type Opening = { cents?: number | undefined; reason: string; stage?: Stage | undefined }

export async function openDispute(
  sandbox: Sandbox,
  captureId: string,
  { cents, reason, stage }: Opening,
): Promise<string> {
  const id = `PP-D-${createId(8)}`
  await change(sandbox, async (client) => {
    const capture = await lockEntry<Capture>(client, 'capture', captureId)
    if (!capture || capture.status === 'DECLINED') throw notFound()
    const due = new Date(readClockMs() + DAYS_TO_ANSWER * 24 * 3600_000)
    const dispute: Dispute = {
      ...{ id, captureId, status: 'WAITING_FOR_SELLER_RESPONSE', outcome: null, reason, evidence: [] },
      ...{ cents: cents ?? capture.cents, currency: capture.currency, createTime: nowText() },
      customId: capture.customId,
      stage: stage ?? 'CHARGEBACK',
      dueTime: `${due.toISOString().slice(0, 19)}Z`,
    }
    return {
      entries: [entryOf(dispute), captureEntry({ ...capture, disputedBy: id })],
      events: [eventOf(sandbox, 'CUSTOMER.DISPUTE.CREATED', dispute)],
    }
  })
  return id
}

export const DISPUTE_ENDINGS = {
  win: 'RESOLVED_SELLER_FAVOUR',
  lose: 'RESOLVED_BUYER_FAVOUR',
  silent: 'SILENT',
} as const

/** Resolves a dispute. If the buyer wins, refunds `cents`, or all that is not refunded yet. */
export const endDispute = (sandbox: Sandbox, id: string, choice: keyof typeof DISPUTE_ENDINGS, cents?: number) =>
  change(sandbox, async (client) => {
    const known = await readEntry<Dispute>(client, 'dispute', id)
    const capture = known && (await lockEntry<Capture>(client, 'capture', known.captureId))
    const dispute = await lockEntry<Dispute>(client, 'dispute', id)
    if (!capture || !dispute || dispute.outcome) throw notFound()
    const left = Math.min(cents ?? dispute.cents, dispute.cents, capture.cents - capture.refundedCents)
    const taken = choice === 'win' ? 0 : left
    const resolved: Dispute = { ...dispute, status: 'RESOLVED', outcome: DISPUTE_ENDINGS[choice], refundedCents: taken }
    const refundedCents = capture.refundedCents + taken
    const status =
      refundedCents === 0 ? capture.status : refundedCents === capture.cents ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    return {
      entries: [
        entryOf(resolved),
        ...(taken > 0 ? [reversalOf(resolved, taken)] : []),
        captureEntry({ ...capture, status, refundedCents, disputedBy: null }),
      ],
      events: [eventOf(sandbox, 'CUSTOMER.DISPUTE.RESOLVED', resolved)],
    }
  })

async function change(
  sandbox: Sandbox,
  work: (client: Client) => Promise<{ entries: Entry[]; events: ReturnType<typeof createEvent>[] }>,
) {
  await inTransaction(sandbox.pool, async (client) => {
    const { entries, events } = await work(client)
    await writeEffects(client, entries, events)
  })
  sandbox.wakeDeliveries()
}

const entryOf = (dispute: Dispute): Entry => ({ kind: 'dispute', id: dispute.id, body: dispute })
export type Reversal = Pick<Dispute, 'id' | 'captureId' | 'customId' | 'cents' | 'currency'>
const reversalOf = ({ captureId, customId, currency }: Dispute, cents: number): Entry => {
  const id = createId()
  const body: Reversal = { id, captureId, customId, cents, currency }
  return { kind: 'reversal', id, body }
}
const captureEntry = (capture: Capture): Entry => ({
  kind: 'capture',
  id: capture.id,
  orderId: capture.orderId,
  body: capture,
})

const eventOf = (sandbox: Sandbox, type: Parameters<typeof createEvent>[1], dispute: Dispute) =>
  createEvent(sandbox, type, { ...show(sandbox, dispute), id: dispute.id })

function show({ base }: Sandbox, dispute: Dispute) {
  const self = `${base}/v1/customer/disputes/${dispute.id}`
  const isOpen = dispute.status === 'WAITING_FOR_SELLER_RESPONSE'
  const stage = dispute.stage ?? 'CHARGEBACK'
  const isInquiry = stage === 'INQUIRY' && !dispute.outcome
  const refunded = (dispute.refundedCents ?? 0) > 0 && {
    amount_refunded: amountOf(required(dispute.refundedCents, 'the refunded cents'), dispute.currency),
  }
  const isSilent = dispute.outcome === 'SILENT'
  return {
    dispute_id: dispute.id,
    create_time: dispute.createTime,
    disputed_transactions: [
      { seller_transaction_id: dispute.captureId, ...(dispute.customId && { custom: dispute.customId }) },
    ],
    reason: dispute.reason,
    status: dispute.status,
    dispute_amount: amountOf(dispute.cents, dispute.currency),
    dispute_life_cycle_stage: stage,
    ...(dispute.outcome && !isSilent && { dispute_outcome: { outcome_code: dispute.outcome, ...refunded } }),
    ...(isOpen && { seller_response_due_date: dispute.dueTime }),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      ...(isOpen && !isInquiry ? [{ href: `${self}/provide-evidence`, rel: 'provide_evidence', method: 'POST' }] : []),
      ...(isInquiry
        ? ['send-message', 'make-offer'].map((rel) => ({
            href: `${self}/${rel}`,
            rel: rel.replace('-', '_'),
            method: 'POST',
          }))
        : []),
    ],
  }
}
