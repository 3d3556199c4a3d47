import { hash } from 'node:crypto'
import { firstReveal } from '../../delivery/events.server.ts'
import { OWN_PURCHASE, recordAct } from '../../identity/audit/audit.server.ts'
import { codeOf, inTransaction, type Tx } from '../../kit/database.server.ts'
import { Failure } from '../../kit/failure.ts'
import type { Job } from '../../kit/jobs.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { isUuid } from '../../kit/uuid.ts'
import { usd } from '../../localisation/usd.rules.ts'
import { lockOrder } from '../../orders/orders.store.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { findDisputeOf, findOpenDispute, hasLostDispute } from '../../payments/disputes/disputes.store.server.ts'
import { findPayment, isTaken, lockPaymentsOf, type Payment } from '../../payments/payments.store.server.ts'
import {
  changeRefund,
  failRefund,
  findRefund,
  findRefundable,
  findRefundAsked,
  hasRefundUnderWay,
  insertRefund,
  isUnused,
  lockRefund,
  readGivenCents,
  readLeftCents,
  refundedCents,
  type Refund,
  UNASKED,
} from '../../payments/refunds.store.server.ts'
import type { Refunded } from '../../payments/outcome.ts'
import type { Provider } from '../../payments/provider.ts'
import { findCaptured } from '../../checkout/captured.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { isSettled } from '../../checkout/judge.rules.ts'
import { book, bookUnasked } from './book.server.ts'
import { mailRefusal } from './refund.mail.server.ts'
import { bookBounced } from './bounce.server.ts'
import { type AskedLine, readWanted } from './wanted.server.ts'
import { required } from '../../kit/values/required.ts'

// Refunds write the row first. Then the provider refunds with the row's id as idempotency key, and one transaction
// updates access and ledger. An order paid partly with credit returns the money first.

type Refunding = Pick<Checkout, 'db' | 'providers' | 'config' | 'publicUrl'>

export type Asking = {
  actorId?: string | null
  /** Idempotency key of the browser. */
  key?: string
  /** The offer that staff saw: the refundable amount, and whether that money paid for no goods. */
  seen?: { leftCents: number; isUnused: boolean }
  lines?: AskedLine[] | undefined
  /** Staff confirmed that the buyer has seen codes of the order. */
  isCodeSeen?: boolean
  /** Set if the seller of this sale requests the refund. `last` checks whether the buyer has opened it. */
  sale?: { id: string; copies: number }
  /** If all refunds of a payment with their credit exceed this, throws APPROVAL_NEEDED. */
  mostCents?: number
  last?: (tx: Tx, refund: Refund) => Promise<void>
}

export const refundJobs = (checkout: Checkout): Job[] => [
  { name: 'refund', pool: 'money', run: ({ id = '' }) => runRefund(checkout, id) },
]

/**
 * Requests a refund for staff, in the browser or on the command line. The job makes it. Without `amountCents` refunds
 * the rest; with lines, `amountCents` must equal their sum. Throws Failures 404 and 409, and 422 for a reused key.
 */
export async function refundOrder(
  { db }: Pick<Checkout, 'db'>,
  orderId: string,
  reason: string,
  amountCents?: number,
  asking: Asking = {},
): Promise<Refund> {
  const { actorId = null, key, lines, sale, mostCents = Infinity } = asking
  const askHash = hash('sha256', JSON.stringify([orderId, amountCents, reason, ...(lines ? [lines] : [])]), 'base64url')
  const by = { askedBy: actorId, ...(key !== undefined && { askKey: key, askHash }), isBySeller: sale !== undefined }
  const ask = async (tx: Tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Failure(404, 'Not found')
    if (order.userId === actorId) throw OWN_PURCHASE
    const payments = await lockPaymentsOf(tx, orderId)
    const known = actorId !== null && key !== undefined && (await findRefundAsked(tx, actorId, key))
    if (known && known.askHash !== askHash) throw KEY_REUSED
    if (known) return known
    const payment = await findPaymentToRefund(tx, orderId, payments, asking)
    const wanted = await readWanted(tx, order, payment, lines ? { lines } : { amountCents })
    const { lines: named, ...cents } = wanted
    const refund = await insertRefund(tx, { paymentId: payment.id, ...cents, reason, ...by }, named)
    if (lines && amountCents !== undefined && amountCents !== cents.amountCents + cents.creditCents)
      throw REFUND_CHANGED
    // exclude credit that returns with the last of the money: it is not part of the requested amount
    const askedCents = cents.amountCents + (lines || cents.amountCents === 0 ? cents.creditCents : 0)
    if ((await readGivenCents(tx, payment.id)) > mostCents)
      throw new Failure(409, 'A second member of staff must approve this refund.', APPROVAL_NEEDED, {
        details: { amountCents: askedCents },
      })
    const details = {
      amount: usd(askedCents),
      reason,
      refund: refund.id,
      ...(asking.isCodeSeen && { codes: 'seen by the customer' }),
      ...(sale && { sale: sale.id, copies: String(sale.copies) }),
    }
    await recordAct(tx, { actorId, act: sale ? 'order.sale_refunded' : 'order.refunded', subjectId: orderId, details })
    await asking.last?.(tx, refund)
    return refund
  }
  try {
    return await inTransaction(db, ask)
  } catch (error) {
    // two orders used one key at once: each request locks only its own order
    throw codeOf(error) === '23505' ? KEY_REUSED : error
  }
}

/** Throws a Failure 409 if no payment of the order can be refunded as asked. Sellers refund only money that paid for goods. */
async function findPaymentToRefund(tx: Tx, orderId: string, payments: Payment[], { seen, sale, isCodeSeen }: Asking) {
  const payment = await findRefundable(tx, sale ? payments.filter((one) => !isUnused(one)) : payments)
  if (!payment) throw new Failure(409, 'There is no money to give back.', 'not_captured')
  const isAsSeen =
    !seen || (seen.isUnused === isUnused(payment) && seen.leftCents === (await readLeftCents(tx, payment)))
  if (!isAsSeen) throw REFUND_CHANGED
  const asksForCodes = !sale && !isUnused(payment) && !isCodeSeen
  if (asksForCodes && (await firstReveal(tx, orderId)) !== null) throw CODES_SEEN
  if (await findOpenDispute(tx, payment.id)) throw DISPUTED
  return payment
}

export const APPROVAL_NEEDED = 'approval_needed'
const KEY_REUSED = new Failure(422, 'This idempotency key was used for another request.', 'key_reused')
const REFUND_CHANGED = new Failure(
  409,
  'Money of this order was given back meanwhile, or is on its way. Look at it again.',
  'refund_changed',
)
export const DISPUTED = new Failure(
  409,
  'The buyer disputes this payment at the payment provider, which decides where the money goes. Answer the dispute instead.',
  'disputed',
)
const CODES_SEEN = new Failure(409, 'The customer has seen codes of this order. Say that you know it.', 'codes_seen')

/** Runs the refund job: refunds at the provider and books. Retries after an error; the provider refunds once. */
export async function runRefund(checkout: Refunding, refundId: string): Promise<void> {
  const { db, providers } = checkout
  const refund = await findRefund(db, refundId)
  const payment = refund && (await findPayment(db, refund.paymentId))
  if (!payment?.providerCaptureId || refund?.status !== 'requested') return
  if (payment.provider === CREDIT || refund.amountCents === 0) return bookRefund(checkout, payment, refund.id, null)
  if (await findOpenDispute(db, payment.id)) throw new Error('the refund waits for the end of a dispute')
  // a dispute lost meanwhile may have taken the same money
  const isTooMuch =
    (await hasLostDispute(db, payment.id)) &&
    (await refundedCents(db, payment.id, ['completed'])) + refund.amountCents > payment.amountCents
  if (isTooMuch) return refuse(checkout, refund, 'CAPTURE_FULLY_REFUNDED')
  // money that paid for no goods is refunded in full, in its own currency
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
  await refuse(checkout, refund, outcome.reason)
}

const refuse = (checkout: Refunding, refund: Refund, refusal: string) =>
  inTransaction(checkout.db, async (tx) => {
    if ((await failRefund(tx, refund.id, refusal)) && refund.isBySeller) await mailRefusal(tx, checkout, refund)
  })

/** Books a requested refund. `made` is null for store credit only. A second refund by the provider gets its own row. */
export const bookRefund = (checkout: Refunding, payment: Payment, refundId: string, made: Refunded | null) =>
  inTransaction(checkout.db, async (tx) => {
    const order = required(await lockOrder(tx, payment.orderId), 'the order')
    const fresh = required(
      (await lockPaymentsOf(tx, payment.orderId)).find((row) => row.id === payment.id),
      'the payment',
    )
    const asked = await lockRefund(tx, refundId)
    const providerRefundId = made?.ref ?? null
    if (!providerRefundId || !asked.providerRefundId || asked.providerRefundId === providerRefundId)
      return book(tx, checkout, order, fresh, asked, providerRefundId)
    log.error('the provider made a refund twice', { refund: refundId, providerRefundId })
    const amountCents = made?.amountCents ?? asked.amountCents
    const reason = 'made a second time at the payment provider'
    await bookUnasked(tx, checkout, order, fresh, { providerRefundId, amountCents, reason })
  })

/**
 * Books a refund reported by an event, even if staff made it in the provider's dashboard. Returns the reason if it has
 * no effect. Throws while the payment settles, so that the job retries.
 */
export async function adoptRefund(
  checkout: Checkout,
  provider: Provider,
  seen: { refundRef: string; captureRef: string },
): Promise<string | null> {
  const { db } = checkout
  const { outcome, paymentId } = await provider.findRefund(seen)
  if (outcome.kind === 'unknown') throw new Error(outcome.why)
  const payment = await findCaptured(db, { captureRef: seen.captureRef, paymentId })
  if (payment && isTaken(payment)) throw new Error('the payment of this refund is not settled yet')
  if (payment && !isSettled(payment.status)) return 'nothing of this payment was kept'
  if (!payment) return 'no payment of ours'
  if (outcome.kind === 'pending') throw new Error('the refund is not finished at the provider')
  if (outcome.kind === 'refused' && (await bookBounced(checkout, payment, seen.refundRef)))
    return 'the refund was booked and failed later: the money is booked back'
  // book a refund in progress first, so that its failure is not missed
  if (outcome.kind === 'refused' && (await hasRefundUnderWay(db, payment.id)))
    throw new Error('a refund of this payment is under way')
  if (outcome.kind !== 'completed' || !outcome.amountCents) return 'not a finished refund'
  // the job of a refund of the shop may have got another result, or none
  const { refundId, amountCents } = outcome
  const own = refundId !== null && isUuid(refundId) && (await findRefund(db, refundId))
  if (own) {
    if (own.paymentId === payment.id) await bookRefund(checkout, payment, own.id, outcome)
    return null
  }
  // a provider may also report the money of a lost dispute as a refund
  const disputed = await findDisputeOf(db, payment.id, amountCents)
  if (disputed && !disputed.endedAt) throw new Error('the refund may be the end of a dispute that is open')
  if (disputed) {
    log.error('a refund of the sum of a lost dispute is taken for it', { payment: payment.id, refund: seen.refundRef })
    return 'the money of a lost dispute'
  }
  await inTransaction(db, async (tx) => {
    const order = required(await lockOrder(tx, payment.orderId), 'the order')
    const fresh = required(
      (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id),
      'the payment',
    )
    const reason = UNASKED
    await bookUnasked(tx, checkout, order, fresh, { providerRefundId: seen.refundRef, amountCents, reason })
  })
  return null
}
