import type { Selectable } from 'kysely'
import { type Db, now, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { InvoicesTable } from '../../kit/tables.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { methodLabel } from '../../payments/methods.ts'
import type { PurchasesConfig } from '../purchases.settings.server.ts'
import { fromBundle } from '../fromBundle.rules.ts'
import { linesOf, lockOrder, type OrderRow } from '../../orders/orders.store.server.ts'
import { type InvoiceData, type InvoiceLine, labelOf } from './invoice.rules.ts'
import type { BuyerDetails } from './invoices.contract.ts'
import { findMadeRefunds, findPeople, takeNumber } from './invoices.statements.server.ts'
import { only, required } from '../../kit/values/required.ts'

// A document gets its number at its issue, not at the payment. So the buyer can enter company details first.
// Each transaction locks the order before the series.

export type InvoicesConfig = Pick<PurchasesConfig, 'invoices'> & { storeName: string }
export type Invoice = Omit<Selectable<InvoicesTable>, 'data'> & { data: InvoiceData }
export type Details = BuyerDetails & { isAttached: boolean }

const NO_DETAILS: Details = { company: '', address: '', vatId: '', isAttached: false }

export async function readDetails(db: Db | Tx, userId: string): Promise<Details> {
  const found = await db
    .selectFrom('invoiceDetails')
    .select(['company', 'address', 'vatId', 'isAttached'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return found ?? NO_DETAILS
}

export async function saveDetails(db: Db, userId: string, details: Details) {
  await db
    .insertInto('invoiceDetails')
    .values({ userId, ...details })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...details, updatedAt: now }))
    .execute()
}

/** Issued invoices stay, because the law requires it. */
export async function forgetInvoiceDetailsOf(tx: Tx, userId: string) {
  await tx.deleteFrom('invoiceDetails').where('userId', '=', userId).execute()
}

/** All documents of an order, oldest first. */
export async function invoicesOf(db: Db | Tx, orderId: string): Promise<Invoice[]> {
  const rows = await db
    .selectFrom('invoices')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('issuedAt')
    .orderBy('kind', 'desc')
    .orderBy('number')
    .execute()
  return rows as unknown as Invoice[]
}

/** Returns the credit note that cancels the whole invoice. */
export const cancellationOf = (invoice: Invoice, all: Invoice[]): Invoice | undefined =>
  all.find(({ invoiceId, refundId }) => invoiceId === invoice.id && refundId === null)

export const currentOf = (all: Invoice[]): Invoice | undefined =>
  all.find((invoice) => invoice.kind === 'invoice' && !cancellationOf(invoice, all))

/** Completed refunds of the payment that bought the goods. `amountCents` includes returned store credit. */
export const madeRefundsOf = (db: Db | Tx, orderId: string) => findMadeRefunds(db, { orderId })

/** Issues the invoice of a paid order once. Throws 404 for another buyer's order and 409 for an unpaid order. */
export async function issueInvoice(tx: Tx, config: InvoicesConfig, orderId: string, userId: string): Promise<Invoice> {
  const order = await lockPaid(tx, orderId, userId)
  return currentOf(await invoicesOf(tx, orderId)) ?? insertFirst(tx, config, order)
}

/** Issues the credit note of a refund once. Issues a missing invoice first, because the note refers to it. */
export async function issueCreditNote(
  tx: Tx,
  config: InvoicesConfig,
  orderId: string,
  userId: string,
  refundId: string,
): Promise<Invoice> {
  const order = await lockPaid(tx, orderId, userId)
  const all = await invoicesOf(tx, orderId)
  const known = all.find((one) => one.refundId === refundId)
  if (known) return known
  const refund = (await madeRefundsOf(tx, orderId)).find(({ id }) => id === refundId)
  if (!refund) throw new Failure(404, 'Not found')
  const invoice = currentOf(all) ?? (await insertFirst(tx, config, order))
  const totalCents = refund.amountCents
  const title = `Refund of ${refund.at.toISOString().slice(0, 10)}`
  const lines = [{ title, seller: '', quantity: 1, priceCents: totalCents }]
  return insertCreditNote(tx, config, invoice, { refundId, totalCents, lines, why: 'refund' })
}

/** Cancels the current invoice, if any, with a credit note. Then issues an invoice with the saved details. */
export async function correctInvoice(tx: Tx, config: InvoicesConfig, orderId: string, userId: string) {
  const order = await lockPaid(tx, orderId, userId)
  const all = await invoicesOf(tx, orderId)
  const invoice = currentOf(all)
  if (!invoice) return insertFirst(tx, config, order)
  if (!canCorrect(all))
    throw new Failure(409, 'A refund names this invoice, so its details stay as they are.', 'invoice_refunded')
  if (all.length >= MAX_DOCUMENTS)
    throw new Failure(409, 'This invoice was corrected too often. Please ask support.', 'too_many_corrections')
  const { lines } = invoice.data
  await insertCreditNote(tx, config, invoice, {
    refundId: null,
    totalCents: invoice.totalCents,
    lines,
    why: 'correction',
  })
  return insertFirst(tx, config, order)
}

/** One invoice and five corrections. Each correction adds a credit note and an invoice. */
const MAX_DOCUMENTS = 11

/** An invoice with the credit note of a refund cannot be canceled, because the note refers to it. */
export function canCorrect(all: Invoice[]): boolean {
  const invoice = currentOf(all)
  return invoice !== undefined && !all.some(({ invoiceId }) => invoiceId === invoice.id)
}

async function lockPaid(tx: Tx, orderId: string, userId: string): Promise<OrderRow> {
  const order = await lockOrder(tx, orderId)
  if (!order || order.userId !== userId) throw new Failure(404, 'Not found')
  if (order.status !== 'completed' && order.status !== 'refunded')
    throw new Failure(409, 'The order is not paid, so there is no invoice.', 'not_paid')
  if (order.totalCents === 0) throw new Failure(409, 'Nothing was paid, so there is no invoice.', 'not_paid')
  return order
}

async function insertFirst(tx: Tx, config: InvoicesConfig, order: OrderRow): Promise<Invoice> {
  const [details, facts] = [await readDetails(tx, order.userId), await readFacts(tx, order)]
  const { company, address, vatId } = config.invoices
  const data = {
    ...facts,
    kind: 'invoice' as const,
    orderId: order.id,
    storeName: config.storeName,
    seller: { name: company ?? config.storeName, lines: address, vatId },
    buyer: {
      ...{ name: details.company || facts.buyer.name, email: facts.buyer.email, vatId: details.vatId || null },
      lines: [
        ...(details.company ? [facts.buyer.name] : []),
        ...details.address
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      ],
    },
    paidAt: order.completedAt!.toISOString(),
    creditCents: order.creditCents,
    totalCents: order.totalCents,
    corrects: null,
  }
  return insert(tx, config, { orderId: order.id, totalCents: order.totalCents, data })
}

type Credited = { refundId: string | null; totalCents: number; lines: InvoiceLine[]; why: 'refund' | 'correction' }

function insertCreditNote(tx: Tx, config: InvoicesConfig, invoice: Invoice, credited: Credited): Promise<Invoice> {
  const { refundId, totalCents, lines, why } = credited
  const isWhole = why === 'correction'
  const corrects = { number: invoice.label, issuedAt: invoice.data.issuedAt, why }
  const kind = 'credit_note' as const
  const data = {
    ...{ ...invoice.data, kind, corrects, lines, totalCents },
    ...(!isWhole && { discounts: [], creditCents: 0 }),
  }
  return insert(tx, config, { orderId: invoice.orderId, invoiceId: invoice.id, refundId, totalCents, data })
}

type New = {
  orderId: string
  invoiceId?: string
  refundId?: string | null
  totalCents: number
  data: Omit<InvoiceData, 'number' | 'issuedAt'>
}

/** Takes the number in the transaction of the row, so that a rollback leaves no gap. */
async function insert(tx: Tx, config: InvoicesConfig, { data, ...row }: New): Promise<Invoice> {
  const { kind } = data
  const { year, number, at } = only(await takeNumber(tx, { kind }))
  const label = labelOf(config.invoices.prefixes[kind], year, number)
  const frozen: InvoiceData = { ...data, number: label, issuedAt: at.toISOString() }
  const inserted = await tx
    .insertInto('invoices')
    .values({ ...row, kind, year, number, label, data: JSON.stringify(frozen), issuedAt: at })
    .returningAll()
    .executeTakeFirstOrThrow()
  return inserted as unknown as Invoice
}

async function readFacts(tx: Tx, { id, userId, creditCents }: OrderRow) {
  const lines = await linesOf(tx, id)
  const people = await findPeople(tx, { ids: [userId, ...lines.map(({ sellerId }) => sellerId)] })
  const sellers = new Map(people.map((person) => [person.id, person.name]))
  const buyer = required(
    people.find((person) => person.id === userId),
    'the buyer',
  )
  const discounts = await tx
    .selectFrom('discountUses')
    .select(['code', 'amountCents'])
    .where('orderId', '=', id)
    .orderBy('code')
    .execute()
  const payment = await tx
    .selectFrom('payments')
    .select(['provider', 'providerCaptureId'])
    .where('orderId', '=', id)
    .where('status', 'in', ['captured', 'part_refunded', 'refunded'])
    .executeTakeFirstOrThrow()
  const ways = [payment.provider, ...(creditCents > 0 ? [CREDIT] : [])]
  return {
    buyer: { name: [buyer.firstName, buyer.lastName].filter(Boolean).join(' ') || buyer.email, email: buyer.email },
    lines: lines.map(({ title, bundleTitle, sellerId, quantity, priceCents }) => ({
      ...{ title: title + fromBundle(bundleTitle), quantity, priceCents },
      seller: required(sellers.get(sellerId), 'the seller'),
    })),
    discounts,
    method: [...new Set(ways)].map(methodLabel).join(' and '),
    reference: payment.provider === CREDIT ? null : payment.providerCaptureId,
  }
}
