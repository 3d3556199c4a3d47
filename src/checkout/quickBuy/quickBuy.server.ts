import { reserveGoods } from '../../delivery/kinds.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { changeMethod, linesOf, lockOrder } from '../../orders/orders.store.server.ts'
import { CREDIT } from '../../payments/credit.contract.ts'
import { findKeptWallet, lockKeptWallet, type Wallet } from '../../payments/wallets.store.server.ts'
import { insertPayment, leaseCapture, lockPaymentsOf, type Payment } from '../../payments/payments.store.server.ts'
import type { Outcome } from '../../payments/outcome.ts'
import type { Visitor } from '../../risk/risk.server.ts'
import type { Checkout } from '../context.server.ts'
import { type CaptureStatus, chargeOf, dueCents, isPayable, settleAnswer, SOLD_OUT } from '../pay.server.ts'
import { notifyReady } from '../receipt.server.ts'
import { STOPPED } from '../risk.server.ts'
import { complete } from '../complete.server.ts'
import { required } from '../../kit/values/required.ts'

// Pays in one step with store credit or a saved method. A charge has no provider id until the reply arrives.

/**
 * Completes an order covered by store credit in the placing transaction. A refusal or sold-out goods roll back credit
 * and cart too. Goods, ledger and refunds reference its payment row.
 */
export async function completeByCredit(tx: Tx, checkout: Checkout, visitor: Visitor, orderId: string) {
  if ((await checkout.risk.evaluateCovered(tx, orderId, visitor)) === 'refuse') throw STOPPED
  const order = required(await lockOrder(tx, orderId), 'the order')
  const payment = await insertPayment(tx, {
    orderId,
    provider: CREDIT,
    mode: checkout.providers.main.mode,
    amountCents: order.totalCents,
  })
  // locks credit before stock; no deadlock, because no transaction waits for stock
  const lines = await linesOf(tx, orderId)
  if (!(await reserveGoods(tx, payment.id, lines))) throw SOLD_OUT
  await complete(tx, checkout, order, payment, lines, { captureId: payment.id, moneyCents: 0 })
  await notifyReady(tx, checkout, order, lines)
}

const OPEN_OR_DONE = new Set(['creating', 'created', 'capturing', 'captured', 'declined', 'refunded', 'part_refunded'])

/** Charges the saved method for an order. Reserves the goods and leases the payment first, like a capture. */
export async function chargeWallet(checkout: Checkout, orderId: string, wallet: Wallet): Promise<CaptureStatus> {
  const { db, providers } = checkout
  const { name: provider, mode } = providers.named(wallet.provider)
  const payment = await inTransaction(db, async (tx) => {
    const order = required(await lockOrder(tx, orderId), 'the order')
    if (!isPayable(order)) return null
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => OPEN_OR_DONE.has(status))) return null
    if (!(await lockKeptWallet(tx, wallet.id))) return null
    if (order.paymentMethod !== provider) await changeMethod(tx, orderId, provider)
    const terms = { orderId, provider, mode, amountCents: dueCents(order), walletId: wallet.id }
    const created = await insertPayment(tx, terms)
    if (!(await reserveGoods(tx, created.id, await linesOf(tx, orderId)))) throw SOLD_OUT
    await leaseCapture(tx, created.id)
    return created
  })
  if (!payment) return 'PENDING'
  return settleAnswer(checkout, payment, await charge(checkout, payment, wallet))
}

const charge = async ({ db, providers }: Checkout, payment: Payment, wallet: Wallet): Promise<Outcome> =>
  required(providers.named(payment.provider).saved, 'saved methods of the provider').charge(
    await chargeOf(db, payment),
    wallet.vaultId,
  )

/** Finds the result of a charge after a lost reply: repeats the request, unless the wallet was removed. */
export async function findCharge(checkout: Checkout, payment: Payment): Promise<Outcome> {
  const wallet = await findKeptWallet(checkout.db, required(payment.walletId, 'the wallet of the payment'))
  return wallet ? charge(checkout, payment, wallet) : checkout.providers.named(payment.provider).find(payment)
}
