import { makePdf, type Paper, type Row } from '../../kit/pdf/paper.server.ts'
import { usd } from '../../localisation/usd.rules.ts'
import type { InvoiceData, Party } from './invoice.rules.ts'

const COLUMNS = [
  { name: 'Item' },
  { name: 'Quantity', width: 52, isRight: true },
  { name: 'Price', width: 76, isRight: true },
  { name: 'Amount', width: 84, isRight: true },
]

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
const nameDay = (moment: string) => DAY.format(new Date(moment))

/** Renders an invoice or credit note as an A4 PDF for an account. The same data results in the same bytes. */
export function toInvoicePdf(data: InvoiceData, account: string | null): Promise<Buffer> {
  const { kind, number, issuedAt, orderId, storeName, corrects, paidAt, method, reference } = data
  const title = `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}`
  return makePdf({ account, title, author: data.seller.name, createdAt: new Date(issuedAt) }, (paper) => {
    paper.heading(1, title)
    paper.paragraph(`Issued on ${nameDay(issuedAt)} by ${storeName}. Days are in UTC, amounts in US dollars.`)
    if (corrects) paper.paragraph(describe(corrects))
    party(paper, 'Seller', data.seller)
    party(paper, 'Buyer', data.buyer)
    paper.paragraph(data.buyer.email)
    paper.heading(2, kind === 'invoice' ? 'What was bought' : 'What is credited')
    paper.table(COLUMNS, [...data.lines.map(rowOf), ...sumsOf(data)])
    paper.heading(2, 'Payment')
    paper.paragraph(`Paid on ${nameDay(paidAt)} with ${method}.`)
    if (reference) paper.paragraph(`Payment reference: ${reference}`)
    paper.paragraph(`Order: ${orderId}`)
    if (data.buyer.vatId) paper.paragraph('The form of the buyer’s VAT ID was checked, not its registration.', MUTED)
    paper.noteUnknownLetters('Letters that this document’s font does not have are shown as a question mark.')
  })
}

const MUTED = { isMuted: true }

const describe = ({ number, issuedAt, why }: NonNullable<InvoiceData['corrects']>) =>
  why === 'refund'
    ? `Credits a refund of invoice ${number} of ${nameDay(issuedAt)}.`
    : `Cancels invoice ${number} of ${nameDay(issuedAt)}. Another invoice with corrected details takes its place.`

function party(paper: Paper, name: string, { name: who, lines, vatId }: Party) {
  paper.heading(2, name)
  paper.paragraph(who)
  for (const line of lines) paper.paragraph(line)
  if (vatId) paper.paragraph(`VAT ID: ${vatId}`)
}

const rowOf = ({ title, seller, quantity, priceCents }: InvoiceData['lines'][number]): Row => ({
  cells: [
    { text: title, ...(seller && { small: `Sold by ${seller}` }) },
    { text: String(quantity) },
    { text: usd(priceCents) },
    { text: usd(priceCents * quantity) },
  ],
})

const sum = (name: string, amount: string, isStrong = false): Row => ({
  cells: [{ text: name }, { text: '' }, { text: '' }, { text: amount }],
  isStrong,
})

function sumsOf({ kind, discounts, creditCents, totalCents }: InvoiceData): Row[] {
  const isInvoice = kind === 'invoice'
  return [
    ...discounts.map(({ code, amountCents }) => sum(`Discount ${code}`, `−${usd(amountCents)}`)),
    sum('Tax', usd(0)),
    sum(isInvoice ? 'Total' : 'Credited', usd(totalCents), true),
    ...(isInvoice && creditCents > 0
      ? [sum('Store credit', `−${usd(creditCents)}`), sum('Paid', usd(totalCents - creditCents), true)]
      : []),
  ]
}
