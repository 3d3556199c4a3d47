import type { ReasonCode } from '../orders/states.rules.ts'
import { releaseGoods, reserveGoods } from '../delivery/kinds.server.ts'
import { codeOf, inTransaction, type Tx } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { changeMethod, findOrder, linesOf, lockOrder, type OrderRow } from '../orders/orders.store.server.ts'
import { findWallet } from '../payments/wallets.store.server.ts'
import {
  changePayment,
  findPayment,
  findPaymentOf,
  hasEnded,
  insertPayment,
  isOpen,
  isTaken,
  leaseAtOnce,
  leaseCapture,
  lockPaymentsOf,
  nameAtProvider,
  type Payment,
} from '../payments/payments.store.server.ts'
import { type Charge, type ChargedLine, type NextStep, type Outcome, Unanswered } from '../payments/outcome.ts'
import type { Provider } from '../payments/provider.ts'
import type { Visitor } from '../risk/risk.server.ts'
import { closeLate, closeOpen, closePayment, REPLACED, rivals, UNDER_WAY } from './close.server.ts'
import type { Checkout } from './context.server.ts'
import type { Placed } from './place.server.ts'
import { isStopped, refusalOf } from './risk.server.ts'
import { failOrder, settle } from './settle.server.ts'
import { required } from '../kit/values/required.ts'

export type CaptureStatus = 'COMPLETED' | 'PENDING' | 'DECLINED'

export const CLOSED = new Failure(409, 'This order can no longer be paid.', 'order_closed')
const NOT_WAITING = new Failure(409, 'This order is not waiting for its payment any more.', 'order_closed')
/** The payment ended while it was being started. */
export const ENDED_MEANWHILE = new Failure(
  409,
  'This payment was canceled or replaced meanwhile. Nothing was charged.',
  'payment_replaced',
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

/** The payment to start, or the verdict of risk that stops it. */
export type Opened = { payment: Payment; lines: ChargedLine[] } | 'refuse' | 'confirm'

type Opening = Pick<Placed, 'orderId'> & { method: Provider }

/** Step 2 in the placing transaction: evaluates risk, then inserts the payment, whose id is the idempotency key. */
export async function openNew(
  tx: Tx,
  { risk }: Checkout,
  visitor: Visitor,
  { orderId, toPay, method: { name: provider, mode } }: Opening & Pick<Placed, 'toPay'>,
): Promise<Opened> {
  const word = await risk.evaluateStart(tx, orderId, visitor)
  if (word !== 'go') return word
  const { dueCents: amountCents, lines } = required(toPay, 'the payment of the order')
  return { payment: await insertPayment(tx, { orderId, provider, mode, amountCents }), lines }
}

/** Step 2 for an earlier order: reuses an open payment of the method, or returns the payments to close first. */
async function openAgain(
  tx: Tx,
  checkout: Checkout,
  visitor: Visitor,
  { orderId, method }: Opening,
): Promise<Opened | { closing: Payment[] }> {
  // lock before the risk evaluation, so that a concurrent lease waits for its verdict
  const { order, payments } = await lockPayable(tx, orderId)
  const closing = rivals(checkout, payments, method)
  if (closing.length > 0) return { closing }
  const word = await checkout.risk.evaluateStart(tx, orderId, visitor)
  if (word !== 'go') return word
  const { name: provider, mode } = method
  if (order.paymentMethod !== provider) await changeMethod(tx, orderId, provider)
  const open = payments.find((payment) => payment.walletId === null && isOpen(payment))
  const payment = open ?? (await insertPayment(tx, { orderId, provider, mode, amountCents: dueCents(order) }))
  return { payment, lines: await linesOf(tx, orderId) }
}

const MAX_ROUNDS = 4

export async function openOrSwitch(checkout: Checkout, visitor: Visitor, opening: Opening): Promise<Opened> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const opened = await inTransaction(checkout.db, (tx) => openAgain(tx, checkout, visitor, opening))
    if (typeof opened === 'string' || !('closing' in opened)) return opened
    for (const payment of opened.closing) await closePayment(checkout, payment)
  }
  throw UNDER_WAY
}

async function lockPayable(tx: Tx, orderId: string) {
  const order = await lockOrder(tx, orderId)
  if (!isPayable(order)) throw CLOSED
  const payments = await lockPaymentsOf(tx, orderId)
  if (payments.some(({ status }) => status === 'capturing')) throw UNDER_WAY
  return { order, payments }
}

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
  const isKeepable = !isStarted && provider.saved !== undefined && !(await findWallet(db, visitor.userId, provider))
  const started = await provider.start({ ...charge, isKeepable }).catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error
    log.warn('a payment could not be started', { error, payment: payment.id })
    throw AWAY
  })
  const fresh = isStarted ? await findPayment(db, payment.id) : await nameAtProvider(db, payment.id, started.ref)
  if (!hasEnded(required(fresh, 'the payment'))) return started
  await closeLate(checkout, required(fresh, 'the payment'))
  throw ENDED_MEANWHILE
}

export const dueCents = ({ totalCents, creditCents }: OrderRow) => totalCents - creditCents

export async function evaluateOrEnd({ db, risk }: Checkout, visitor: Visitor, orderId: string) {
  const word = await inTransaction(db, async (tx) => {
    return isPayable(await lockOrder(tx, orderId)) ? risk.evaluateStart(tx, orderId, visitor) : 'go'
  })
  if (word !== 'go') throw await stop(db, orderId, word)
}

/** Fails a refused order and restores its cart. */
async function stop(db: Checkout['db'], orderId: string, word: 'refuse' | 'confirm'): Promise<Failure> {
  if (word === 'refuse') await endOrder(db, orderId, 'risk_refused')
  return refusalOf(word, orderId)
}

export const isPayable = (order: OrderRow | undefined): order is OrderRow =>
  order?.status === 'pending' && !order.isExpired

export async function chargeOf(db: Checkout['db'], payment: Payment): Promise<Charge> {
  return { ...payment, lines: await linesOf(db, payment.orderId) }
}

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

/** Step 3: reserve goods and lease (A), capture, settle (B). After a lost reply, the reconciler continues. */
export async function capture(
  checkout: Checkout,
  { id, orderId }: Pick<Payment, 'id' | 'orderId'>,
  { isByBuyer }: { isByBuyer: boolean },
): Promise<CaptureStatus> {
  const { db } = checkout
  const leased = await takeLease(checkout, id, orderId, isByBuyer).catch(async (error: unknown) => {
    if (error === SOLD_OUT) await endOrder(db, orderId, 'sold_out')
    if (isStopped(error)) await endOrder(db, orderId, 'risk_refused')
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
  // an earlier request with a lost reply may have captured the money; the reconciler checks
  if (outcome.kind === 'gone' && leased.status === 'capturing') return 'PENDING'
  return settleAnswer(checkout, leased, outcome)
}

export async function settleAnswer(checkout: Checkout, payment: Payment, outcome: Outcome): Promise<CaptureStatus> {
  if (outcome.kind === 'unknown') {
    log.warn('a payment has no answer yet', { payment: payment.id, why: outcome.why })
    return 'PENDING'
  }
  const settled = await settle(checkout, payment.id, payment.orderId, outcome, { isAnswer: true })
  if (settled === 'completed') return 'COMPLETED'
  return settled === 'waiting' || settled === 'held' || settled === 'busy' ? 'PENDING' : 'DECLINED'
}

/** Reopens an unapproved payment. No request was sent that could move money. */
const reopen = ({ db }: Checkout, { id, orderId }: Payment) =>
  inTransaction(db, async (tx) => {
    await lockOrder(tx, orderId)
    const fresh = required(
      (await lockPaymentsOf(tx, orderId)).find((payment) => payment.id === id),
      'the payment',
    )
    if (fresh.status !== 'capturing') return
    await releaseGoods(tx, id)
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
      const order = required(await lockOrder(tx, orderId), 'the order')
      const payments = await lockPaymentsOf(tx, orderId)
      const payment = required(
        payments.find(({ id }) => id === paymentId),
        'the payment',
      )
      if (payment.status === 'captured') return 'COMPLETED'
      if (payment.isLeased || isTaken(payment)) return 'PENDING'
      if (payment.status === 'declined' && !isByBuyer) return 'DECLINED'
      const canLease = ['created', 'declined', 'capturing'].includes(payment.status)
      // the provider may still capture a payment whose order expired during the capture
      if (!canLease || (order.status !== 'pending' && payment.status !== 'capturing')) throw CLOSED
      if (payment.status !== 'capturing') await risk.admitAgain(tx, order.id, order.userId)
      if (!(await reserveGoods(tx, paymentId, await linesOf(tx, orderId)))) throw SOLD_OUT
      await leaseCapture(tx, paymentId)
      return payment
    })
  } catch (error) {
    // another payment of the order is being captured
    if (codeOf(error) === '23505') return 'PENDING'
    throw error
  }
}

/** Cancels the order after its window was closed, unless money is moving or another method replaced the payment. */
export async function cancelPayment(checkout: Checkout, userId: string, providerOrderId: string): Promise<string> {
  const payment = await findPaymentOf(checkout.db, userId, providerOrderId)
  if (!payment) throw new Failure(404, 'Not found')
  const isReplaced =
    payment.lastError === REPLACED && (await findOrder(checkout.db, payment.orderId))?.userId === userId
  return isReplaced ? payment.orderId : cancelOrder(checkout, userId, payment.orderId, 'canceled_by_buyer')
}

export async function cancelOrder(
  checkout: Checkout,
  userId: string,
  orderId: string,
  code: ReasonCode,
): Promise<string> {
  const order = await findOrder(checkout.db, orderId)
  if (order?.userId !== userId) throw new Failure(404, 'Not found')
  if (order.status === 'pending') await closeOpen(checkout, orderId)
  await endOrder(checkout.db, orderId, code)
  return orderId
}

async function endOrder(db: Checkout['db'], orderId: string, code: ReasonCode) {
  await inTransaction(db, async (tx) => {
    const order = required(await lockOrder(tx, orderId), 'the order')
    if (order.status === 'failed') return
    if (order.status !== 'pending') throw NOT_WAITING
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => status === 'capturing')) throw UNDER_WAY
    await failOrder(tx, order, payments, code, 'canceled')
  })
}
