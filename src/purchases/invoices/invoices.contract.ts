import * as z from 'zod/mini'
import { endpoint } from '../../kit/contract.ts'
import { tidy } from '../../kit/text.rules.ts'
import { isVatId } from './vatId.rules.ts'

export const MAX_COMPANY = 120
export const MAX_ADDRESS = 300
export const MAX_VAT_ID = 20

export type BuyerDetails = z.infer<typeof BuyerDetails>
/** The invoice omits empty fields. The server checks only the format of the VAT ID. */
export const BuyerDetails = z.strictObject({
  company: z.string().check(tidy(), z.maxLength(MAX_COMPANY)),
  address: z.string().check(tidy(), z.maxLength(MAX_ADDRESS)),
  vatId: z.string().check(z.trim(), z.maxLength(MAX_VAT_ID), z.refine(isVatId)),
})

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const
export type InvoiceKind = (typeof INVOICE_KINDS)[number]

export type IssuedInvoice = z.infer<typeof IssuedInvoice>
export const IssuedInvoice = z.object({
  id: z.uuid(),
  kind: z.enum(INVOICE_KINDS),
  number: z.string(),
  total: z.string(),
  issuedAt: z.string(),
  /** A credit note cancels the whole invoice, because the buyer corrected the details. */
  isCanceled: z.boolean(),
  refundId: z.nullable(z.uuid()),
})

export type InvoiceSheet = z.infer<typeof InvoiceSheet>
/** `refunds`: completed, without a credit note. `canCorrect`: the invoice is issued and has no credit note. */
export const InvoiceSheet = z.object({
  details: z.object({ ...BuyerDetails.shape, isAttached: z.boolean() }),
  documents: z.array(IssuedInvoice),
  refunds: z.array(z.object({ id: z.uuid(), amount: z.string(), at: z.string() })),
  canCorrect: z.boolean(),
})

const Id = { id: z.uuid() }

export const getInvoices = endpoint('GET /api/orders/:id/invoices', {
  access: 'member',
  about: "The invoices and credit notes of one of the caller's paid orders, and the details for the next one.",
  input: z.strictObject(Id),
  reply: InvoiceSheet,
})

export const issueInvoice = endpoint('POST /api/orders/:id/invoices', {
  access: 'member',
  about:
    'Issues the invoice of a paid order with the saved details, or with `refundId` the credit note of a refund; a repeat answers the first one.',
  input: z.strictObject({ ...Id, refundId: z.optional(z.uuid()) }),
  reply: IssuedInvoice,
})

export const correctInvoice = endpoint('POST /api/orders/:id/invoices/corrections', {
  access: 'member',
  about: 'Cancels the invoice by a credit note and issues one with the saved details.',
  input: z.strictObject(Id),
  reply: IssuedInvoice,
})

export const saveInvoiceDetails = endpoint('PUT /api/account/invoice-details', {
  access: 'member',
  about:
    'Saves what the caller wants on the next invoice, and whether receipts by mail come with it. An issued invoice keeps its details.',
  input: z.strictObject({ ...BuyerDetails.shape, isAttached: z.boolean() }),
  reply: z.object({ ...BuyerDetails.shape, isAttached: z.boolean() }),
})
