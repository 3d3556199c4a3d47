import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { DISPUTE_STAGES, DISPUTE_STATES } from '../disputes/dispute.contract.ts'
import { AttachedFile, Free, NewFile } from '../disputes/evidenceFile.contract.ts'
import { CitedDelivery, DisputeFact } from '../disputes/fact.contract.ts'

export const MAX_FACT = 2000
/** Facts of one seller about one dispute. */
export const MAX_FACTS = 10
export const MAX_CITED = 20

export type SaleDispute = z.infer<typeof SaleDispute>
/** The open dispute of a sale as its seller sees it. Sums are decimal strings in USD. */
export const SaleDispute = z.object({
  /** The provider's code. */
  reason: z.string(),
  state: z.enum(DISPUTE_STATES),
  stage: z.enum(DISPUTE_STAGES),
  openedAt: z.string(),
  /** The deadline for the answer of staff. Null if the provider sets none. */
  dueAt: z.nullable(z.string()),
  /** Staff have answered the provider. */
  isAnswered: z.boolean(),
  /** The share of the caller in all sales of this order, frozen until the dispute ends. */
  frozen: z.string(),
  /** The part of `frozen` that the caller gets if the provider decides for the buyer. */
  ifLost: z.string(),
  canAdd: z.boolean(),
  facts: z.array(DisputeFact),
  canAttach: z.boolean(),
  /** The files that the caller attached. The provider gets them with the answer. */
  files: z.array(AttachedFile),
  free: Free,
  /** The first deliveries of the caller's goods. Staff send them with their answer. */
  deliveries: z.array(z.extend(CitedDelivery, { key: z.string() })),
})

const Sale = z.strictObject({ id: z.uuid() })

export const getSaleDispute = endpoint('GET /api/selling/sales/:id/dispute', {
  access: 'member',
  about:
    'The open dispute of a sale of the caller: the frozen sum, the deadline, what staff will send, and the facts that the caller added.',
  input: Sale,
  reply: SaleDispute,
})

export const addDisputeFact = endpoint('POST /api/selling/sales/:id/dispute/facts', {
  access: 'member',
  about: `Adds a fact to the open dispute of a sale of the caller, with the deliveries that it cites. Staff read it before they answer the provider. At most ${MAX_FACTS}. 409 \`closed\` after the deadline or the answer.`,
  input: z.extend(Sale, {
    text: z
      .string()
      .check(tidy(), z.minLength(1, 'Write what happened'), z.maxLength(MAX_FACT, 'At most 2,000 characters')),
    deliveryKeys: z.array(z.string().check(z.regex(/^(?:access|use):[\da-f-]{1,36}$/))).check(z.maxLength(MAX_CITED)),
  }),
  reply: SaleDispute,
  status: 201,
})

export const attachSaleFile = endpoint('POST /api/selling/sales/:id/dispute/files', {
  access: 'member',
  about:
    'Attaches an upload of the caller to the answer to the open dispute of a sale: a PDF, PNG or JPEG. One file of each kind in a dispute, together 4.5 MB, a PDF with at most 49 pages. 409 `closed` after the deadline or the answer.',
  input: z.extend(Sale, NewFile),
  reply: SaleDispute,
  status: 201,
})

export const detachSaleFile = endpoint('DELETE /api/selling/sales/:id/dispute/files/:fileId', {
  access: 'member',
  about: 'Removes a file that the caller attached. 409 `closed` after the deadline or the answer.',
  input: z.extend(Sale, { fileId: z.uuid() }),
  reply: SaleDispute,
})
