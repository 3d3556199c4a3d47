import { holdCodes, releaseCodes } from '../delivery/codes.server.ts'
import { codeOf, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { findOrder, linesOf, lockOrder, type OrderRow } from '../orders/orders.server.ts'
import { PAYPAL } from '../payments/payments.contract.ts'
import {
  changePayment,
  findPaymentByProviderOrder,
  findPaymentOf,
  findWallet,
  insertPayment,
  isTaken,
  leaseCapture,
  lockPaymentsOf,
  nameAtProvider,
  type Payment,
} from '../payments/payments.store.server.ts'
import { Refused, Unanswered } from '../payments/paypal/errors.server.ts'
import type { Charge } from '../payments/paypal/client.server.ts'
import type { ProviderOrder } from '../payments/capture.rules.ts'
import type { Visitor } from '../risk/risk.server.ts'
import type { Checkout } from './checkout.server.ts'
import { isStopped, REFUSED_BEFORE, standBefore } from './risk.server.ts'
import { decline, failOrder, settle } from './settle.server.ts'

// Steps 2 and 3 of the money flow. No HTTP while a transaction is open; locks go order -> payment -> codes.

export type Captured = 'COMPLETED' | 'PENDING' | 'DECLINED'

const CLOSED = new Failure(409, 'This order can no longer be paid.', 'order_closed')
const NOT_WAITING = new Failure(409, 'This order is not waiting for its payment any more.', 'order_closed')
const UNDER_WAY = new Failure(
  409,
  'A payment for this order is in progress. Please wait a moment.',
  'payment_under_way',
)
const AWAY = new Failure(
  503,
  'The payment provider isn’t responding. Nothing was charged; please try again.',
  'provider_away',
  { retryAfter: 5 },
)
export const SOLD_OUT = new Failure(
  409,
  'A product in this order has just sold out. Nothing was charged.',
  'out_of_stock',
)

/**
 * Step 2: the payment row first, then the provider's order under the row's id; answers the provider's order id. An open
 * payment of the order is taken up again, so that an order never has two open payments.
 */
export async function startPayment(checkout: Checkout, visitor: Visitor, orderId: string): Promise<string> {
  const { db, paypal } = checkout
  await judgeOrEnd(checkout, visitor, orderId)
  const payment = await inTransaction(db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (!order || !isPayable(order)) throw CLOSED
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => status === 'capturing')) throw UNDER_WAY
    const open = payments.find(
      ({ status, walletId }) =>
        walletId === null && (status === 'creating' || status === 'created' || status === 'declined'),
    )
    return open ?? insertPayment(tx, { orderId, provider: PAYPAL, mode: paypal.mode, amountCents: dueCents(order) })
  })
  if (payment.providerOrderId) return payment.providerOrderId
  const charge = await chargeOf(db, payment)
  const isKeepable = !(await findWallet(db, visitor.userId, paypal.mode))
  const providerOrderId = await paypal.createOrder({ ...charge, isKeepable }).catch((error: unknown) => {
    if (!(error instanceof Unanswered || error instanceof Refused)) throw error
    log.warn('a payment could not be started', { error, payment: payment.id })
    throw AWAY
  })
  await nameAtProvider(db, payment.id, providerOrderId)
  return providerOrderId
}

/** What a provider is asked for: the rest that store credit does not pay. */
export const dueCents = ({ totalCents, creditCents }: OrderRow) => totalCents - creditCents

/** Asks what the shop's own facts say of the purchase. One that they refuse ends, and its cart comes back. */
export async function judgeOrEnd(checkout: Checkout, visitor: Visitor, orderId: string) {
  try {
    await standBefore(checkout, visitor, orderId)
  } catch (error) {
    if (isStopped(error)) await endOrder(checkout.db, orderId, REFUSED_BEFORE)
    throw error
  }
}

export const isPayable = (order: OrderRow) => order.status === 'pending' && !order.isExpired

export async function chargeOf(db: Checkout['db'], payment: Payment): Promise<Charge> {
  const lines = await linesOf(db, payment.orderId)
  return { paymentId: payment.id, amountCents: payment.amountCents, lines }
}

/** Step 3 for the buyer who has approved. Throws 404 for a payment of somebody else. */
export async function capturePayment(
  checkout: Checkout,
  userId: string,
  providerOrderId: string,
): Promise<{ orderId: string; captured: Captured }> {
  const { db } = checkout
  const payment = await findPaymentOf(db, userId, providerOrderId)
  if (!payment) throw new Failure(404, 'Not found')
  return { orderId: payment.orderId, captured: await capture(checkout, payment, { isByBuyer: true }) }
}

/**
 * Step 3: reserve what is scarce and take the lease (transaction A), capture at the provider, settle (transaction B).
 * An answer that never came leaves the payment capturing; the reconciler finds out.
 */
export async function capture(
  checkout: Checkout,
  { id, orderId }: Pick<Payment, 'id' | 'orderId'>,
  { isByBuyer }: { isByBuyer: boolean },
): Promise<Captured> {
  const { db, paypal } = checkout
  const leased = await takeLease(checkout, id, orderId, isByBuyer).catch(async (error: unknown) => {
    if (error === SOLD_OUT) await endOrder(db, orderId, 'sold out')
    if (isStopped(error)) await endOrder(db, orderId, REFUSED_BEFORE)
    throw error
  })
  if (typeof leased === 'string') return leased
  try {
    const told = await paypal.captureOrder(leased.providerOrderId!, id, leased.declines)
    return outcomeOf(await settle(checkout, id, orderId, told, { isAnswer: true }))
  } catch (error) {
    if (error instanceof Refused) return onRefusal(checkout, leased, error.issue)
    if (!(error instanceof Unanswered)) throw error
    log.warn('a capture has no answer yet', { error, payment: id })
    return 'PENDING'
  }
}

export const outcomeOf = (settled: Awaited<ReturnType<typeof settle>>): Captured =>
  settled === 'completed' ? 'COMPLETED' : settled === 'waiting' || settled === 'held' ? 'PENDING' : 'DECLINED'

async function takeLease(
  { db, risk }: Checkout,
  paymentId: string,
  orderId: string,
  isByBuyer: boolean,
): Promise<Captured | Payment> {
  try {
    return await inTransaction(db, async (tx) => {
      const order = (await lockOrder(tx, orderId))!
      const payments = await lockPaymentsOf(tx, orderId)
      const payment = payments.find(({ id }) => id === paymentId)!
      if (payment.status === 'captured') return 'COMPLETED'
      if (payment.isLeased || isTaken(payment)) return 'PENDING'
      if (payment.status === 'declined' && !isByBuyer) return 'DECLINED'
      const isOpen = payment.status === 'created' || payment.status === 'declined' || payment.status === 'capturing'
      // a payment that was under way when its order ran out of time may still be captured by the provider
      if (!isOpen || (order.status !== 'pending' && payment.status !== 'capturing')) throw CLOSED
      if (payment.status !== 'capturing') await risk.admitAgain(tx, order.id, order.userId)
      if (!(await holdCodes(tx, paymentId, await codeLines(tx, orderId)))) throw SOLD_OUT
      await leaseCapture(tx, paymentId)
      await addJob(tx, 'reconcile_payment', { id: paymentId }, { key: `reconcile:${paymentId}`, delaySeconds: 35 })
      return payment
    })
  } catch (error) {
    // another payment of the order is being captured at this moment
    if (codeOf(error) === '23505') return 'PENDING'
    throw error
  }
}

export const codeLines = async (tx: Parameters<typeof linesOf>[0], orderId: string) =>
  (await linesOf(tx, orderId)).filter(({ delivery }) => delivery === 'code')

/** The provider refused the capture: either it had happened already, or nothing was taken. */
export async function onRefusal(checkout: Checkout, payment: Payment, issue: string): Promise<Captured> {
  if (issue === 'ORDER_ALREADY_CAPTURED' || issue === 'DUPLICATE_INVOICE_ID') {
    const told = await readTold(checkout, payment)
    return told ? outcomeOf(await settle(checkout, payment.id, payment.orderId, told, { isAnswer: true })) : 'PENDING'
  }
  if (issue === 'ORDER_COMPLETION_IN_PROGRESS') return 'PENDING'
  if (isGone(issue) && payment.providerOrderId) return onGone(checkout, payment)
  // a refusal does not say whose instrument it was
  const told = issue === 'ORDER_NOT_APPROVED' ? null : await readTold(checkout, payment)
  await inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    if (fresh.status !== 'capturing') return
    if (issue !== 'ORDER_NOT_APPROVED') return decline(tx, checkout.risk, order, fresh, issue, told)
    await releaseCodes(tx, fresh.id)
    await changePayment(tx, fresh.id, { status: 'created', lastError: issue })
  })
  if (issue === 'ORDER_NOT_APPROVED') throw new Failure(409, 'The payment hasn’t been approved yet.', 'not_approved')
  return 'DECLINED'
}

/** The provider knows no such order (any more). */
const isGone = (issue: string) => /^(RESOURCE_NOT_FOUND|INVALID_RESOURCE_ID|ORDER_EXPIRED)$/.test(issue)

/**
 * Its approval has lapsed: nobody was declined, and the order can be paid anew at once. Unless this was not the first try:
 * an earlier one whose answer was lost may have taken the money, and the reconciler finds out.
 */
async function onGone({ db }: Checkout, { id, orderId, status }: Payment): Promise<Captured> {
  if (status === 'capturing') return 'PENDING'
  await inTransaction(db, async (tx) => {
    await lockOrder(tx, orderId)
    const fresh = (await lockPaymentsOf(tx, orderId)).find((payment) => payment.id === id)!
    if (fresh.status !== 'capturing' || isTaken(fresh)) return
    await releaseCodes(tx, id)
    await changePayment(tx, id, { status: 'expired', lastError: 'unknown at the provider' })
  })
  return 'DECLINED'
}

async function readTold({ paypal }: Checkout, payment: Payment): Promise<ProviderOrder | null> {
  try {
    return payment.providerOrderId ? await paypal.readOrder(payment.providerOrderId) : null
  } catch (error) {
    if (error instanceof Unanswered || error instanceof Refused) return null
    throw error
  }
}

export const CANCELED = 'canceled by the buyer'

/** The buyer closed the payment: the order ends and its cart comes back, unless money is moving. */
export async function cancelPayment({ db }: Checkout, userId: string, providerOrderId: string): Promise<string> {
  const payment = await findPaymentByProviderOrder(db, providerOrderId)
  if (!payment) throw new Failure(404, 'Not found')
  return cancelOrder(db, userId, payment.orderId, CANCELED)
}

export async function cancelOrder(
  db: Checkout['db'],
  userId: string,
  orderId: string,
  reason: string,
): Promise<string> {
  const order = await findOrder(db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  await endOrder(db, orderId, reason)
  return orderId
}

/** Ends an order that is not paid; one that has ended already stays as it is. */
async function endOrder(db: Checkout['db'], orderId: string, reason: string) {
  await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    if (order.status === 'failed') return
    if (order.status !== 'pending') throw NOT_WAITING
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => status === 'capturing')) throw UNDER_WAY
    await failOrder(tx, order, payments, reason, 'canceled')
  })
}
