import { hash } from 'node:crypto'
import { areCodesSeen } from '../../delivery/seen.server.ts'
import { revokeEntitlements } from '../../delivery/entitlements.server.ts'
import { recordAct } from '../../identity/audit/audit.server.ts'
import { codeOf, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { toDecimal } from '../../kit/money.ts'
import { isUuid } from '../../kit/uuid.ts'
import { changeOrder, linesOf, lockOrder, type OrderRow } from '../../orders/orders.server.ts'
import { takeBackBonus } from '../../payments/bonus.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import {
  changePayment,
  findPayment,
  findPaymentByCapture,
  isTaken,
  lockPaymentsOf,
  type Payment,
} from '../../payments/payments.store.server.ts'
import {
  changeRefund,
  failRefund,
  findRefund,
  findRefundable,
  findRefundAsked,
  findRefundAtProvider,
  isUnused,
  lockRefund,
  mismatchedCents,
  nameRefund,
  readLeftCents,
  recordRefund,
  refundedCents,
  type Refund,
  requestRefund,
} from '../../payments/refunds.store.server.ts'
import { isSettled } from '../../payments/capture.rules.ts'
import { Refused } from '../../payments/paypal/errors.server.ts'
import { hideReviews } from '../../reviews/reviews.server.ts'
import type { Checkout } from '../checkout.server.ts'
import { findLost, isPastRepeating } from '../lostRefund.server.ts'
import { effectOf, NEVER_MADE } from './refund.rules.ts'
import { mailRefund } from './refund.mail.server.ts'
import { reverse } from './reversal.server.ts'

// Step 6: the row first, then the provider under the row's id, then access and books in one transaction. What was paid by
// credit comes back as credit: of an order paid with both, the money first, and the credit with the last of the money.

type Refunding = Pick<Checkout, 'db' | 'paypal' | 'config' | 'publicUrl'>

/** What whoever asks for a refund knows; the command line knows nothing but the order. */
export type Asking = {
  /** Null is the command line. */
  actorId?: string | null
  /** The key of the browser that asks: sent twice, it is one refund. */
  key?: string
  /** What could still be given back when they looked, and whether it was money that never became goods. */
  seen?: { leftCents: number; isUnused: boolean }
  /** They know that the customer has seen codes of the order. */
  isCodeSeen?: boolean
}

/**
 * Staff ask for a refund of an order, of all that is left when `amountCents` is left out. The job does it. The one rule
 * for the browser and the command line; throws Failures 404, 409, and 422 for a key that asked for something else.
 */
export async function refundOrder(
  { db }: Pick<Checkout, 'db'>,
  orderId: string,
  reason: string,
  amountCents?: number,
  asking: Asking = {},
): Promise<Refund> {
  const { actorId = null, key, seen, isCodeSeen = false } = asking
  const askHash = hash('sha256', JSON.stringify([orderId, amountCents, reason]), 'base64url')
  const by = { askedBy: actorId, ...(key !== undefined && { askKey: key, askHash }) }
  const ask = async (tx: Tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Failure(404, 'Not found')
    const payments = await lockPaymentsOf(tx, orderId)
    const known = actorId !== null && key !== undefined && (await findRefundAsked(tx, actorId, key))
    if (known && known.askHash !== askHash) throw KEY_REUSED
    if (known) return known
    const payment = await findRefundable(tx, payments)
    if (!payment) throw new Failure(409, 'There is no money to give back.', 'not_captured')
    const isAsSeen =
      !seen || (seen.isUnused === isUnused(payment) && seen.leftCents === (await readLeftCents(tx, payment)))
    if (!isAsSeen) throw REFUND_CHANGED
    if (!isUnused(payment) && !isCodeSeen && (await areCodesSeen(tx, orderId))) throw CODES_SEEN
    const refund = await requestRefund(tx, payment, amountCents, reason, by)
    const details = {
      amount: `$${toDecimal(refund.amountCents)}`,
      reason,
      refund: refund.id,
      ...(isCodeSeen && { codes: 'seen by the customer' }),
    }
    await recordAct(tx, { actorId, act: 'order.refunded', subjectId: orderId, details })
    return refund
  }
  try {
    return await inTransaction(db, ask)
  } catch (error) {
    // two orders at once under one key: each waited for its own order only
    throw codeOf(error) === '23505' ? KEY_REUSED : error
  }
}

const KEY_REUSED = new Failure(422, 'This idempotency key was used for another request.', 'key_reused')
const REFUND_CHANGED = new Failure(
  409,
  'Money of this order was given back meanwhile, or is on its way. Look at it again.',
  'refund_changed',
)
const CODES_SEEN = new Failure(409, 'The customer has seen codes of this order. Say that you know it.', 'codes_seen')

/**
 * The job: makes the refund at the provider and books it. Throwing means it is tried again with the same request id; one
 * that the provider has begun is asked after, never made again, and so is one whose request it may have forgotten.
 */
export async function runRefund(checkout: Refunding, refundId: string): Promise<void> {
  const { db, paypal } = checkout
  const refund = await findRefund(db, refundId)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!payment?.providerCaptureId || refund?.status !== 'requested') return
  const { id, providerRefundId } = refund
  if (payment.provider === CREDIT) return bookRefund(checkout, payment, id, null)
  // money that never became goods goes back whole, in whatever currency it came
  const amountCents = payment.status === 'mismatched' ? null : refund.amountCents
  try {
    const made = providerRefundId
      ? await paypal.readRefund(providerRefundId)
      : isPastRepeating(refund)
        ? await findLost(paypal, payment, refund)
        : await paypal.refundCapture(payment.providerCaptureId, { id, amountCents })
    if (made?.status === 'COMPLETED') return await bookRefund(checkout, payment, id, made)
    if (made?.status !== 'PENDING') throw new Refused(made?.status ?? 'UNKNOWN_REFUND')
    await inTransaction(db, (tx) => changeRefund(tx, id, { providerRefundId: made.id }))
    throw new Error('the provider has not finished the refund')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const isBackAlready =
      error.issue === 'CAPTURE_FULLY_REFUNDED' &&
      (await paypal.readCapture(payment.providerCaptureId))?.status === 'REFUNDED'
    if (isBackAlready)
      return bookRefund(checkout, payment, id, providerRefundId === null ? null : { id: providerRefundId })
    const what =
      error.issue === NEVER_MADE ? 'a refund never reached the provider' : 'a refund was refused by the provider'
    log.error(what, { refund: id, issue: error.issue })
    await failRefund(db, id, error.issue)
  }
}

type Made = { id: string; amountCents?: number | undefined }

/** Books one of ours; what the provider made of it a second time is money that left, and a refund of its own. */
const bookRefund = (checkout: Refunding, payment: Payment, refundId: string, made: Made | null) =>
  inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find((row) => row.id === payment.id)!
    const asked = await lockRefund(tx, refundId)
    if (!made || !asked.providerRefundId || asked.providerRefundId === made.id)
      return book(tx, checkout, order, fresh, asked, made?.id ?? null)
    const { id: providerRefundId, amountCents = asked.amountCents } = made
    log.error('the provider made a refund twice', { refund: refundId, providerRefundId })
    const reason = 'made a second time at the payment provider'
    await bookUnasked(tx, checkout, order, fresh, { providerRefundId, amountCents, reason })
  })

/** Writes down and books what nobody asked for here, once. */
async function bookUnasked(
  tx: Tx,
  checkout: Refunding,
  order: OrderRow,
  payment: Payment,
  made: { providerRefundId: string; amountCents: number; reason: string },
) {
  if (await findRefundAtProvider(tx, made.providerRefundId)) return
  const recorded = await recordRefund(tx, { paymentId: payment.id, ...made })
  await book(tx, checkout, order, payment, recorded, made.providerRefundId)
}

/** Access, books and statuses of one refund that was made; order and payment are locked. */
async function book(
  tx: Tx,
  checkout: Refunding,
  order: OrderRow,
  payment: Payment,
  asked: Refund,
  providerRefundId: string | null,
) {
  if (asked.status === 'completed') {
    if (providerRefundId && !asked.providerRefundId) await nameRefund(tx, asked.id, providerRefundId)
    return
  }
  // one that was refused is booked all the same once the provider names it as made
  if (asked.status === 'failed' && !providerRefundId) return
  const before = await refundedCents(tx, payment.id, ['completed'])
  const isMismatched = payment.status === 'mismatched'
  const paidCents = isMismatched ? await mismatchedCents(tx, payment.id) : payment.amountCents
  const refund = { ...asked, amountCents: mostBack(asked, paidCents, before) }
  const { amountCents } = refund
  const named = providerRefundId && { providerRefundId }
  if (amountCents === 0) {
    log.warn('a refund found all of its money given back already', { refund: refund.id, payment: payment.id })
    return changeRefund(tx, refund.id, { status: 'failed', refusal: 'CAPTURE_FULLY_REFUNDED', ...named })
  }
  await changeRefund(tx, refund.id, { status: 'completed', amountCents, refusal: null, ...named })
  // money that never became goods was never booked either: there is nothing to take back but the row
  if (isMismatched) {
    if (before + amountCents < paidCents) return
    return mailRefund(tx, checkout, order, payment, { refund, beforeCents: before, creditCents: 0, takenCents: 0 })
  }
  const lines = await linesOf(tx, order.id)
  const isCredit = payment.provider === CREDIT
  const terms = {
    paidCents,
    leftCents: paidCents - before,
    creditCents: order.creditCents,
    isCredit,
    isUnused: false,
    bonusCents: 0,
  }
  const { moneyCents, creditCents, isWhole } = effectOf(terms, refund.amountCents)
  await changePayment(tx, payment.id, { status: isWhole ? 'refunded' : 'part_refunded' })
  const isOver = isWhole && order.status === 'completed'
  const lineIds = lines.map((line) => line.id)
  if (isOver) {
    await revokeEntitlements(tx, lineIds)
    await changeOrder(tx, order, 'refunded', refund.reason)
  }
  await reverse(tx, order, payment, lines, { beforeCents: before, moneyCents, creditCents })
  const takenCents = isCredit ? 0 : await takeBackBonus(tx, order, payment, before + refund.amountCents)
  await mailRefund(tx, checkout, order, payment, { refund, beforeCents: before, creditCents, takenCents })
  // last, because everybody who reviews anything waits for the store's one rating
  if (isOver) await hideReviews(tx, lineIds)
}

/** Money can go back at the provider's own desk while ours is on its way; together they are never more than was paid. */
const mostBack = (refund: Refund, paidCents: number, beforeCents: number) =>
  Math.max(0, Math.min(refund.amountCents, paidCents - beforeCents))

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
  if (payment && isTaken(payment)) throw new Error('the payment of this refund is not settled yet')
  if (payment && !isSettled(payment.status)) return 'nothing of this payment was kept'
  if (!payment) {
    const waiting = isUuid(capture?.customId ?? '') && (await findPayment(db, capture!.customId!))
    // whoever settles it now may have asked the provider before the refund; then there will be something to take back
    if (waiting && waiting.status === 'capturing') throw new Error('the payment of this refund is not settled yet')
    return 'no payment of ours'
  }
  const made = await paypal.readRefund(providerRefundId)
  if (made?.status === 'PENDING') throw new Error('the refund is not finished at the provider')
  if (made?.status !== 'COMPLETED' || !made.amountCents) return 'not a finished refund'
  // one that we asked for, also when its own job was told something else, or nothing
  const own = isUuid(made.customId ?? '') && (await findRefund(db, made.customId!))
  if (own) {
    if (own.paymentId === payment.id) await bookRefund(checkout, payment, own.id, made)
    return null
  }
  const amountCents = made.amountCents
  await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    const reason = 'refunded at the payment provider'
    await bookUnasked(tx, checkout, order, fresh, { providerRefundId, amountCents, reason })
  })
  return null
}
