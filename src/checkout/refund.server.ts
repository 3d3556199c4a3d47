import { revokeEntitlements } from '../delivery/entitlements.server.ts'
import { inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log.server.ts'
import { changeOrder, linesOf, lockOrder, type OrderLineRow } from '../orders/orders.server.ts'
import {
  changePayment,
  findPayment,
  findPaymentByCapture,
  lockPaymentsOf,
  type Payment,
  providerAccount,
  recordTransfer,
  sellerAccount,
} from '../payments/payments.server.ts'
import {
  changeRefund,
  findRefund,
  lockRefund,
  recordRefund,
  refundedCents,
  type Refund,
  requestRefund,
} from '../payments/refunds.server.ts'
import { Refused } from '../payments/paypal.server.ts'
import type { Checkout } from './checkout.server.ts'
import { shareOf } from './refund.rules.ts'

// Step 6: the row first, then the provider under the row's id, then access and books in one transaction.

/** Asks for a refund of a completed order (whole when `amountCents` is left out). The job does it. */
export function refundOrder(
  { db }: Pick<Checkout, 'db'>,
  orderId: string,
  reason: string,
  amountCents?: number,
): Promise<Refund> {
  return inTransaction(db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Failure(404, 'Not found')
    const payment = (await lockPaymentsOf(tx, orderId)).find(
      ({ status }) => status === 'captured' || status === 'part_refunded',
    )
    if (!payment) throw new Failure(409, 'There is no money to give back.', 'not_captured')
    return requestRefund(
      tx,
      payment,
      amountCents ?? payment.amountCents - (await refundedCents(tx, payment.id)),
      reason,
    )
  })
}

/** The job: makes the refund at the provider and books it. Throwing means it is tried again with the same request id. */
export async function runRefund({ db, paypal }: Pick<Checkout, 'db' | 'paypal'>, refundId: string): Promise<void> {
  const refund = await findRefund(db, refundId)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!payment?.providerCaptureId || refund?.status !== 'requested') return
  try {
    const made = await paypal.refundCapture(payment.providerCaptureId, refund)
    if (made.status === 'PENDING') throw new Error('the provider has not finished the refund')
    if (made.status !== 'COMPLETED') throw new Refused(made.status)
    await bookRefund(db, payment, refund.id, made.id)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    log.error('a refund was refused by the provider', { refund: refund.id, issue: error.issue })
    await inTransaction(db, (tx) => changeRefund(tx, refund.id, { status: 'failed' }))
  }
}

function bookRefund(db: Checkout['db'], { id, orderId }: Payment, refundId: string, providerRefundId: string) {
  return inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    const payment = (await lockPaymentsOf(tx, orderId)).find((row) => row.id === id)!
    const refund = await lockRefund(tx, refundId)
    if (refund.status === 'completed') return
    await changeRefund(tx, refund.id, { status: 'completed', providerRefundId })
    // money that never became goods was never booked either: there is nothing to take back but the row
    if (payment.status === 'mismatched') return
    const lines = await linesOf(tx, orderId)
    await reverse(tx, payment, lines, refund.amountCents)
    const isWhole = (await refundedCents(tx, payment.id)) >= payment.amountCents
    await changePayment(tx, payment.id, { status: isWhole ? 'refunded' : 'part_refunded' })
    if (!isWhole || order.status !== 'completed') return
    await revokeEntitlements(
      tx,
      lines.map((line) => line.id),
    )
    await changeOrder(tx, order, 'refunded', refund.reason)
  })
}

async function reverse(tx: Tx, payment: Payment, lines: OrderLineRow[], amountCents: number) {
  const shares = shareOf(
    amountCents,
    lines.map((line) => ({ sellerId: line.sellerId, cents: line.priceCents * line.quantity })),
  )
  await recordTransfer(tx, payment.id, [
    { account: providerAccount(payment), amountCents: -amountCents },
    ...shares.map(({ sellerId, cents }) => ({ account: sellerAccount(sellerId), amountCents: cents })),
  ])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * A refund made at the provider's own desk: written down as ours, so that access ends. Answers why not, or null; throws
 * while its payment is being settled, so that it is tried again.
 */
export async function adoptRefund(
  { db, paypal }: Checkout,
  captureId: string,
  providerRefundId: string,
): Promise<string | null> {
  const capture = await paypal.readCapture(captureId)
  const payment = await findPaymentByCapture(db, captureId)
  if (!payment) {
    const waiting = UUID.test(capture?.customId ?? '') && (await findPayment(db, capture!.customId!))
    // whoever settles it now may have asked the provider before the refund; then there will be something to take back
    if (waiting && waiting.status === 'capturing') throw new Error('the payment of this refund is not settled yet')
    return 'no payment of ours'
  }
  if (capture?.status !== 'REFUNDED')
    return capture?.status === 'PARTIALLY_REFUNDED' ? 'a part was refunded at the provider' : null
  const refund = await inTransaction(db, async (tx) => {
    await lockOrder(tx, payment.orderId)
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    const isKnown = await tx
      .selectFrom('refunds')
      .select('id')
      .where('paymentId', '=', payment.id)
      .where('status', '<>', 'failed')
      .executeTakeFirst()
    if (isKnown || fresh.status !== 'captured') return null
    return recordRefund(tx, {
      paymentId: payment.id,
      amountCents: payment.amountCents,
      reason: 'refunded at the payment provider',
    })
  })
  if (refund) await bookRefund(db, payment, refund.id, providerRefundId)
  return null
}
