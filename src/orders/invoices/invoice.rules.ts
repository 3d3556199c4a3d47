import type { InvoiceKind } from './invoices.contract.ts'

// What an invoice or credit note says. Pure; frozen as JSON when it is issued.

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
  /** The name of the method, 'Store credit', or both. */
  method: string
  reference: string | null
  lines: InvoiceLine[]
  discounts: { code: string; amountCents: number }[]
  creditCents: number
  totalCents: number
  /** Of a credit note. */
  corrects: { number: string; issuedAt: string; why: 'refund' | 'correction' } | null
}
export type InvoiceLine = { title: string; seller: string; quantity: number; priceCents: number }

const DIGITS = 6

/** ('INV', 2026, 123) -> 'INV-2026-000123' */
export const labelOf = (prefix: string, year: number, number: number): string =>
  `${prefix}-${year}-${String(number).padStart(DIGITS, '0')}`

/**
 * What the credit note of a refund is about. Refunds come in the order in which they were made; the one that returned the
 * whole order returned the store credit of the order too.
 */
export function creditedCents(
  refund: { id: string; amountCents: number },
  order: { status: string; creditCents: number; totalCents: number },
  refunds: { id: string; amountCents: number }[],
): number {
  const isLast = refunds.at(-1)?.id === refund.id
  // an order paid with credit alone is refunded in credit: its refunds are that credit
  const paidCents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const left = order.totalCents - paidCents
  return refund.amountCents + (order.status === 'refunded' && isLast ? Math.min(order.creditCents, left) : 0)
}
