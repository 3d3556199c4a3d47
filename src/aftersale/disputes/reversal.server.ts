import { inTransaction } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { findDisputeOn } from '../../payments/disputes/disputes.store.server.ts'
import { REVERSAL } from '../../payments/ledger/report.ts'
import { lockPaymentsOf, type Payment } from '../../payments/payments.store.server.ts'
import { Unanswered } from '../../payments/outcome.ts'
import type { Provider } from '../../payments/provider.ts'
import { hasRefundUnderWay, refundedCents, UNASKED } from '../../payments/refunds.store.server.ts'
import { findCaptured } from '../../checkout/captured.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { isSettled } from '../../checkout/judge.rules.ts'
import { bookUnasked } from '../refunds/book.server.ts'
import { adoptRefund } from '../refunds/refund.server.ts'
import { checkCapture } from './capture.check.server.ts'
import { handleDispute } from './dispute.server.ts'
import { required } from '../../kit/values/required.ts'

type Reversed = { captureRef: string; refundRef: string | null }

/**
 * Handles a capture that the provider or its bank reversed. Books the reversal once. Returns the reason if the event
 * had no effect.
 */
export async function handleReversal(
  checkout: Checkout,
  provider: Provider,
  { captureRef, refundRef }: Reversed,
): Promise<string | null> {
  const { db } = checkout
  if (refundRef) {
    const adopted = await adoptRefund(checkout, provider, { refundRef, captureRef })
    if (adopted !== 'not a finished refund') return adopted
  }
  const payment = await findCaptured(db, { captureRef, paymentId: null })
  if (payment?.provider !== provider.name) return 'no payment of ours'
  if (!isSettled(payment.status)) throw new Error('the payment of this reversal is not settled yet')
  const disputed = await findDisputeOn(db, payment.id)
  if (disputed && !disputed.endedAt) {
    await handleDispute(checkout, provider, { disputeRef: disputed.providerDisputeId })
    return 'the money of a dispute'
  }
  if (disputed?.state === 'lost') {
    // the buyer may have won a part, and the provider returned the rest later
    await checkCapture(checkout, payment.id)
    return 'the money of a lost dispute'
  }
  if (await hasRefundUnderWay(db, payment.id)) throw new Error('a refund of this payment is under way')
  const shown = await provider.disputes?.readReturned?.(captureRef)
  if (!shown || shown.kind === 'gone') return 'the provider does not show the capture'
  if (shown.kind === 'unknown') throw new Unanswered(shown.why)
  if (shown.part === 'none') return 'the provider returned none of it'
  if (shown.part === 'all') await bookReversal(checkout, payment)
  // the capture does not show how much was returned
  else await checkCapture(checkout, payment.id)
  return null
}

const bookReversal = (checkout: Checkout, { id, orderId, providerCaptureId }: Payment) =>
  inTransaction(checkout.db, async (tx) => {
    const order = required(await lockOrder(tx, orderId), 'the order')
    const payment = required(
      (await lockPaymentsOf(tx, orderId)).find((one) => one.id === id),
      'the payment',
    )
    const leftCents = payment.amountCents - (await refundedCents(tx, id, ['completed']))
    if (leftCents <= 0) return
    log.error('the provider took a payment back', { payment: id })
    const made = { providerRefundId: `${REVERSAL}${providerCaptureId}`, amountCents: leftCents, reason: UNASKED }
    await bookUnasked(tx, checkout, order, payment, made)
  })
