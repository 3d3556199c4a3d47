import { inTransaction } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { mailFinance } from '../../notifications/mail/caseMail.server.ts'
import { findPayment } from '../../payments/payments.store.server.ts'
import { Unanswered } from '../../payments/outcome.ts'
import { hasRefundUnderWay, refundedCents } from '../../payments/refunds.store.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'

const TEXTS = { none: 'nothing was returned', some: 'a part was returned', all: 'everything was returned' }

/** Compares the refunded money of a payment at its provider with the ledger. Mails finance staff if they differ. */
export async function checkCapture(checkout: Checkout, paymentId: string): Promise<void> {
  const { db, providers } = checkout
  const payment = await findPayment(db, paymentId)
  const provider = payment && providers.named(payment.provider)
  if (!payment?.providerCaptureId || !provider?.disputes?.readReturned) return
  // the job or event is retried
  if (await hasRefundUnderWay(db, payment.id)) throw new Error('a refund of this payment is under way')
  const shown = await provider.disputes.readReturned(payment.providerCaptureId)
  if (shown.kind === 'unknown') throw new Unanswered(shown.why)
  if (shown.kind === 'gone') return
  const cents = await refundedCents(db, payment.id, ['completed'])
  const booked = cents === 0 ? 'none' : cents >= payment.amountCents ? 'all' : 'some'
  if (booked === shown.part) return
  log.error('a capture and the ledger differ after a dispute', { payment: payment.id, shown: shown.part, booked })
  await inTransaction(db, (tx) =>
    mailFinance(tx, checkout, {
      key: `capture-differs:${payment.id}:${shown.part}:${booked}`,
      subject: `${provider.label} and the ledger differ: order ${payment.orderId.slice(-8)}`,
      lines: [
        `${provider.label} shows for the payment of this order that ${TEXTS[shown.part]}. In the ledger ${TEXTS[booked]}.`,
        `Compare the payment at ${provider.label} with the order, and correct the one that is wrong.`,
      ],
      action: { label: 'Open the order', path: `/admin/orders/${payment.orderId}` },
    }),
  )
}
