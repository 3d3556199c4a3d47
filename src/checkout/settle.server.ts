import { returnToCart } from '../cart/cart.server.ts'
import { holdCodes, releaseCodes, sellHeldCodes } from '../delivery/codes.server.ts'
import { entitle } from '../delivery/entitlements.server.ts'
import { inTransaction, type Tx } from '../kit/database.server.ts'
import { log } from '../kit/log/log.server.ts'
import {
  changeOrder,
  linesOf,
  lockOrder,
  type OrderLineRow,
  type OrderRow,
  postponeOrder,
} from '../orders/orders.server.ts'
import { earnBonus } from '../payments/bonus.server.ts'
import { isDeclined, judgeCapture, type ProviderCapture, type ProviderOrder } from '../payments/capture.rules.ts'
import { HELD, holdCredit, returnCredit } from '../payments/credit.server.ts'
import {
  changePayment,
  keepTaken,
  lockPaymentsOf,
  type Payment,
  providerAccount,
  recordTransfer,
  saveWallet,
  sellerAccount,
} from '../payments/payments.store.server.ts'
import { insertRefund } from '../payments/refunds.store.server.ts'
import type { Risk } from '../risk/risk.server.ts'
import type { Checkout } from './checkout.server.ts'
import { tellHeld, tellReady } from './receipt.server.ts'
import { GIVEN_BACK, payerOf, REFUSED_AFTER } from './risk.server.ts'

export type Settled = 'completed' | 'waiting' | 'held' | 'declined' | 'refunding' | 'givenBack'

/**
 * Step 4: the only place where money becomes goods. Called with what the provider says by the capture's answer, the
 * webhook's job and the reconciler, in any order and as often as they like. While a capture is under way only its own
 * answer (`isAnswer`) ends it as declined: news that comes meanwhile may be of an earlier try.
 */
export function settle(
  checkout: Checkout,
  paymentId: string,
  orderId: string,
  told: ProviderOrder,
  { isAnswer = false } = {},
): Promise<Settled> {
  return inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    const payments = await lockPaymentsOf(tx, orderId)
    const payment = payments.find(({ id }) => id === paymentId)!
    const verdict = judgeCapture(payment, told)
    if (verdict.kind === 'settled') return payment.status === 'mismatched' ? 'refunding' : 'completed'
    // whatever was said, from here on the provider can be asked by its own id
    if (payment.providerOrderId === null) await changePayment(tx, payment.id, { providerOrderId: told.id })
    if (verdict.kind === 'waiting') return 'waiting'
    if (verdict.kind === 'declined') {
      if (payment.isLeased && !isAnswer) return 'waiting'
      await decline(tx, checkout.risk, order, payment, verdict.reason, told)
      return 'declined'
    }
    if (verdict.kind === 'givenBack') {
      await endGivenBack(tx, checkout.risk, order, payment)
      return 'givenBack'
    }
    if (verdict.kind === 'mismatched') {
      await refuseMoney(tx, order, payment, verdict.capture, verdict.reason)
      return 'refunding'
    }
    const lines = await linesOf(tx, order.id)
    const refusal = await whyNotDeliverable(tx, order, payments, payment, lines)
    if (refusal) {
      await refuseMoney(tx, order, payment, verdict.capture, refusal)
      return 'refunding'
    }
    const bought = { orderId: order.id, userId: order.userId, paymentId: payment.id, payer: payerOf(told) }
    const word = await checkout.risk.judgePaid(tx, { ...bought, isLate: order.status !== 'pending' })
    if (word === 'refuse') {
      await refuseMoney(tx, order, payment, verdict.capture, REFUSED_AFTER)
      return 'refunding'
    }
    if (word !== 'go' && word.paymentId !== payment.id) {
      await refuseMoney(tx, order, payment, verdict.capture, PAID_TWICE)
      return 'refunding'
    }
    if (word !== 'go') {
      // the money is there and the codes stay held; the goods wait, and so does everything else about the order
      await postponeOrder(tx, order, word.until)
      await keepTaken(tx, payment.id, verdict.capture.id)
      await tellHeld(tx, checkout, order, word.until)
      return 'held'
    }
    // when the order failed its credit was given back, and may be spent by now; last, so that no refusal keeps it
    if (order.status === 'failed' && order.creditCents > 0 && !(await holdCredit(tx, order))) {
      await refuseMoney(tx, order, payment, verdict.capture, 'the store credit is spent')
      return 'refunding'
    }
    await closeOthers(tx, payments, payment)
    if (told.vaultId && !payment.walletId) {
      const label = told.payerEmail ?? 'PayPal'
      await saveWallet(tx, {
        userId: order.userId,
        provider: payment.provider,
        mode: payment.mode,
        vaultId: told.vaultId,
        label,
      })
    }
    await complete(tx, order, payment, lines, { captureId: verdict.capture.id, moneyCents: payment.amountCents })
    const earnedCents = await earnBonus(tx, checkout.config.bonus, { order, lines, payment, payer: told })
    await tellReady(tx, checkout, order, lines, earnedCents)
    return 'completed'
  })
}

/** Money, credit or both become goods: payment, books, codes, access and the order's status. */
export async function complete(
  tx: Tx,
  order: OrderRow,
  payment: Payment,
  lines: OrderLineRow[],
  { captureId, moneyCents }: { captureId: string; moneyCents: number },
) {
  await changePayment(tx, payment.id, { status: 'captured', providerCaptureId: captureId, lastError: null })
  const paid = [
    { account: providerAccount(payment), amountCents: moneyCents },
    { account: HELD, amountCents: order.creditCents },
  ]
  await recordTransfer(tx, payment.id, [
    ...paid.filter(({ amountCents }) => amountCents !== 0),
    ...owedTo(lines).map(({ sellerId, cents }) => ({ account: sellerAccount(sellerId), amountCents: -cents })),
  ])
  if (lines.some(isCode)) await sellHeldCodes(tx, payment.id)
  await entitle(tx, order.userId, lines)
  await changeOrder(tx, order, 'completed', 'paid', { paymentId: captureId })
}

/**
 * The instrument was refused: nothing was taken. An order that is still open waits for another. Only what follows a try of
 * our own is a try of the buyer's; what is read of it again later is not.
 */
export async function decline(
  tx: Tx,
  risk: Risk,
  order: OrderRow,
  payment: Payment,
  reason: string,
  told: ProviderOrder | null,
) {
  if (!OPEN.has(payment.status) && payment.status !== 'capturing') return
  if (payment.status === 'capturing')
    await risk.noteDecline(tx, { userId: order.userId, paymentId: payment.id, payer: payerOf(told) })
  await releaseCodes(tx, payment.id)
  const status = order.status === 'pending' ? 'declined' : 'failed'
  const isKnown = payment.status === 'declined'
  const { declinedCaptures: before } = payment
  const capture = told?.capture
  const declinedCaptures =
    capture && isDeclined(capture) && !before.includes(capture.id) ? [...before, capture.id] : before
  const declines = payment.declines + (isKnown ? 0 : 1)
  await changePayment(tx, payment.id, { status, lastError: reason, declines, declinedCaptures })
}

/** The provider's desk was faster than our own answer: nothing is left to deliver for, to refund or to look at. */
async function endGivenBack(tx: Tx, risk: Risk, order: OrderRow, payment: Payment) {
  if (!OPEN.has(payment.status) && payment.status !== 'capturing') return
  await releaseCodes(tx, payment.id)
  await changePayment(tx, payment.id, { status: 'expired', lastError: GIVEN_BACK })
  await risk.endHold(tx, order.id, payment.id)
  await failUnlessPaying(tx, order, payment, GIVEN_BACK)
}

/**
 * Ends a pending order; in the same transaction its credit can be spent again, and the lines of a cart go back into it. Its
 * open payments end as `ending`.
 */
export async function failOrder(
  tx: Tx,
  order: OrderRow,
  payments: Payment[],
  reason: string,
  ending: 'canceled' | 'expired' | 'failed',
) {
  for (const payment of payments) {
    if (!OPEN.has(payment.status)) continue
    await releaseCodes(tx, payment.id)
    await changePayment(tx, payment.id, { status: ending })
  }
  await changeOrder(tx, order, 'failed', reason)
  if (order.source === 'cart') await returnToCart(tx, order.userId, await linesOf(tx, order.id))
  await returnCredit(tx, order)
}

const OPEN = new Set(['creating', 'created', 'declined'])

async function closeOthers(tx: Tx, payments: Payment[], paid: Payment) {
  for (const other of payments) {
    if (other.id === paid.id || !OPEN.has(other.status)) continue
    await releaseCodes(tx, other.id)
    await changePayment(tx, other.id, { status: 'expired' })
  }
}

const PAID_TWICE = 'the order was paid twice'

const isCode = ({ delivery }: OrderLineRow) => delivery === 'code'

/** Why captured money cannot become goods; null when it can. A failed order completes with a late capture if it still can. */
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
  const isHeld = await holdCodes(tx, payment.id, lines.filter(isCode))
  return isHeld ? null : 'the codes are sold out'
}

/** Money that must not be kept: write it down, give it back, end the order. */
async function refuseMoney(tx: Tx, order: OrderRow, payment: Payment, capture: ProviderCapture, reason: string) {
  log.error('captured money is being given back', { payment: payment.id, order: order.id, reason })
  await releaseCodes(tx, payment.id)
  await changePayment(tx, payment.id, { status: 'mismatched', providerCaptureId: capture.id, lastError: reason })
  await insertRefund(tx, { paymentId: payment.id, amountCents: capture.amountCents, reason })
  const why = reason === REFUSED_AFTER ? reason : 'the payment did not fit and is being given back'
  await failUnlessPaying(tx, order, payment, why)
}

/** One payment came to nothing: its order fails, unless another is being captured for it. */
async function failUnlessPaying(tx: Tx, order: OrderRow, payment: Payment, why: string) {
  if (order.status !== 'pending') return
  const others = (await lockPaymentsOf(tx, order.id)).filter(({ id }) => id !== payment.id)
  if (others.some(({ status }) => status === 'capturing')) return
  await failOrder(tx, order, others, why, 'failed')
}

function owedTo(lines: OrderLineRow[]) {
  const cents = new Map<string, number>()
  for (const line of lines) cents.set(line.sellerId, (cents.get(line.sellerId) ?? 0) + line.priceCents * line.quantity)
  return [...cents].map(([sellerId, sum]) => ({ sellerId, cents: sum }))
}
