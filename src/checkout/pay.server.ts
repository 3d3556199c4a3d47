import { holdCodes, releaseCodes } from '../delivery/codes.server.ts'
import { codeOf, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { findOrder, linesOf, lockOrder, type OrderRow } from '../orders/orders.server.ts'
import {
  changePayment,
  findPaymentByProviderOrder,
  findPaymentOf,
  findWallet,
  insertPayment,
  isTaken,
  leaseAtOnce,
  leaseCapture,
  lockPaymentsOf,
  nameAtProvider,
  type Payment,
} from '../payments/payments.store.server.ts'
import { type Charge, type ChargedLine, type NextStep, type Outcome, Unanswered } from '../payments/provider.ts'
import type { Visitor } from '../risk/risk.server.ts'
import type { Checkout } from './context.server.ts'
import type { Placed } from './place.server.ts'
import { isStopped, REFUSED_BEFORE, refusalOf } from './risk.server.ts'
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

/** A payment to start, or the judgement of risk that stops it. */
export type Opened = { payment: Payment; lines: ChargedLine[] } | 'refuse' | 'confirm'

/**
 * Step 2, in the transaction that places a new order: risk judges, then the payment's row, whose id is the provider's key.
 * Reuses an open payment: an order never has two.
 */
export async function openPayment(
  tx: Tx,
  { providers, risk }: Checkout,
  visitor: Visitor,
  { orderId, toPay }: Pick<Placed, 'orderId' | 'toPay'>,
): Promise<Opened> {
  // Locked before risk judges: a concurrent lease waits for the verdict. No other transaction sees a new order.
  const known = toPay ? null : await lockPayable(tx, orderId)
  const word = await risk.judgeStart(tx, orderId, visitor)
  if (word !== 'go') return word
  const open = known?.payments.find(
    ({ status, walletId }) =>
      walletId === null && (status === 'creating' || status === 'created' || status === 'declined'),
  )
  const { name: provider, mode } = providers.main
  const amountCents = toPay?.dueCents ?? dueCents(known!.order)
  const payment = open ?? (await insertPayment(tx, { orderId, provider, mode, amountCents }))
  return { payment, lines: toPay?.lines ?? (await linesOf(tx, orderId)) }
}

async function lockPayable(tx: Tx, orderId: string) {
  const order = await lockOrder(tx, orderId)
  if (!isPayable(order)) throw CLOSED
  const payments = await lockPaymentsOf(tx, orderId)
  if (payments.some(({ status }) => status === 'capturing')) throw UNDER_WAY
  return { order, payments }
}

/** Opens the payment at the provider and stores the provider's id. */
export async function startPayment(
  checkout: Checkout,
  visitor: Visitor,
  orderId: string,
  opened: Opened,
): Promise<{ ref: string; next: NextStep }> {
  const { db } = checkout
  if (typeof opened === 'string') throw await stop(db, orderId, opened)
  const { payment, lines } = opened
  const provider = checkout.providers.named(payment.provider)
  const isStarted = payment.providerOrderId !== null
  const charge = { ...payment, lines }
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

/** Lets risk judge a placed order. Throws a 409 Failure that says what to do. */
export async function judgeOrEnd({ db, risk }: Checkout, visitor: Visitor, orderId: string) {
  const word = await inTransaction(db, async (tx) => {
    return isPayable(await lockOrder(tx, orderId)) ? risk.judgeStart(tx, orderId, visitor) : 'go'
  })
  if (word !== 'go') throw await stop(db, orderId, word)
}

/** A refused order fails and returns its cart. */
async function stop(db: Checkout['db'], orderId: string, word: 'refuse' | 'confirm'): Promise<Failure> {
  if (word === 'refuse') await endOrder(db, orderId, REFUSED_BEFORE)
  return refusalOf(word, orderId)
}

export const isPayable = (order: OrderRow | undefined): order is OrderRow =>
  order?.status === 'pending' && !order.isExpired

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
  const leased = await leaseAtOnce(db, userId, providerOrderId)
  if (leased) return { orderId: leased.orderId, captured: await captureLeased(checkout, leased) }
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
  return typeof leased === 'string' ? leased : captureLeased(checkout, leased)
}

/** `leased` is the payment as it was before the lease. */
async function captureLeased(checkout: Checkout, leased: Payment): Promise<CaptureStatus> {
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
