import { revokeEntitlements } from '../delivery/entitlements.server.ts'
import { inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log.server.ts'
import { sendMail } from '../kit/mail.server.ts'
import { toDecimal } from '../kit/money.ts'
import { changeOrder, linesOf, lockOrder, type OrderLineRow, type OrderRow } from '../orders/orders.server.ts'
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
  findRefundAtProvider,
  lockRefund,
  recordRefund,
  refundedCents,
  type Refund,
  requestRefund,
} from '../payments/refunds.server.ts'
import { Refused } from '../payments/paypal.errors.server.ts'
import { hideReviews } from '../reviews/reviews.server.ts'
import type { Checkout } from './checkout.server.ts'
import { nextShares } from './refund.rules.ts'

// Step 6: the row first, then the provider under the row's id, then access and books in one transaction.

type Refunding = Pick<Checkout, 'db' | 'paypal' | 'config' | 'publicUrl'>

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
    const payments = await lockPaymentsOf(tx, orderId)
    const paid = payments.find(({ status }) => status === 'captured' || status === 'part_refunded')
    const payment = paid ?? payments.find(({ status }) => status === 'mismatched')
    if (!payment) throw new Failure(409, 'There is no money to give back.', 'not_captured')
    return requestRefund(tx, payment, amountCents, reason)
  })
}

/**
 * The job: makes the refund at the provider and books it. Throwing means it is tried again with the same request id; one
 * that the provider has begun is asked after, never made again.
 */
export async function runRefund(checkout: Refunding, refundId: string): Promise<void> {
  const { db, paypal } = checkout
  const refund = await findRefund(db, refundId)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!payment?.providerCaptureId || refund?.status !== 'requested') return
  const { id, providerRefundId } = refund
  // money that never became goods goes back whole, in whatever currency it came
  const amountCents = payment.status === 'mismatched' ? null : refund.amountCents
  try {
    const made = providerRefundId
      ? await paypal.readRefund(providerRefundId)
      : await paypal.refundCapture(payment.providerCaptureId, { id, amountCents })
    if (made?.status === 'COMPLETED') return await bookRefund(checkout, payment, id, made.id)
    if (made?.status !== 'PENDING') throw new Refused(made?.status ?? 'UNKNOWN_REFUND')
    await inTransaction(db, (tx) => changeRefund(tx, id, { providerRefundId: made.id }))
    throw new Error('the provider has not finished the refund')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const isBackAlready =
      error.issue === 'CAPTURE_FULLY_REFUNDED' &&
      (await paypal.readCapture(payment.providerCaptureId))?.status === 'REFUNDED'
    if (isBackAlready) return bookRefund(checkout, payment, id, providerRefundId)
    log.error('a refund was refused by the provider', { refund: id, issue: error.issue })
    await inTransaction(db, (tx) => changeRefund(tx, id, { status: 'failed' }))
  }
}

const bookRefund = (checkout: Refunding, payment: Payment, refundId: string, providerRefundId: string | null) =>
  inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find((row) => row.id === payment.id)!
    await book(tx, checkout, order, fresh, await lockRefund(tx, refundId), providerRefundId)
  })

/** Access, books and statuses of one refund that was made; order and payment are locked. */
async function book(
  tx: Tx,
  checkout: Refunding,
  order: OrderRow,
  payment: Payment,
  refund: Refund,
  providerRefundId: string | null,
) {
  if (refund.status === 'completed') return
  const before = await refundedCents(tx, payment.id, ['completed'])
  await changeRefund(tx, refund.id, { status: 'completed', ...(providerRefundId && { providerRefundId }) })
  await mailRefund(tx, checkout, order, payment, { refund, beforeCents: before })
  // money that never became goods was never booked either: there is nothing to take back but the row
  if (payment.status === 'mismatched') return
  const lines = await linesOf(tx, order.id)
  await reverse(tx, payment, lines, before, refund.amountCents)
  const isWhole = before + refund.amountCents >= payment.amountCents
  await changePayment(tx, payment.id, { status: isWhole ? 'refunded' : 'part_refunded' })
  if (!isWhole || order.status !== 'completed') return
  const lineIds = lines.map((line) => line.id)
  await revokeEntitlements(tx, lineIds)
  await changeOrder(tx, order, 'refunded', refund.reason)
  // last, because everybody who reviews anything waits for the store's one rating
  await hideReviews(tx, lineIds)
}

/** Tells the buyer, once for each refund, with the transaction that completes it. */
async function mailRefund(
  tx: Tx,
  { config, publicUrl }: Refunding,
  order: OrderRow,
  payment: Payment,
  { refund, beforeCents }: { refund: Refund; beforeCents: number },
) {
  const buyer = await tx.selectFrom('users').select('email').where('id', '=', order.userId).executeTakeFirstOrThrow()
  const [sum, paid] = [`$${toDecimal(refund.amountCents)}`, `$${toDecimal(payment.amountCents)}`]
  const leftCents = payment.amountCents - beforeCents - refund.amountCents
  const told =
    payment.status === 'mismatched'
      ? ['A payment for your order could not be used, so all of it was given back to you.']
      : leftCents > 0
        ? [
            `We have refunded ${sum} of the ${paid} you paid. $${toDecimal(leftCents)} remains.`,
            'You keep what you bought.',
          ]
        : [
            `We have refunded ${sum}; with it all of the ${paid} you paid is given back.`,
            'What you bought can no longer be opened.',
          ]
  const short = order.id.slice(-8)
  await sendMail(tx, config, {
    key: `refund:${refund.id}`,
    to: buyer.email,
    subject:
      payment.status === 'mismatched' ? `A refund for your order ${short}` : `Refund of ${sum} for your order ${short}`,
    lines: [
      ...told,
      'The money goes back to where it came from. Your payment provider decides how soon it shows there.',
    ],
    action: { label: 'Open your order', url: `${publicUrl}/orders/${order.id}` },
  })
}

async function reverse(tx: Tx, payment: Payment, lines: OrderLineRow[], beforeCents: number, amountCents: number) {
  const owed = lines.map((line) => ({ sellerId: line.sellerId, cents: line.priceCents * line.quantity }))
  await recordTransfer(tx, payment.id, [
    { account: providerAccount(payment), amountCents: -amountCents },
    ...nextShares(beforeCents, amountCents, owed).map(({ sellerId, cents }) => ({
      account: sellerAccount(sellerId),
      amountCents: cents,
    })),
  ])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * A refund made at the provider's own desk: written down as ours, so that access ends. Answers why not, or null; throws
 * while its payment is being settled, so that it is tried again.
 */
export async function adoptRefund(
  checkout: Checkout,
  captureId: string,
  providerRefundId: string,
): Promise<string | null> {
  const { db, paypal } = checkout
  const capture = await paypal.readCapture(captureId)
  const payment = await findPaymentByCapture(db, captureId)
  if (!payment) {
    const waiting = UUID.test(capture?.customId ?? '') && (await findPayment(db, capture!.customId!))
    // whoever settles it now may have asked the provider before the refund; then there will be something to take back
    if (waiting && waiting.status === 'capturing') throw new Error('the payment of this refund is not settled yet')
    return 'no payment of ours'
  }
  const made = await paypal.readRefund(providerRefundId)
  if (made?.status === 'PENDING') throw new Error('the refund is not finished at the provider')
  if (made?.status !== 'COMPLETED' || !made.amountCents) return 'not a finished refund'
  // one that we asked for: its own job books it
  if (UUID.test(made.customId ?? '') && (await findRefund(db, made.customId!))) return null
  const amountCents = made.amountCents
  await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    if (await findRefundAtProvider(tx, providerRefundId)) return
    const reason = 'refunded at the payment provider'
    await book(
      tx,
      checkout,
      order,
      fresh,
      await recordRefund(tx, { paymentId: payment.id, amountCents, reason, providerRefundId }),
      providerRefundId,
    )
  })
  return null
}
