import type Stripe from 'stripe'
import type { Disputes, DisputeTruth, Evidence, EvidenceFile } from '../../payments/disputes/disputes.ts'
import type { Gone } from '../../payments/outcome.ts'
import { orUnknown, unclear } from '../../payments/unknown.server.ts'
import { type Client, KEY_REUSED, Refused, UPLOAD_TIMEOUT_MS } from './client.server.ts'

// The states of an inquiry start with 'warning'. An inquiry moves no money.
const STATES: Record<string, DisputeTruth['state']> = {
  warning_needs_response: 'needs_evidence',
  warning_under_review: 'under_review',
  warning_closed: 'won',
  needs_response: 'needs_evidence',
  appeal_needs_response: 'needs_evidence',
  under_review: 'under_review',
  appeal_under_review: 'under_review',
  won: 'won',
  lost: 'lost',
}

/** Stripe accepts this many characters in each field. */
const MAX_CHARACTERS = 20_000

/** The field for a file of each kind. All files of a dispute have at most 4.5 MB together. */
const FILE_FIELDS = {
  messages: 'customer_communication',
  use: 'service_documentation',
  other: 'uncategorized_file',
} satisfies Record<EvidenceFile['shows'], keyof Stripe.DisputeUpdateParams.Evidence>

class RefusedFile extends Error {
  constructor(name: string, { reason }: Refused) {
    super(`the file “${name}”: ${reason.replace(/\.$/, '')}`)
  }
}

export function disputesAt({ ask, find }: Client): Disputes {
  /** Uploads files, and returns the evidence fields with their ids. A repeat returns the same ids. Throws a RefusedFile. */
  async function upload(id: string, files: EvidenceFile[]): Promise<Stripe.DisputeUpdateParams.Evidence> {
    const sent: Stripe.DisputeUpdateParams.Evidence = {}
    for (const { shows, fileName: name, contentType: type, bytes } of files) {
      const file = { name, type, data: Buffer.from(bytes) }
      const options = { idempotencyKey: `${id}-${shows}`, timeout: UPLOAD_TIMEOUT_MS }
      const stored = await ask((stripe) => stripe.files.create({ purpose: 'dispute_evidence', file }, options)).catch(
        (error: unknown) => {
          throw error instanceof Refused && error.code !== KEY_REUSED ? new RefusedFile(name, error) : error
        },
      )
      sent[FILE_FIELDS[shows]] = stored.id
    }
    return sent
  }

  async function look(ref: string): Promise<DisputeTruth | Gone> {
    const dispute = await find((stripe) => stripe.disputes.retrieve(ref))
    const state = dispute && STATES[dispute.status]
    if (!state) return { kind: 'gone' }
    const { id, charge: named, amount: amountCents, currency, reason, evidence_details: details, created } = dispute
    const captureRef = typeof named === 'string' ? named : named.id
    const charge = await find((stripe) => stripe.charges.retrieve(captureRef))
    return {
      kind: 'dispute',
      ref: id,
      captureRef,
      paymentId: charge?.metadata.payment_id ?? null,
      amountCents,
      currency: currency.toUpperCase(),
      state,
      stage: dispute.status.startsWith('warning') ? 'warning' : 'claim',
      lostCents: null,
      reason,
      evidenceDueAt: details.due_by === null ? null : new Date(details.due_by * 1000),
      openedAt: new Date(created * 1000),
    }
  }

  return {
    reportedAt: 'opening',
    find: (ref) => orUnknown(look(ref)),

    submit: async (ref, { id, files, ...evidence }) => {
      try {
        const body: Stripe.DisputeUpdateParams = {
          evidence: { ...fieldsOf(evidence), ...(await upload(id, files)) },
          submit: true,
          metadata: { evidence_id: id },
        }
        await ask((stripe) => stripe.disputes.update(ref, body, { idempotencyKey: id }))
        return { kind: 'sent' }
      } catch (error) {
        if (error instanceof RefusedFile) return { kind: 'refused', reason: error.message }
        if (!(error instanceof Refused)) return orUnknown(Promise.reject(error as Error))
        // Stripe accepts evidence once: after the idempotency key expired, look for evidence sent earlier
        const known = await orUnknown(find((stripe) => stripe.disputes.retrieve(ref)))
        if (known && 'kind' in known) return known
        if (known?.metadata.evidence_id === id) return { kind: 'sent' }
        // an earlier request with this key may still succeed
        return error.code === KEY_REUSED ? unclear(error.message) : { kind: 'refused', reason: error.code }
      }
    },
  }
}

function fieldsOf(evidence: Omit<Evidence, 'files'>): Stripe.DisputeUpdateParams.Evidence {
  const { buyerName, buyerEmail, ip, country, boughtAt, productDescription, deliveryLog, refundPolicy, note } = evidence
  const fields = {
    customer_name: buyerName,
    customer_email_address: buyerEmail,
    ...(ip !== null && { customer_purchase_ip: ip }),
    product_description: productDescription,
    access_activity_log: deliveryLog.join('\n'),
    refund_policy_disclosure: refundPolicy,
    service_date: boughtAt.toISOString().slice(0, 10),
    uncategorized_text: country === null ? note : `Country of the buyer's address: ${country}\n${note}`,
  }
  const filled = Object.entries(fields).filter(([, text]) => text !== '')
  return Object.fromEntries(filled.map(([name, text]) => [name, text.slice(0, MAX_CHARACTERS)]))
}
