import { holdCodes, releaseCodes } from '../delivery/codes.server.ts'
import { codeOf, inTransaction } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { addJob } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { findOrder, linesOf, lockOrder, type OrderRow } from '../orders/orders.server.ts'
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
import { type Charge, type NextStep, type Outcome, Unanswered } from '../payments/provider.ts'
import type { Visitor } from '../risk/risk.server.ts'
import type { Checkout } from './context.server.ts'
import { isStopped, judgeBefore, REFUSED_BEFORE } from './risk.server.ts'
import { failOrder, settle } from './settle.server.ts'

// Steps 2 and 3 of the money flow. No HTTP while a transaction is open; lock order: order, payment, codes.

/** The answer to the browser's capture. */
export type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED'

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
const NOT_APPROVED = new Failure(409, 'The payment hasn’t been approved yet.', 'not_approved')
export const SOLD_OUT = new Failure(
  409,
  'A product in this order has just sold out. Nothing was charged.',
  'out_of_stock',
)

/** Step 2: the payment row first; its id is the provider's key. Reuses an open payment: an order never has two. */
export async function startPayment(
  checkout: Checkout,
  visitor: Visitor,
  orderId: string,
): Promise<{ ref: string; next: NextStep }> {
  const { db } = checkout
  const { main } = checkout.providers
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
    const terms = { orderId, provider: main.name, mode: main.mode, amountCents: dueCents(order) }
    return open ?? insertPayment(tx, terms)
  })
  const provider = checkout.providers.named(payment.provider)
  const isStarted = payment.providerOrderId !== null
  const charge = isStarted ? { ...payment, lines: [] } : await chargeOf(db, payment)
  const isKeepable = !isStarted && !(await findWallet(db, visitor.userId, provider.mode))
  const started = await provider.start({ ...charge, isKeepable }).catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error
    log.warn('a payment could not be started', { error, payment: payment.id })
    throw AWAY
  })
  if (!isStarted) await nameAtProvider(db, payment.id, started.ref)
  return started
}

/** The part that store credit does not pay. */
export const dueCents = ({ totalCents, creditCents }: OrderRow) => totalCents - creditCents

/** Lets risk judge the purchase. A refused order fails and returns its cart. */
export async function judgeOrEnd(checkout: Checkout, visitor: Visitor, orderId: string) {
  try {
    await judgeBefore(checkout, visitor, orderId)
  } catch (error) {
    if (isStopped(error)) await endOrder(checkout.db, orderId, REFUSED_BEFORE)
    throw error
  }
}

export const isPayable = (order: OrderRow) => order.status === 'pending' && !order.isExpired

export async function chargeOf(db: Checkout['db'], payment: Payment): Promise<Charge> {
  return { ...payment, lines: await linesOf(db, payment.orderId) }
}

/** Step 3 for the buyer who approved. Throws 404 for another buyer's payment. */
export async function capturePayment(
  checkout: Checkout,
  userId: string,
  providerOrderId: string,
): Promise<{ orderId: string; captured: CaptureStatus }> {
  const { db } = checkout
  const payment = await findPaymentOf(db, userId, providerOrderId)
  if (!payment) throw new Failure(404, 'Not found')
  return { orderId: payment.orderId, captured: await capture(checkout, payment, { isByBuyer: true }) }
}

/** Step 3: hold codes and lease (A), capture, settle (B). A lost answer leaves it capturing for the reconciler. */
export async function capture(
  checkout: Checkout,
  { id, orderId }: Pick<Payment, 'id' | 'orderId'>,
  { isByBuyer }: { isByBuyer: boolean },
): Promise<CaptureStatus> {
  const { db } = checkout
  const leased = await takeLease(checkout, id, orderId, isByBuyer).catch(async (error: unknown) => {
    if (error === SOLD_OUT) await endOrder(db, orderId, 'sold out')
    if (isStopped(error)) await endOrder(db, orderId, REFUSED_BEFORE)
    throw error
  })
  if (typeof leased === 'string') return leased
  const outcome = await checkout.providers.named(leased.provider).capture(leased)
  if (outcome.kind === 'waiting') {
    await reopen(checkout, leased)
    throw NOT_APPROVED
  }
  // an earlier request whose answer was lost may have taken the money; the reconciler finds out
  if (outcome.kind === 'gone' && leased.status === 'capturing') return 'PENDING'
  return settleAnswer(checkout, leased, outcome)
}

/** Settles with the answer to the shop's own request. */
export async function settleAnswer(checkout: Checkout, payment: Payment, outcome: Outcome): Promise<CaptureStatus> {
  if (outcome.kind === 'unknown') {
    log.warn('a payment has no answer yet', { payment: payment.id, why: outcome.why })
    return 'PENDING'
  }
  const settled = await settle(checkout, payment.id, payment.orderId, outcome, { isAnswer: true })
  return settled === 'completed' ? 'COMPLETED' : settled === 'waiting' || settled === 'held' ? 'PENDING' : 'DECLINED'
}

/** The buyer has not approved: nothing was sent that could take money. */
const reopen = ({ db }: Checkout, { id, orderId }: Payment) =>
  inTransaction(db, async (tx) => {
    await lockOrder(tx, orderId)
    const fresh = (await lockPaymentsOf(tx, orderId)).find((payment) => payment.id === id)!
    if (fresh.status !== 'capturing') return
    await releaseCodes(tx, id)
    await changePayment(tx, id, { status: 'created', lastError: 'not approved' })
  })

async function takeLease(
  { db, risk }: Checkout,
  paymentId: string,
  orderId: string,
  isByBuyer: boolean,
): Promise<CaptureStatus | Payment> {
  try {
    return await inTransaction(db, async (tx) => {
      const order = (await lockOrder(tx, orderId))!
      const payments = await lockPaymentsOf(tx, orderId)
      const payment = payments.find(({ id }) => id === paymentId)!
      if (payment.status === 'captured') return 'COMPLETED'
      if (payment.isLeased || isTaken(payment)) return 'PENDING'
      if (payment.status === 'declined' && !isByBuyer) return 'DECLINED'
      const isOpen = payment.status === 'created' || payment.status === 'declined' || payment.status === 'capturing'
      // the provider may still capture a payment that was under way when its order expired
      if (!isOpen || (order.status !== 'pending' && payment.status !== 'capturing')) throw CLOSED
      if (payment.status !== 'capturing') await risk.admitAgain(tx, order.id, order.userId)
      if (!(await holdCodes(tx, paymentId, await codeLines(tx, orderId)))) throw SOLD_OUT
      await leaseCapture(tx, paymentId)
      await addJob(tx, 'reconcile_payment', { id: paymentId }, { key: `reconcile:${paymentId}`, delaySeconds: 35 })
      return payment
    })
  } catch (error) {
    // another payment of the order is being captured
    if (codeOf(error) === '23505') return 'PENDING'
    throw error
  }
}

export const codeLines = async (tx: Parameters<typeof linesOf>[0], orderId: string) =>
  (await linesOf(tx, orderId)).filter(({ delivery }) => delivery === 'code')

export const CANCELED = 'canceled by the buyer'

/** The buyer closed the payment: the order fails and returns its cart, unless money is moving. */
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

/** Fails an unpaid order. Does nothing if it has failed. */
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
