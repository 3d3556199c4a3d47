import { holdCodes } from '../delivery/codes.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { lockOrder } from '../orders/orders.server.ts'
import type { ProviderCapture, ProviderOrder } from '../payments/capture.rules.ts'
import { PAYPAL } from '../payments/payments.contract.ts'
import {
  findKeptWallet,
  insertPayment,
  leaseCapture,
  lockKeptWallet,
  lockPaymentsOf,
  type Payment,
  touchPayment,
  type Wallet,
} from '../payments/payments.store.server.ts'
import { Refused, Unanswered } from '../payments/paypal/errors.server.ts'
import { RECORD_MINUTES } from '../payments/paypal/eventLog.server.ts'
import { REPEAT_MINUTES } from '../payments/paypal/client.server.ts'
import type { Checkout } from './checkout.server.ts'
import {
  type Captured,
  chargeOf,
  codeLines,
  dueCents,
  isPayable,
  onRefusal,
  outcomeOf,
  SOLD_OUT,
} from './pay.server.ts'
import { decline, settle } from './settle.server.ts'

// Quick Buy: a saved instrument is charged in one step, so the provider's order has no id here until it has answered.

const OPEN_OR_DONE = new Set(['creating', 'created', 'capturing', 'captured', 'declined', 'refunded', 'part_refunded'])

/** Charges the saved instrument for an order. The same rules as a capture: codes are held and the lease taken first. */
export async function chargeWallet(checkout: Checkout, orderId: string, wallet: Wallet): Promise<Captured> {
  const { db, paypal } = checkout
  const payment = await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    if (!isPayable(order)) return null
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => OPEN_OR_DONE.has(status))) return null
    if (!(await lockKeptWallet(tx, wallet.id))) return null
    const terms = { orderId, provider: PAYPAL, mode: paypal.mode, amountCents: dueCents(order), walletId: wallet.id }
    const created = await insertPayment(tx, terms)
    if (!(await holdCodes(tx, created.id, await codeLines(tx, orderId)))) throw SOLD_OUT
    await leaseCapture(tx, created.id)
    await addJob(tx, 'reconcile_payment', { id: created.id }, { key: `reconcile:${created.id}`, delaySeconds: 35 })
    return created
  })
  if (!payment) return 'PENDING'
  try {
    return await charge(checkout, payment, wallet)
  } catch (error) {
    if (error instanceof Refused) return onRefusal(checkout, payment, error.issue)
    if (!(error instanceof Unanswered)) throw error
    log.warn('a charge has no answer yet', { error, payment: payment.id })
    return 'PENDING'
  }
}

async function charge(checkout: Checkout, payment: Payment, wallet: Wallet): Promise<Captured> {
  const told = await checkout.paypal.chargeSaved({ ...(await chargeOf(checkout.db, payment)), vaultId: wallet.vaultId })
  return outcomeOf(await settle(checkout, payment.id, payment.orderId, told, { isAnswer: true }))
}

/**
 * Finds out what became of a charge whose answer was lost. A repeat with the same request id answers what the first one
 * did; a refusal of the repeat proves nothing, so the provider's record of events decides then. So it does once the wallet
 * is removed: a repeat would charge it, should the first request never have arrived.
 */
export async function findOutCharge(checkout: Checkout, payment: Payment) {
  const wallet =
    payment.ageMinutes < REPEAT_MINUTES && payment.walletId && (await findKeptWallet(checkout.db, payment.walletId))
  const refusal = wallet ? await charge(checkout, payment, wallet).then(() => null, asRefusal) : 'not to be repeated'
  if (refusal === null) return
  const since = new Date(Date.now() - (payment.ageMinutes + 10) * 60_000)
  const found = await checkout.paypal.findCapture(payment.id, since)
  if (found) {
    const told = await settleFound(checkout, payment, found.providerOrderId, found.captureId)
    return told ? undefined : keepAsking(checkout, payment)
  }
  if (refusal === 'DUPLICATE_INVOICE_ID' || payment.ageMinutes < RECORD_MINUTES) {
    log.error('a charge is in no record and its repeat answers nothing', { payment: payment.id, refusal })
    return
  }
  await inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    await decline(tx, checkout.risk, order, fresh, refusal, null)
  })
}

function asRefusal(error: unknown): string {
  if (error instanceof Refused) return error.issue
  throw error
}

/**
 * Settles a payment whose order at the provider became known by another way than its answer, by the capture when the
 * provider shows the order no more. Answers what was told, null when nothing was.
 */
export async function settleFound(
  checkout: Checkout,
  payment: Payment,
  providerOrderId: string | null,
  captureId: string | null = null,
): Promise<ProviderOrder | null> {
  if (!providerOrderId) return null
  const told =
    (await checkout.paypal.readOrder(providerOrderId)) ??
    (await readCaptured(checkout, payment, providerOrderId, captureId))
  if (told?.capture) await settle(checkout, payment.id, payment.orderId, told)
  return told
}

/** The order as its capture alone tells of it; null when that cannot be read, or is another payment's. */
export async function readCaptured(
  { paypal }: Checkout,
  { id }: Payment,
  providerOrderId: string,
  captureId: string | null,
): Promise<ProviderOrder | null> {
  const capture = captureId && (await paypal.readCapture(captureId))
  return capture && (capture.customId ?? id) === id ? toldBy(capture, id, providerOrderId) : null
}

export const toldBy = (capture: ProviderCapture, paymentId: string, providerOrderId: string): ProviderOrder => ({
  id: providerOrderId,
  status: 'COMPLETED',
  capture: { ...capture, customId: capture.customId ?? paymentId },
  payerId: undefined,
  payerEmail: undefined,
  vaultId: undefined,
})

/** The record says that money was taken, and nobody can say how much: it is asked for until somebody can. */
export async function keepAsking({ db }: Checkout, { id }: Payment) {
  log.error('a capture that is in the record cannot be read; it is asked for again', { payment: id })
  await touchPayment(db, id)
}
