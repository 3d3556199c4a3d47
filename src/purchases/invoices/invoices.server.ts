import { type Db, inTransaction } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { handle, handleRaw, type Route } from '../../kit/handle.server.ts'
import { log } from '../../kit/log/log.server.ts'
import type { Attach } from '../../kit/mail/mail.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { COMMON, PERSONAL } from '../../kit/serve/headers.server.ts'
import type { Limit } from '../../kit/serve/limit.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { findOrder } from '../../orders/orders.store.server.ts'
import {
  correctInvoice as correctContract,
  getInvoices,
  type IssuedInvoice,
  issueInvoice as issueContract,
  saveInvoiceDetails,
} from './invoices.contract.ts'
import {
  canCorrect,
  cancellationOf,
  correctInvoice,
  type Invoice,
  type InvoicesConfig,
  invoicesOf,
  issueCreditNote,
  issueInvoice,
  madeRefundsOf,
  readDetails,
  saveDetails,
} from './invoices.store.server.ts'
import { findOrderToAttach } from './invoices.statements.server.ts'
import { tidyVatId } from './vatId.rules.ts'

const usual: Limit[] = [{ per: 'account', count: 30, seconds: 60 }]
const corrections: Limit[] = [{ per: 'account', count: 10, seconds: 3600, isShared: true }]

export const invoiceRoutes = (config: InvoicesConfig): Route[] => [
  handle(getInvoices, { limits: usual }, async ({ id }, { user, db }) => {
    await findPaid(db, id, user.id)
    const [details, documents, refunds] = await Promise.all([
      readDetails(db, user.id),
      invoicesOf(db, id),
      madeRefundsOf(db, id),
    ])
    return {
      details,
      documents: documents.map((one) => showInvoice(one, documents)),
      refunds: refunds
        .filter((refund) => !documents.some(({ refundId }) => refundId === refund.id))
        .map((refund) => ({ id: refund.id, amount: toDecimal(refund.amountCents), at: refund.at.toISOString() })),
      canCorrect: canCorrect(documents),
    }
  }),

  handle(issueContract, { limits: usual }, ({ id, refundId }, { user, db }) =>
    inTransaction(db, async (tx) =>
      showInvoice(
        refundId
          ? await issueCreditNote(tx, config, id, user.id, refundId)
          : await issueInvoice(tx, config, id, user.id),
      ),
    ),
  ),

  handle(correctContract, { limits: corrections }, ({ id }, { user, db }) =>
    inTransaction(db, async (tx) => showInvoice(await correctInvoice(tx, config, id, user.id))),
  ),

  handle(saveInvoiceDetails, { limits: usual }, async (given, { user, db }) => {
    const details = { ...given, vatId: tidyVatId(given.vatId) }
    await saveDetails(db, user.id, details)
    return details
  }),

  handleRaw(
    'GET /api/orders/:id/invoices/:invoiceId/file',
    { access: 'member', about: 'An issued invoice or credit note as PDF.', limits: usual },
    async ({ params: { id = '', invoiceId = '' }, user, db }) => {
      if (!isUuid(id) || !isUuid(invoiceId)) throw new Failure(404, 'Not found')
      const order = await findOrder(db, id)
      const found = order?.userId === user!.id && (await invoicesOf(db, id)).find((one) => one.id === invoiceId)
      if (!found) throw new Failure(404, 'Not found')
      return {
        status: 200,
        headers: {
          ...COMMON,
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${found.label}.pdf"`,
          'cache-control': PERSONAL,
        },
        body: await render(found, user!.id),
      }
    },
  ),
]

async function findPaid(db: Db, orderId: string, userId: string) {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  if (order.status !== 'completed' && order.status !== 'refunded')
    throw new Failure(409, 'The order is not paid, so there is no invoice.', 'not_paid')
}

const showInvoice = (invoice: Invoice, all: Invoice[] = []): IssuedInvoice => ({
  id: invoice.id,
  kind: invoice.kind,
  number: invoice.label,
  total: toDecimal(invoice.totalCents),
  issuedAt: invoice.issuedAt.toISOString(),
  isCanceled: invoice.kind === 'invoice' && cancellationOf(invoice, all) !== undefined,
  refundId: invoice.refundId,
})

/** Loaded on demand, because few requests need its fonts and tables. */
async function render({ data }: Invoice, account: string | null): Promise<Buffer> {
  const { toInvoicePdf } = await import('./invoice.pdf.server.ts')
  return toInvoicePdf(data, account)
}

const RECEIPT = /^receipt:(.{36})$/
const REFUND = /^refund:(.{36})/

/** Attaches the invoice to a receipt mail and the credit note to a refund mail, if the buyer wants attachments. */
export const attachInvoices =
  (db: Db, config: InvoicesConfig): Attach =>
  async ({ key }) => {
    const [, orderId] = RECEIPT.exec(key) ?? []
    const [, refundId] = REFUND.exec(key) ?? []
    try {
      const invoice = await issueForMail(db, config, orderId, refundId)
      if (!invoice) return []
      const content = await render(invoice, null)
      return [{ filename: `${invoice.label}.pdf`, content, contentType: 'application/pdf' }]
    } catch (error) {
      // sends the mail without the document: the buyer can download it on the order page
      log.error('a mail goes out without its invoice', { error, mail: key })
      return []
    }
  }

async function issueForMail(db: Db, config: InvoicesConfig, orderId?: string, refundId?: string) {
  if (!orderId && !refundId) return null
  const [wanting] = await findOrderToAttach(db, { orderId: orderId ?? null, refundId: refundId ?? null })
  if (!wanting) return null
  return inTransaction(db, (tx) =>
    refundId
      ? issueCreditNote(tx, config, wanting.id, wanting.userId, refundId)
      : issueInvoice(tx, config, wanting.id, wanting.userId),
  )
}
