import { hash } from 'node:crypto'
import { firstReveal } from '../../delivery/events.server.ts'
import { revokeEntitlements } from '../../delivery/entitlements.server.ts'
import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { codeOf, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import { log } from '../../kit/log/log.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { usd } from '../../localisation/usd.rules.ts'
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
import type { Provider, Refunded } from '../../payments/provider.ts'
import { hideReviews } from '../../reviews/reviews.server.ts'
import type { Checkout } from '../context.server.ts'
import { isSettled } from '../judge.rules.ts'
import { effectOf } from './refund.rules.ts'
import { answerRequests } from './request.server.ts'
import { mailRefund } from './refund.mail.server.ts'
import { reverse } from './reversal.server.ts'

// Step 6: the row first, then the provider with the row's id as its key, then access and ledger in one transaction. Store
// credit comes back as credit: of an order paid with both, the money first, the credit with the last of the money.

type Refunding = Pick<Checkout, 'db' | 'providers' | 'config' | 'publicUrl'>

/** What the requester of a refund knows. The command line knows only the order. */
export type Asking = {
  /** Null is the command line. */
  actorId?: string | null
  /** The browser's idempotency key. */
  key?: string
  /** What was refundable when they looked, and whether that money bought no goods. */
  seen?: { leftCents: number; isUnused: boolean }
  /** They confirmed that the buyer has seen codes of the order. */
  isCodeSeen?: boolean
  /** All refunds of a payment, with the store credit that returns, above this need a second person: throws APPROVAL_NEEDED. */
  mostCents?: number
  /** Runs last in the transaction. */
  last?: (tx: Tx, refund: Refund) => Promise<void>
}

/**
 * Requests a refund of an order for staff, in the browser or on the command line; of the whole rest without `amountCents`.
 * The job makes it. Throws Failures 404, 409, and 422 for a key that was used for another request.
 */
export async function refundOrder(
  { db }: Pick<Checkout, 'db'>,
  orderId: string,
  reason: string,
  amountCents?: number,
  asking: Asking = {},
): Promise<Refund> {
  const { actorId = null, key, seen, isCodeSeen = false, mostCents = Infinity } = asking
  const askHash = hash('sha256', JSON.stringify([orderId, amountCents, reason]), 'base64url')
  const by = { askedBy: actorId, ...(key !== undefined && { askKey: key, askHash }) }
  const ask = async (tx: Tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Failure(404, 'Not found')
    if (order.userId === actorId) throw OWN_PURCHASE
    const payments = await lockPaymentsOf(tx, orderId)
    const known = actorId !== null && key !== undefined && (await findRefundAsked(tx, actorId, key))
    if (known && known.askHash !== askHash) throw KEY_REUSED
    if (known) return known
    const payment = await findRefundable(tx, payments)
    if (!payment) throw new Failure(409, 'There is no money to give back.', 'not_captured')
    const isAsSeen =
      !seen || (seen.isUnused === isUnused(payment) && seen.leftCents === (await readLeftCents(tx, payment)))
    if (!isAsSeen) throw REFUND_CHANGED
    if (!isUnused(payment) && !isCodeSeen && (await firstReveal(tx, orderId)) !== null) throw CODES_SEEN
    const refund = await requestRefund(tx, payment, amountCents, reason, by)
    const moneyCents = await refundedCents(tx, payment.id, ['requested', 'completed'])
    const isLast = !isUnused(payment) && payment.provider !== CREDIT && moneyCents === payment.amountCents
    if (moneyCents + (isLast ? order.creditCents : 0) > mostCents)
      throw new Failure(409, 'A second member of staff must approve this refund.', APPROVAL_NEEDED, {
        details: { amountCents: refund.amountCents },
      })
    const details = {
      amount: usd(refund.amountCents),
      reason,
      refund: refund.id,
      ...(isCodeSeen && { codes: 'seen by the customer' }),
    }
    await recordAct(tx, { actorId, act: 'order.refunded', subjectId: orderId, details })
    await asking.last?.(tx, refund)
    return refund
  }
  try {
    return await inTransaction(db, ask)
  } catch (error) {
    // one key for two orders at once: each request locked its own order only
    throw codeOf(error) === '23505' ? KEY_REUSED : error
  }
}

export const APPROVAL_NEEDED = 'approval_needed'
const KEY_REUSED = new Failure(422, 'This idempotency key was used for another request.', 'key_reused')
const REFUND_CHANGED = new Failure(
  409,
  'Money of this order was given back meanwhile, or is on its way. Look at it again.',
  'refund_changed',
)
const CODES_SEEN = new Failure(409, 'The customer has seen codes of this order. Say that you know it.', 'codes_seen')

/** The job: refunds at the provider and books. It retries after an error; the provider makes the refund once. */
export async function runRefund(checkout: Refunding, refundId: string): Promise<void> {
  const { db, providers } = checkout
  const refund = await findRefund(db, refundId)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!payment?.providerCaptureId || refund?.status !== 'requested') return
  if (payment.provider === CREDIT) return bookRefund(checkout, payment, refund.id, null)
  // money that bought no goods goes back whole, in the currency it came in
  const amountCents = isUnused(payment) ? null : refund.amountCents
  const outcome = await providers.named(payment.provider).refund({ ...refund, amountCents, payment })
  if (outcome.kind === 'completed') return bookRefund(checkout, payment, refund.id, outcome)
  if (outcome.kind === 'unknown') throw new Error(outcome.why)
  if (outcome.kind === 'pending') {
    await inTransaction(db, (tx) => changeRefund(tx, refund.id, { providerRefundId: outcome.ref }))
    if (outcome.waitsForStaff) return
    throw new Error('the provider has not finished the refund')
  }
  log.error('a refund was refused', { refund: refund.id, reason: outcome.reason })
  await failRefund(db, refund.id, outcome.reason)
}

/** Books a requested refund. When the provider made it a second time, that money is a refund of its own. */
const bookRefund = (checkout: Refunding, payment: Payment, refundId: string, made: Refunded | null) =>
  inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find((row) => row.id === payment.id)!
    const asked = await lockRefund(tx, refundId)
    const providerRefundId = made?.ref ?? null
    if (!providerRefundId || !asked.providerRefundId || asked.providerRefundId === providerRefundId)
      return book(tx, checkout, order, fresh, asked, providerRefundId)
    log.error('the provider made a refund twice', { refund: refundId, providerRefundId })
    const amountCents = made?.amountCents ?? asked.amountCents
    const reason = 'made a second time at the payment provider'
    await bookUnasked(tx, checkout, order, fresh, { providerRefundId, amountCents, reason })
  })

/** Records and books, once, a refund that the shop did not request. */
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

/** Books access, ledger and statuses of a completed refund. Order and payment are locked. */
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
  // a refused refund is booked once the provider names it as made
  if (asked.status === 'failed' && !providerRefundId) return
  const before = await refundedCents(tx, payment.id, ['completed'])
  const isMismatched = payment.status === 'mismatched'
  const paidCents = isMismatched ? await mismatchedCents(tx, payment.id) : payment.amountCents
  // the provider's dashboard may refund while ours is on its way
  const refund = { ...asked, amountCents: Math.max(0, Math.min(asked.amountCents, paidCents - before)) }
  const { amountCents } = refund
  const named = providerRefundId && { providerRefundId }
  if (amountCents === 0) {
    log.warn('a refund found its money refunded already', { refund: refund.id, payment: payment.id })
    return changeRefund(tx, refund.id, { status: 'failed', refusal: 'CAPTURE_FULLY_REFUNDED', ...named })
  }
  await changeRefund(tx, refund.id, { status: 'completed', amountCents, refusal: null, ...named })
  // money that bought no goods is not in the ledger
  if (isMismatched) {
    if (before + amountCents < paidCents) return
    return mailRefund(tx, checkout, order, payment, { refund, beforeCents: before, creditCents: 0, takenCents: 0 })
  }
  await answerRequests(tx, order.id, 'granted')
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
  await reverse(tx, order, payment, { moneyCents, creditCents })
  const takenCents = isCredit ? 0 : await takeBackBonus(tx, order, payment, before + refund.amountCents)
  await mailRefund(tx, checkout, order, payment, { refund, beforeCents: before, creditCents, takenCents })
  // last, because it locks the store's rating, which every review waits for
  if (isOver) await hideReviews(tx, lineIds)
}

/**
 * Books a refund that an event named, if it was made in the provider's dashboard, so that access ends. Answers why it does
 * not, or null; throws while the payment is being settled, so that the job retries.
 */
export async function adoptRefund(
  checkout: Checkout,
  provider: Provider,
  seen: { refundRef: string; captureRef: string },
): Promise<string | null> {
  const { db } = checkout
  const { outcome, paymentId } = await provider.findRefund(seen)
  if (outcome.kind === 'unknown') throw new Error(outcome.why)
  const payment = await findPaymentByCapture(db, seen.captureRef)
  if (payment && isTaken(payment)) throw new Error('the payment of this refund is not settled yet')
  if (payment && !isSettled(payment.status)) return 'nothing of this payment was kept'
  if (!payment) {
    const waiting = paymentId !== null && isUuid(paymentId) && (await findPayment(db, paymentId))
    // its settlement may have asked the provider before the refund
    if (waiting && waiting.status === 'capturing') throw new Error('the payment of this refund is not settled yet')
    return 'no payment of ours'
  }
  if (outcome.kind === 'pending') throw new Error('the refund is not finished at the provider')
  if (outcome.kind !== 'completed' || !outcome.amountCents) return 'not a finished refund'
  // the job of a refund that the shop requested may have got another answer, or none
  const { refundId, amountCents } = outcome
  const own = refundId !== null && isUuid(refundId) && (await findRefund(db, refundId))
  if (own) {
    if (own.paymentId === payment.id) await bookRefund(checkout, payment, own.id, outcome)
    return null
  }
  await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    const reason = 'refunded at the payment provider'
    await bookUnasked(tx, checkout, order, fresh, { providerRefundId: seen.refundRef, amountCents, reason })
  })
  return null
}
