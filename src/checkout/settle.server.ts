import type { ReasonCode } from '../orders/states.rules.ts'
import { returnToCart, takeFromCart } from '../cart/cart.store.server.ts'
import { claimAgain, isDiscounted, returnUses } from '../cart/discounts/discount.store.server.ts'
import { releaseGoods, reserveGoods } from '../delivery/kinds.server.ts'
import { inTransaction, together, type Tx } from '../kit/database.server.ts'
import { log } from '../kit/log/log.server.ts'
import {
  changeMethod,
  changeOrder,
  linesOf,
  lockOrder,
  type OrderLineRow,
  type OrderRow,
  postponeOrder,
} from '../orders/orders.store.server.ts'
import { earnBonus } from '../payments/bonus.server.ts'
import { holdCredit, returnCredit } from '../payments/credit.server.ts'
import { saveWallet } from '../payments/wallets.store.server.ts'
import {
  changePayment,
  endReview,
  isOpen,
  isTaken,
  keepTaken,
  lockPaymentsOf,
  type Payment,
} from '../payments/payments.store.server.ts'
import type { Captured, Declined, Outcome } from '../payments/outcome.ts'
import { insertRefund } from '../payments/refunds.store.server.ts'
import { holdUnused } from '../payments/refunds/unusedMoney.store.server.ts'
import type { Risk } from '../risk/risk.server.ts'
import type { Checkout } from './context.server.ts'
import { complete } from './complete.server.ts'
import { judge } from './judge.rules.ts'
import { notifyHeld, notifyReady } from './receipt.server.ts'
import { required } from '../kit/values/required.ts'

export type Settled = 'completed' | 'waiting' | 'held' | 'declined' | 'refunding' | 'returned' | 'lapsed' | 'busy'

/** Thrown to roll back the transaction. */
const BUSY = new Error('another payment of the order is being captured')

/**
 * Step 4: the only place that turns money into goods. The capture's reply (`isAnswer`), the webhook's job and the
 * reconciler call it in any order and repeatedly. 'busy': nothing was written, because another payment of the order is
 * being captured; the caller retries.
 */
export async function settle(
  checkout: Checkout,
  paymentId: string,
  orderId: string,
  outcome: Outcome,
  { isAnswer = false } = {},
): Promise<Settled> {
  try {
    return await inTransaction(checkout.db, (tx) => settleIn(tx, checkout, { paymentId, orderId, outcome, isAnswer }))
  } catch (error) {
    if (error !== BUSY) throw error
    log.info('money of a payment waits for another payment of its order', { payment: paymentId })
    return 'busy'
  }
}

type Settling = { paymentId: string; orderId: string; outcome: Outcome; isAnswer: boolean }

type Locked = { order: OrderRow; payment: Payment; payments: Payment[]; lines: OrderLineRow[] }

async function settleIn(tx: Tx, checkout: Checkout, settling: Settling): Promise<Settled> {
  const { paymentId, orderId, outcome, isAnswer } = settling
  const [locked, payments, lines] = await together([
    lockOrder(tx, orderId),
    lockPaymentsOf(tx, orderId),
    linesOf(tx, orderId),
  ])
  const order = locked!
  const payment = required(
    payments.find(({ id }) => id === paymentId),
    'the payment',
  )
  const verdict = judge(payment, outcome, isAnswer)
  if (verdict.kind === 'settled') return payment.status === 'mismatched' ? 'refunding' : 'completed'
  // with the provider's id, later steps can query the payment
  if (payment.providerOrderId === null && 'ref' in outcome && outcome.ref)
    await changePayment(tx, payment.id, { providerOrderId: outcome.ref })
  switch (verdict.kind) {
    case 'waiting':
      await wait(tx, payment, settling)
      return 'waiting'
    case 'lapsed':
      await lapse(tx, order, payments, payment)
      return 'lapsed'
    case 'declined':
      await decline(tx, checkout.risk, order, payment, verdict.outcome)
      return 'declined'
    case 'returned':
      await endReturned(tx, checkout.risk, order, payment)
      return 'returned'
    case 'mismatched':
      await refuseMoney(tx, order, payment, verdict.outcome, { code: 'amount_mismatch', reason: verdict.reason })
      return 'refunding'
    case 'paid':
      return settleTaken(tx, checkout, { order, payment, payments, lines }, verdict.outcome)
  }
}

async function wait(tx: Tx, payment: Payment, { outcome, isAnswer }: Settling) {
  const isFree = !payment.isLeased || isAnswer
  if (outcome.kind === 'asked' && payment.status === 'capturing' && isFree && !isTaken(payment))
    await awaitBank(tx, payment)
}

/** Handles a correct amount: completes or holds the order, or refunds the money. */
async function settleTaken(tx: Tx, checkout: Checkout, locked: Locked, taken: Captured): Promise<Settled> {
  const { order, payment, payments, lines } = locked
  const refuse = async (code: ReasonCode, reason: string) => {
    await refuseMoney(tx, order, payment, taken, { code, reason })
    return 'refunding' as const
  }
  const refusal = await whyNotDeliverable(tx, order, payments, payment, lines)
  if (refusal) return refuse('payment_unusable', refusal)
  const bought = { orderId: order.id, userId: order.userId, paymentId: payment.id, payer: taken.payer }
  const verdict = await checkout.risk.evaluatePaid(tx, { ...bought, isLate: order.status !== 'pending' })
  if (verdict === 'refuse') return refuse('risk_refused_paid', 'the payment was not accepted and is given back')
  if (verdict !== 'go' && verdict.paymentId !== payment.id) return refuse('payment_unusable', PAID_TWICE)
  // an order has one captured payment
  if (payments.some(({ id, status }) => id !== payment.id && status === 'capturing')) throw BUSY
  if (verdict !== 'go') {
    // the goods stay reserved until the decision
    await postponeOrder(tx, order, verdict.until)
    await keepTaken(tx, payment, taken.captureRef)
    await notifyHeld(tx, checkout, order, verdict.until)
    return 'held'
  }
  const spent = await claimReturned(tx, order, lines)
  if (spent) return refuse('payment_unusable', spent)
  await deliver(tx, checkout, locked, taken)
  return 'completed'
}

/** Claims the discounts and credit that a failed order returned. Runs last, so that a refusal does not spend them. */
async function claimReturned(tx: Tx, order: OrderRow, lines: OrderLineRow[]): Promise<string | null> {
  if (order.status !== 'failed') return null
  const hasDiscount = lines.some(isDiscounted)
  if (hasDiscount && !(await claimAgain(tx, order))) return 'the discount code is used up'
  if (order.creditCents === 0 || (await holdCredit(tx, order))) return null
  if (hasDiscount) await returnUses(tx, order.id, { isFromCart: false })
  return 'the store credit is spent'
}

async function deliver(tx: Tx, checkout: Checkout, locked: Locked, taken: Captured) {
  const { order, payment, payments, lines } = locked
  await endOpen(
    tx,
    payments.filter(({ id }) => id !== payment.id),
    'expired',
  )
  if (taken.saved && !payment.walletId) {
    const { token: vaultId, label } = taken.saved
    const { provider, mode } = payment
    await saveWallet(tx, { userId: order.userId, provider, mode, vaultId, label })
  }
  // the money arrived for a method that the buyer had replaced
  if (order.paymentMethod !== payment.provider) await changeMethod(tx, order.id, payment.provider)
  await complete(tx, checkout, order, payment, lines, {
    captureId: taken.captureRef,
    card: taken.card,
    moneyCents: payment.amountCents,
  })
  // the failed order had restored its cart
  if (order.status === 'failed' && order.source === 'cart') await takeFromCart(tx, order.userId, lines)
  const payerId = taken.payer.id ?? taken.saved?.token ?? null
  const identifiesPayer = checkout.providers.list.some((one) => one.name === payment.provider && one.identifiesPayer)
  const earning = { order, lines, payment, payerId, identifiesPayer }
  const earnedCents = await earnBonus(tx, checkout.config.bonus, earning)
  await notifyReady(tx, checkout, order, lines, earnedCents)
}

/** Ends a try without money. A pending order waits for another method, unless risk held it. */
async function decline(
  tx: Tx,
  risk: Risk,
  order: OrderRow,
  payment: Payment,
  { captureRef, reason, canRetry, payer }: Declined,
) {
  if (!isOpen(payment) && payment.status !== 'capturing') return
  if (payment.status === 'capturing') await risk.noteDecline(tx, { userId: order.userId, paymentId: payment.id, payer })
  const isHeld = isTaken(payment)
  await releaseGoods(tx, payment.id)
  await endReview(tx, payment)
  const status = order.status === 'pending' && canRetry && !isHeld ? 'declined' : 'failed'
  const { declinedCaptures: before } = payment
  const isNew = captureRef !== null && !before.includes(captureRef)
  const declines = payment.declines + (payment.status === 'declined' ? 0 : 1)
  const declinedCaptures = isNew ? [...before, captureRef] : before
  const providerCaptureId = null
  await changePayment(tx, payment.id, { status, providerCaptureId, lastError: reason, declines, declinedCaptures })
  if (!isHeld) return
  // an order can have only one review, so the buyer must place a new order
  await risk.endHold(tx, order.id, payment.id)
  await failUnlessPaying(tx, order, payment, 'declined')
}

/** The bank requires a confirmation of a saved method. The payment stays open, like one on the provider's page. */
async function awaitBank(tx: Tx, payment: Payment) {
  await releaseGoods(tx, payment.id)
  await changePayment(tx, payment.id, { status: 'created', lastError: 'the bank asks the buyer to confirm' })
}

/** Ends an expired approval. It is no decline, so a pending order can be paid again at once. */
async function lapse(tx: Tx, order: OrderRow, payments: Payment[], payment: Payment) {
  if (!['created', 'declined', 'capturing'].includes(payment.status)) return
  await releaseGoods(tx, payment.id)
  await endReview(tx, payment)
  await changePayment(tx, payment.id, { status: 'expired', lastError: 'unknown at the provider' })
  const others = payments.filter(({ id }) => id !== payment.id)
  if (order.status === 'pending' && order.isExpired) await failOrder(tx, order, others, 'expired', 'expired')
}

/** Ends a payment that the provider returned before settlement. There is nothing to deliver, refund or review. */
async function endReturned(tx: Tx, risk: Risk, order: OrderRow, payment: Payment) {
  if (!isOpen(payment) && payment.status !== 'capturing') return
  await releaseGoods(tx, payment.id)
  await endReview(tx, payment)
  await changePayment(tx, payment.id, { status: 'expired', lastError: 'refunded at the payment provider' })
  await risk.endHold(tx, order.id, payment.id)
  await failUnlessPaying(tx, order, payment, 'refunded_at_provider')
}

/** Fails a pending order and restores its discounts, credit and cart. Its open payments get the status `ending`. */
export async function failOrder(
  tx: Tx,
  order: OrderRow,
  payments: Payment[],
  code: ReasonCode,
  ending: 'canceled' | 'expired' | 'failed',
) {
  await endOpen(tx, payments, ending)
  await changeOrder(tx, order, 'failed', code)
  const lines = await linesOf(tx, order.id)
  const isFromCart = order.source === 'cart'
  if (isFromCart) await returnToCart(tx, order.userId, lines)
  if (lines.some(isDiscounted)) await returnUses(tx, order.id, { isFromCart })
  await returnCredit(tx, order)
}

async function endOpen(tx: Tx, payments: Payment[], status: 'canceled' | 'expired' | 'failed') {
  for (const { id } of payments.filter(isOpen)) {
    await releaseGoods(tx, id)
    await changePayment(tx, id, { status })
  }
}

const PAID_TWICE = 'the order was paid twice'

/** Returns why captured money cannot buy the goods, or null. A late capture completes a failed order if possible. */
async function whyNotDeliverable(
  tx: Tx,
  order: OrderRow,
  payments: Payment[],
  payment: Payment,
  lines: OrderLineRow[],
): Promise<string | null> {
  const isPaidTwice = payments.some(
    ({ id, status }) =>
      id !== payment.id && (status === 'captured' || status === 'refunded' || status === 'part_refunded'),
  )
  if (isPaidTwice) return PAID_TWICE
  if (order.status !== 'pending' && order.status !== 'failed') return `the order is ${order.status}`
  const isReserved = await reserveGoods(tx, payment.id, lines)
  return isReserved ? null : 'the goods are sold out'
}

type Refusal = { code: ReasonCode; reason: string }
/** Records money that the shop must not keep, refunds it and ends the order. */
async function refuseMoney(tx: Tx, order: OrderRow, payment: Payment, taken: Captured, { code, reason }: Refusal) {
  log.error('captured money is being refunded', { payment: payment.id, order: order.id, reason })
  await releaseGoods(tx, payment.id)
  await endReview(tx, payment)
  await changePayment(tx, payment.id, { status: 'mismatched', providerCaptureId: taken.captureRef, lastError: reason })
  await holdUnused(tx, payment, taken)
  await insertRefund(tx, { paymentId: payment.id, amountCents: taken.amountCents, reason })
  // the buyer must see that money was taken
  if (order.status === 'failed') await changeOrder(tx, order, 'failed', code)
  else await failUnlessPaying(tx, order, payment, code)
}

/** Fails the order of an ended payment, unless another of its payments is being captured. */
async function failUnlessPaying(tx: Tx, order: OrderRow, payment: Payment, code: ReasonCode) {
  if (order.status !== 'pending') return
  const others = (await lockPaymentsOf(tx, order.id)).filter(({ id }) => id !== payment.id)
  if (others.some(({ status }) => status === 'capturing')) return
  await failOrder(tx, order, others, code, 'failed')
}
