import { z } from 'zod'
import { Failure } from '../../src/kit/failure.ts'
import type { RawRoute } from '../../src/kit/handle.server.ts'
import { type Client, createId, inTransaction, lockEntry, readOrderEntries, writeEffects } from '../store.server.ts'
import { callsOf, type Outcome, readOr404, type Sandbox } from './call.server.ts'
import { createEvent } from './events.server.ts'
import { flag, Metadata, readForm, SentFile } from './form.server.ts'
import { notFound, Refusal } from './refusal.server.ts'
import { type Charge, type Dispute, entryOf, movementOf, now, type StoredFile } from './wire.server.ts'
import { required } from '../../src/kit/values/required.ts'

const ANSWER_SECONDS = 7 * 86_400

const TEXTS = [
  'access_activity_log',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'product_description',
  'refund_policy_disclosure',
  'service_date',
  'uncategorized_text',
] as const
const FILES = ['customer_communication', 'service_documentation', 'uncategorized_file'] as const
const FIELDS = [
  ...TEXTS.map((name) => [name, z.string().max(20_000).optional()] as const),
  ...FILES.map((name) => [name, z.string().max(255).optional()] as const),
]
const MB = 1024 * 1024
/** The limit for the sum of the files of a dispute. */
const MAX_EVIDENCE_BYTES = 4.5 * MB
const MAX_FILE_BYTES = 5 * MB
const FILE_BODY_LIMIT = 6 * MB
const TYPES: Record<string, string> = { 'application/pdf': 'pdf', 'image/png': 'png', 'image/jpeg': 'jpg' }

const NewFile = z.strictObject({ purpose: z.literal('dispute_evidence'), file: SentFile })
const UpdateDispute = z.strictObject({
  evidence: z.strictObject(Object.fromEntries(FIELDS)).default({}),
  submit: flag.default(false),
  metadata: Metadata,
})

export function openDispute(sandbox: Pick<Sandbox, 'faults'>, charge: Charge) {
  const dispute: Dispute = {
    id: `du_${createId(24)}`,
    object: 'dispute',
    amount: charge.amount,
    charge: charge.id,
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
    evidence: {},
    evidence_details: { due_by: now() + ANSWER_SECONDS, has_evidence: false, past_due: false, submission_count: 0 },
    metadata: {},
    created: now(),
    livemode: false,
  }
  const entries = [
    entryOf({ ...charge, disputed: true } as Charge, charge._ref),
    entryOf(dispute, charge._ref),
    movementOf(`txn_${createId(24)}`, charge._ref, dispute, -dispute.amount),
  ]
  return { dispute, entries, events: [createEvent(sandbox, 'charge.dispute.created', dispute)] }
}

function decide(sandbox: Sandbox, dispute: Dispute, ref: string, status: 'won' | 'lost') {
  const closed: Dispute = { ...dispute, status }
  const movement = movementOf(`txn_${createId(24)}`, ref, closed, dispute.amount)
  return {
    entries: [entryOf(closed, ref), ...(status === 'won' ? [movement] : [])],
    events: [createEvent(sandbox, 'charge.dispute.closed', closed)],
    body: closed,
  }
}

const CLOSED = new Refusal(400, { message: 'This dispute is already closed.' })
const TOO_LARGE = new Refusal(400, { message: 'The combined size of the evidence files exceeds 4.5 MB.' })
const isOpen = ({ status }: Dispute) => status === 'needs_response' || status === 'under_review'

/** Refuses fields that name no file, and files that are too large together. */
async function checkFiles(client: Client, evidence: Record<string, string>) {
  let size = 0
  for (const name of FILES) {
    const id = evidence[name]
    if (id !== undefined) size += (await readOr404<StoredFile>(client, id, 'file')).size
  }
  if (size > MAX_EVIDENCE_BYTES) throw TOO_LARGE
}

export function disputeRoutes(sandbox: Sandbox): RawRoute[] {
  const { read, write } = callsOf(sandbox)
  return [
    write(
      'POST /v1/files',
      'Stores a file for the evidence of a dispute.',
      async ({ form }): Promise<Outcome> => {
        const { purpose, file } = readForm(NewFile, form)
        const type = TYPES[file.type]
        if (!type || file.size > MAX_FILE_BYTES)
          throw new Refusal(400, { param: 'file', message: 'Evidence is a PDF, PNG or JPEG of at most 5 MB.' })
        const stored: StoredFile = {
          ...{ id: `file_${createId(24)}`, object: 'file', purpose, filename: file.name, size: file.size, type },
          created: now(),
        }
        return { body: stored, entries: [entryOf(stored, stored.id)] }
      },
      FILE_BODY_LIMIT,
    ),

    read('GET /v1/disputes/:id', 'A dispute.', ({ params }) => readOr404(sandbox.pool, params.id, 'dispute')),

    write('POST /v1/disputes/:id', 'Adds evidence to a dispute, or submits it.', async ({ params, form }, client) => {
      const { evidence, submit, metadata } = readForm(UpdateDispute, form)
      const dispute = await lockEntry<Dispute>(client, 'stripe_dispute', params.id)
      if (!dispute) throw notFound('dispute', params.id)
      if (dispute.status !== 'needs_response') throw CLOSED
      const details = dispute.evidence_details
      const all = { ...dispute.evidence, ...(evidence as Record<string, string>) }
      await checkFiles(client, all)
      const updated: Dispute = {
        ...dispute,
        status: submit ? 'under_review' : 'needs_response',
        evidence: all,
        evidence_details: {
          ...details,
          has_evidence: true,
          submission_count: details.submission_count + (submit ? 1 : 0),
        },
        metadata: { ...dispute.metadata, ...metadata },
      }
      const { _ref: ref } = await readOr404<Charge>(client, dispute.charge, 'charge')
      const events = [createEvent(sandbox, 'charge.dispute.updated', updated)]
      return { body: updated, entries: [entryOf(updated, ref)], events }
    }),

    write('POST /v1/disputes/:id/close', 'Accepts a dispute as lost.', async ({ params }, client): Promise<Outcome> => {
      const dispute = await lockEntry<Dispute>(client, 'stripe_dispute', params.id)
      if (!dispute) throw notFound('dispute', params.id)
      if (!isOpen(dispute)) throw CLOSED
      const { _ref: ref } = await readOr404<Charge>(client, dispute.charge, 'charge')
      return decide(sandbox, dispute, ref, 'lost')
    }),
  ]
}

export type DisputeStep = 'dispute' | 'win' | 'lose'

export async function stepDispute(sandbox: Sandbox, ref: string, step: DisputeStep): Promise<string> {
  const id = await inTransaction(sandbox.pool, async (client) => {
    const bodies = (await readOrderEntries(client, ref)).map(({ body }) => body as { object: string; id: string })
    const charge = bodies.find(
      (one): one is Charge => one.object === 'charge' && (one as Charge).status === 'succeeded',
    ) as Charge | undefined
    const known = bodies.findLast(({ object }) => object === 'dispute') as Dispute | undefined
    if (!charge || (step !== 'dispute' && !known)) throw new Failure(404, 'Not found')
    if (step === 'dispute' ? known !== undefined : !isOpen(required(known, 'the dispute')))
      throw new Failure(409, 'This dispute is there already, or it is over.')
    const { entries, events, ...made } =
      step === 'dispute'
        ? openDispute(sandbox, charge)
        : decide(sandbox, required(known, 'the dispute'), ref, step === 'win' ? 'won' : 'lost')
    await writeEffects(client, entries, events)
    return 'dispute' in made ? made.dispute.id : required(known, 'the dispute').id
  })
  sandbox.wakeDeliveries()
  return id
}
