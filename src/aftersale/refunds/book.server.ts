import { endGoods, type ReturnedGift, takeBackGoods } from '../../delivery/kinds.server.ts'
import type { Tx } from '../../kit/database.server.ts'
import { log } from '../../kit/log/log.server.ts'
import { changeOrder, linesOf, type OrderLineRow, type OrderRow } from '../../orders/orders.store.server.ts'
import { takeBackBonus } from '../../payments/bonus.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { paidCents as paidForLine } from '../../payments/line.rules.ts'
import { changePayment, type Payment } from '../../payments/payments.store.server.ts'
import { findRefundLines, readLeftLines, type RefundLine } from '../../payments/refunds/refundLines.store.server.ts'
import {
  changeRefund,
  findRefundAtProvider,
  mismatchedCents,
  nameRefund,
  readCreditLeftCents,
  recordRefund,
  refundedCents,
  type Refund,
} from '../../payments/refunds.store.server.ts'
import { returnUnused } from '../../payments/refunds/unusedMoney.store.server.ts'
import { hideReviews } from '../../reviews/reviews.server.ts'
import type { Checkout } from '../../checkout/context.server.ts'
import { mailRefund } from './refund.mail.server.ts'
import { answersRequests, effectOf } from './refund.rules.ts'
import { answerRequests } from './request.server.ts'
import { reverse } from './reversal.server.ts'
import { firstOf, required } from '../../kit/values/required.ts'

// Books a completed refund in one transaction: access, ledger, statuses and mail. The caller locks order and payment.

type Booking = Pick<Checkout, 'config' | 'publicUrl'>

/** `source`: the ledger account that pays, if not the provider's. `tells`: false if another mail notifies the buyer. */
type How = { source?: string; tells?: boolean }

/** Records and books, once, a refund that the shop did not request. */
export async function bookUnasked(
  tx: Tx,
  checkout: Booking,
  order: OrderRow,
  payment: Payment,
  made: { providerRefundId: string; amountCents: number; reason: string },
  how: How = {},
): Promise<Refund | undefined> {
  if (await findRefundAtProvider(tx, made.providerRefundId)) return undefined
  const recorded = await recordRefund(tx, { paymentId: payment.id, ...made })
  await book(tx, checkout, order, payment, recorded, made.providerRefundId, how)
  return recorded
}

export async function book(
  tx: Tx,
  checkout: Booking,
  order: OrderRow,
  payment: Payment,
  asked: Refund,
  providerRefundId: string | null,
  how: How = {},
) {
  if (asked.status === 'completed') {
    if (providerRefundId && !asked.providerRefundId) await nameRefund(tx, asked.id, providerRefundId)
    return
  }
  // a rejected refund is booked only if the provider later reports it as made
  if (asked.status === 'failed' && !providerRefundId) return
  const before = await refundedCents(tx, payment.id, ['completed'])
  const isMismatched = payment.status === 'mismatched'
  const paidCents = isMismatched ? await mismatchedCents(tx, payment.id) : payment.amountCents
  // the provider's dashboard may refund while the shop's refund is in progress
  const amountCents = Math.max(0, Math.min(asked.amountCents, paidCents - before))
  const named = providerRefundId && { providerRefundId }
  if (amountCents === 0 && asked.amountCents > 0) {
    log.warn('a refund found its money refunded already', { refund: asked.id, payment: payment.id })
    return changeRefund(tx, asked.id, { status: 'failed', refusal: 'CAPTURE_FULLY_REFUNDED', ...named })
  }
  if (isMismatched)
    return bookUnused(tx, checkout, order, payment, { ...asked, amountCents }, { paidCents, before, ...named })
  const lines = await findRefundLines(tx, asked.id)
  const bought = await linesOf(tx, order.id)
  // a refund of lines revokes no other line, and free lines stay with the buyer
  const leavesFree = lines.length > 0 && bought.some((line) => paidForLine(line) === 0)
  const effect = await effectOn(tx, order, payment, { ...asked, amountCents }, paidCents - before, lines.length > 0)
  const { moneyCents, creditCents, isWhole } = effect
  const isCredit = payment.provider === CREDIT
  const kept = { amountCents, creditCents: isCredit ? 0 : creditCents }
  await changeRefund(tx, asked.id, { status: 'completed', ...kept, refusal: null, ...named })
  await grantRequests(tx, bought, lines, isWhole && !leavesFree)
  await changePayment(tx, payment.id, { status: isWhole && !leavesFree ? 'refunded' : 'part_refunded' })
  await reverse(tx, order, payment, { moneyCents, creditCents, lines, ...how })
  const isOver = isWhole && !leavesFree && order.status === 'completed'
  const gifts = await withdraw(tx, order, bought, lines, asked.isByBuyer)
  const ended = isOver ? bought : await linesAtEnd(tx, order, bought, lines)
  gifts.push(...(await endGoods(tx, ended)))
  if (isOver) {
    await changeOrder(tx, order, 'refunded', 'refunded', { reason: asked.reason })
  }
  const takenCents = isCredit ? 0 : await takeBackBonus(tx, order, payment, before + amountCents)
  if (how.tells !== false)
    await mailRefund(tx, checkout, order, payment, {
      refund: { ...asked, amountCents },
      beforeCents: before,
      creditCents,
      takenCents,
      lines: bought.filter(({ id }) => idsOf(lines).includes(id)).map(({ title }) => title),
      isWhole: isWhole && !leavesFree,
      gifts,
    })
  // last, because it locks the shop's rating, and every review waits for that lock
  await hideReviewsOf(tx, ended, asked)
}

/** Hides the reviews of refunded lines. A seller's refund hides none: sellers could remove bad reviews with it. */
async function hideReviewsOf(tx: Tx, ended: OrderLineRow[], { isBySeller }: Refund) {
  if (ended.length === 0 || isBySeller) return
  await hideReviews(
    tx,
    ended.map(({ id }) => id),
  )
}

type Unused = { paidCents: number; before: number; providerRefundId?: string }

/** Books a refund of money that paid for no goods. Mails the buyer once all of it is refunded. */
async function bookUnused(
  tx: Tx,
  checkout: Booking,
  order: OrderRow,
  payment: Payment,
  refund: Refund,
  { paidCents, before, ...named }: Unused,
) {
  const { amountCents } = refund
  await changeRefund(tx, refund.id, { status: 'completed', amountCents, refusal: null, ...named })
  await returnUnused(tx, payment, amountCents)
  if (before + amountCents < paidCents) return
  return mailRefund(tx, checkout, order, payment, { refund, beforeCents: before, creditCents: 0, takenCents: 0 })
}

/** Grants the refund requests that a refund covers: those of its lines, or all of the order. */
async function grantRequests(tx: Tx, bought: OrderLineRow[], lines: RefundLine[], isAll: boolean) {
  const { orderId } = firstOf(bought)
  const paidLines = bought.filter((line) => paidForLine(line) > 0).length
  if (lines.length > 0 && !isAll) await answerRequests(tx, orderId, 'granted', { lineIds: idsOf(lines) })
  else if (lines.length > 0 || answersRequests(isAll, paidLines)) await answerRequests(tx, orderId, 'granted')
}

const idsOf = (lines: RefundLine[]) => lines.map(({ orderLineId }) => orderLineId)

async function effectOn(
  tx: Tx,
  order: OrderRow,
  payment: Payment,
  refund: Pick<Refund, 'amountCents' | 'creditCents'>,
  leftCents: number,
  isByLine: boolean,
) {
  const isCredit = payment.provider === CREDIT
  const creditCents = isCredit ? 0 : await readCreditLeftCents(tx, payment, order, ['completed'])
  const terms = { paidCents: payment.amountCents, leftCents, creditCents, isCredit, isUnused: false, bonusCents: 0 }
  if (!isByLine || isCredit) return effectOf(terms, refund.amountCents)
  const returned = Math.min(refund.creditCents, creditCents)
  const isWhole = refund.amountCents >= leftCents && returned >= creditCents
  return { moneyCents: refund.amountCents, creditCents: returned, isWhole }
}

/** Revokes refunded copies. After a refund of some copies, the buyer still has the copy that was opened. */
async function withdraw(
  tx: Tx,
  order: OrderRow,
  bought: OrderLineRow[],
  lines: RefundLine[],
  isByBuyer: boolean,
): Promise<ReturnedGift[]> {
  if (order.status !== 'completed') return []
  const copies = lines.map(({ orderLineId, quantity }) => {
    const line = required(
      bought.find(({ id }) => id === orderLineId),
      'the line',
    )
    return { ...line, quantity }
  })
  return takeBackGoods(tx, copies, { keepsOpened: isByBuyer })
}

async function linesAtEnd(
  tx: Tx,
  order: OrderRow,
  bought: OrderLineRow[],
  lines: RefundLine[],
): Promise<OrderLineRow[]> {
  if (lines.length === 0 || order.status !== 'completed') return []
  const left = await readLeftLines(tx, order.id)
  const isOver = (id: string) =>
    left.some(({ orderLineId, quantity, returnedQuantity }) => orderLineId === id && returnedQuantity >= quantity)
  return bought.filter(({ id }) => idsOf(lines).includes(id) && isOver(id))
}
