import { z } from 'zod'
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

// Disputes: what the provider shows of one, the evidence it takes, and the test calls that open and end one.

type Status = 'WAITING_FOR_SELLER_RESPONSE' | 'UNDER_REVIEW' | 'RESOLVED'
export type Dispute = {
  id: string
  captureId: string
  customId: string | null
  status: Status
  outcome: 'RESOLVED_SELLER_FAVOUR' | 'RESOLVED_BUYER_FAVOUR' | null
  reason: string
  cents: number
  currency: string
  dueTime: string
  createTime: string
  evidence: { type: string; notes: string }[]
}

const EvidenceRequest = z.object({
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
      const dispute = await readEntry<Dispute>(pool, 'dispute', params.id!)
      return dispute ? show(sandbox, dispute) : null
    }),

    write(
      'POST /v1/customer/disputes/:id/provide-evidence',
      'Takes the evidence of the seller: a form whose part `input` is JSON.',
      { locks: true },
      async ({ params, body }, client) => {
        const { evidences } = readForm(EvidenceRequest, body)
        const dispute = await lockEntry<Dispute>(client, 'dispute', params.id!)
        if (!dispute) throw notFound()
        if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE')
          throw refusalFor('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE')
        const evidence = evidences.map(({ evidence_type: type, notes }) => ({ type, notes }))
        const reviewed: Dispute = { ...dispute, status: 'UNDER_REVIEW', evidence }
        return {
          status: 200,
          body: { links: show(sandbox, reviewed).links },
          entries: [entryOf(reviewed)],
          events: [eventOf(sandbox, 'CUSTOMER.DISPUTE.UPDATED', reviewed)],
        }
      },
    ),
  ]
}

type Opening = { cents?: number | undefined; reason: string }

/** The buyer disputes a capture, or a part of it. Answers the dispute's id. */
export async function openDispute(sandbox: Sandbox, captureId: string, { cents, reason }: Opening): Promise<string> {
  const id = `PP-D-${createId(8)}`
  await change(sandbox, async (client) => {
    const capture = await lockEntry<Capture>(client, 'capture', captureId)
    if (!capture || capture.status === 'DECLINED') throw notFound()
    const due = new Date(readClockMs() + DAYS_TO_ANSWER * 24 * 3600_000)
    const dispute: Dispute = {
      ...{ id, captureId, status: 'WAITING_FOR_SELLER_RESPONSE', outcome: null, reason, evidence: [] },
      ...{ cents: cents ?? capture.cents, currency: capture.currency, createTime: nowText() },
      customId: capture.customId,
      dueTime: `${due.toISOString().slice(0, 19)}Z`,
    }
    return {
      entries: [entryOf(dispute), captureEntry({ ...capture, disputedBy: id })],
      events: [eventOf(sandbox, 'CUSTOMER.DISPUTE.CREATED', dispute)],
    }
  })
  return id
}

export const DISPUTE_ENDINGS = { win: 'RESOLVED_SELLER_FAVOUR', lose: 'RESOLVED_BUYER_FAVOUR' } as const

/** Decides for the seller or the buyer, who then gets what is left of the money. */
export const endDispute = (sandbox: Sandbox, id: string, choice: keyof typeof DISPUTE_ENDINGS) =>
  change(sandbox, async (client) => {
    const known = await readEntry<Dispute>(client, 'dispute', id)
    const capture = known && (await lockEntry<Capture>(client, 'capture', known.captureId))
    const dispute = await lockEntry<Dispute>(client, 'dispute', id)
    if (!capture || !dispute || dispute.outcome) throw notFound()
    const resolved: Dispute = { ...dispute, status: 'RESOLVED', outcome: DISPUTE_ENDINGS[choice] }
    const taken = choice === 'lose' ? Math.min(dispute.cents, capture.cents - capture.refundedCents) : 0
    const refundedCents = capture.refundedCents + taken
    const status =
      refundedCents === 0 ? capture.status : refundedCents === capture.cents ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    return {
      entries: [entryOf(resolved), captureEntry({ ...capture, status, refundedCents, disputedBy: null })],
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
  return {
    dispute_id: dispute.id,
    create_time: dispute.createTime,
    disputed_transactions: [
      { seller_transaction_id: dispute.captureId, ...(dispute.customId && { custom: dispute.customId }) },
    ],
    reason: dispute.reason,
    status: dispute.status,
    dispute_amount: amountOf(dispute.cents, dispute.currency),
    dispute_life_cycle_stage: 'CHARGEBACK',
    ...(dispute.outcome && { dispute_outcome: { outcome_code: dispute.outcome } }),
    ...(isOpen && { seller_response_due_date: dispute.dueTime }),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      ...(isOpen ? [{ href: `${self}/provide-evidence`, rel: 'provide_evidence', method: 'POST' }] : []),
    ],
  }
}
