import type { InvoiceKind } from './invoices.contract.ts'

// The content of an invoice or credit note. The shop stores it as JSON at the issue and never changes it.

export type Party = { name: string; lines: string[]; vatId: string | null }

export type InvoiceData = {
  kind: InvoiceKind
  number: string
  issuedAt: string
  orderId: string
  storeName: string
  seller: Party
  buyer: Party & { email: string }
  paidAt: string
  method: string
  reference: string | null
  lines: InvoiceLine[]
  discounts: { code: string; amountCents: number }[]
  creditCents: number
  totalCents: number
  corrects: { number: string; issuedAt: string; why: 'refund' | 'correction' } | null
}
export type InvoiceLine = { title: string; seller: string; quantity: number; priceCents: number }

const DIGITS = 6

/** ('INV', 2026, 123) -> 'INV-2026-000123' */
export const labelOf = (prefix: string, year: number, number: number): string =>
  `${prefix}-${year}-${String(number).padStart(DIGITS, '0')}`

export const invoiceFile = (orderId: string, invoiceId: string) => `/api/orders/${orderId}/invoices/${invoiceId}/file`
