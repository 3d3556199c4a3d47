import { returnToCart } from '../cart/cart.server.ts'
import { holdCodes, releaseCodes, sellHeldCodes } from '../delivery/codes.server.ts'
import { entitle } from '../delivery/entitlements.server.ts'
import { inTransaction, type Tx } from '../kit/database.server.ts'
import { log } from '../kit/log.server.ts'
import { sendMail } from '../kit/mail.server.ts'
import { toDecimal } from '../kit/money.ts'
import { sendPush } from '../kit/push.server.ts'
import { changeOrder, linesOf, lockOrder, type OrderLineRow, type OrderRow } from '../orders/orders.server.ts'
import { judgeCapture, type ProviderCapture, type ProviderOrder } from '../payments/capture.rules.ts'
import {
  changePayment,
  lockPaymentsOf,
  type Payment,
  providerAccount,
  recordTransfer,
  saveWallet,
  sellerAccount,
} from '../payments/payments.server.ts'
import { insertRefund } from '../payments/refunds.server.ts'
import type { Checkout } from './checkout.server.ts'

export type Settled = 'completed' | 'waiting' | 'declined' | 'refunding'

/**
 * Step 4: the only place where money becomes goods. Called with what the provider says by the capture's answer, the
 * webhook's job and the reconciler, in any order and as often as they like.
 */
export function settle(
  { db, config, publicUrl }: Checkout,
  paymentId: string,
  orderId: string,
  told: ProviderOrder,
): Promise<Settled> {
  return inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    const payments = await lockPaymentsOf(tx, orderId)
    const payment = payments.find(({ id }) => id === paymentId)!
    const verdict = judgeCapture(payment, told)
    if (verdict.kind === 'settled') return payment.status === 'mismatched' ? 'refunding' : 'completed'
    // whatever was said, from here on the provider can be asked by its own id
    if (payment.providerOrderId === null) await changePayment(tx, payment.id, { providerOrderId: told.id })
    if (verdict.kind === 'waiting') return 'waiting'
    if (verdict.kind === 'declined') {
      await decline(tx, order, payment, verdict.reason)
      return 'declined'
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
    await changePayment(tx, payment.id, { status: 'captured', providerCaptureId: verdict.capture.id, lastError: null })
    await recordTransfer(tx, payment.id, [
      { account: providerAccount(payment), amountCents: payment.amountCents },
      ...owedTo(lines).map(({ sellerId, cents }) => ({ account: sellerAccount(sellerId), amountCents: -cents })),
    ])
    if (lines.some(isCode)) await sellHeldCodes(tx, payment.id)
    await entitle(tx, order.userId, lines)
    await changeOrder(tx, order, 'completed', 'paid', { paymentId: verdict.capture.id })
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
    await sendReceipt(tx, { config, publicUrl }, order, lines)
    await sendPush(tx, order.userId, {
      key: `order:${order.id}`,
      title: 'Your order is ready',
      body: lines.length === 1 ? lines[0]!.title : `${lines[0]!.title} and ${lines.length - 1} more`,
      url: `/orders/${order.id}`,
    })
    return 'completed'
  })
}

/** The instrument was refused: nothing was taken. An order that is still open waits for another. */
export async function decline(tx: Tx, order: OrderRow, payment: Payment, reason: string) {
  if (!OPEN.has(payment.status) && payment.status !== 'capturing') return
  await releaseCodes(tx, payment.id)
  const status = order.status === 'pending' ? 'declined' : 'failed'
  await changePayment(tx, payment.id, { status, lastError: reason, declines: payment.declines + 1 })
}

/** Ends a pending order; the lines of a cart go back into it, in the same transaction. Its open payments end as `ending`. */
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
}

const OPEN = new Set(['creating', 'created', 'declined'])

async function closeOthers(tx: Tx, payments: Payment[], paid: Payment) {
  for (const other of payments) {
    if (other.id === paid.id || !OPEN.has(other.status)) continue
    await releaseCodes(tx, other.id)
    await changePayment(tx, other.id, { status: 'expired' })
  }
}

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
  if (isPaidTwice) return 'the order was paid twice'
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
  if (order.status !== 'pending') return
  const others = (await lockPaymentsOf(tx, order.id)).filter(({ id }) => id !== payment.id)
  if (others.some(({ status }) => status === 'capturing')) return
  await failOrder(tx, order, others, 'the payment did not fit and is being given back', 'failed')
}

function owedTo(lines: OrderLineRow[]) {
  const cents = new Map<string, number>()
  for (const line of lines) cents.set(line.sellerId, (cents.get(line.sellerId) ?? 0) + line.priceCents * line.quantity)
  return [...cents].map(([sellerId, sum]) => ({ sellerId, cents: sum }))
}

async function sendReceipt(
  tx: Tx,
  { config, publicUrl }: Pick<Checkout, 'config' | 'publicUrl'>,
  order: OrderRow,
  lines: OrderLineRow[],
) {
  const buyer = await tx.selectFrom('users').select('email').where('id', '=', order.userId).executeTakeFirstOrThrow()
  await sendMail(tx, config, {
    key: `receipt:${order.id}`,
    to: buyer.email,
    subject: `Your order ${order.id.slice(-8)} is ready`,
    lines: [
      'Thank you. Your payment has arrived and your order is ready.',
      ...lines.map((line) => `${line.quantity} × ${line.title}: $${toDecimal(line.priceCents * line.quantity)}`),
      `Total: $${toDecimal(order.totalCents)}`,
    ],
    action: { label: 'Open your order', url: `${publicUrl}/orders/${order.id}` },
  })
}
