import { holdCodes } from '../delivery/codes.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { log } from '../kit/log.server.ts'
import { lockOrder } from '../orders/orders.server.ts'
import { PAYPAL } from '../payments/payments.contract.ts'
import {
  findWalletById,
  insertPayment,
  leaseCapture,
  lockPaymentsOf,
  type Payment,
  type Wallet,
} from '../payments/payments.server.ts'
import { Refused, Unanswered } from '../payments/paypal.errors.server.ts'
import type { Checkout } from './checkout.server.ts'
import { type Captured, chargeOf, codeLines, isPayable, onRefusal, outcomeOf, SOLD_OUT } from './pay.server.ts'
import { decline, settle } from './settle.server.ts'

// Quick Buy: a saved instrument is charged in one step, so the provider's order has no id here until it has answered.

// the provider remembers a request's id for six hours; after five a repeat could be a second charge
const REPEAT_MINUTES = 5 * 60
// by then a capture stands in the provider's record of events
const RECORD_MINUTES = 15

const OPEN_OR_DONE = new Set(['creating', 'created', 'capturing', 'captured', 'declined', 'refunded', 'part_refunded'])

/** Charges the saved instrument for an order. The same rules as a capture: codes are held and the lease taken first. */
export async function chargeWallet(checkout: Checkout, orderId: string, wallet: Wallet): Promise<Captured> {
  const { db, paypal } = checkout
  const payment = await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    if (!isPayable(order)) return null
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => OPEN_OR_DONE.has(status))) return null
    const terms = { orderId, provider: PAYPAL, mode: paypal.mode, amountCents: order.totalCents, walletId: wallet.id }
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
  return outcomeOf(await settle(checkout, payment.id, payment.orderId, told))
}

/**
 * Finds out what became of a charge whose answer was lost. A repeat with the same request id answers what the first one
 * did; a refusal of the repeat proves nothing, so the provider's record of events decides then.
 */
export async function findOutCharge(checkout: Checkout, payment: Payment) {
  const wallet =
    payment.ageMinutes < REPEAT_MINUTES && payment.walletId && (await findWalletById(checkout.db, payment.walletId))
  const refusal = wallet ? await charge(checkout, payment, wallet).then(() => null, asRefusal) : 'too old to repeat'
  if (refusal === null) return
  const since = new Date(Date.now() - (payment.ageMinutes + 10) * 60_000)
  const providerOrderId = await checkout.paypal.findCapturedOrder(payment.id, since)
  if (providerOrderId) return void (await settleFound(checkout, payment, providerOrderId))
  if (refusal === 'DUPLICATE_INVOICE_ID' || payment.ageMinutes < RECORD_MINUTES) {
    log.error('a charge is refused again and not in the record either', { payment: payment.id, refusal })
    return
  }
  await inTransaction(checkout.db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const fresh = (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id)!
    await decline(tx, order, fresh, refusal)
  })
}

function asRefusal(error: unknown): string {
  if (error instanceof Refused) return error.issue
  throw error
}

/** Settles a charge whose order at the provider became known by another way than its answer. Answers what was told. */
export async function settleFound(checkout: Checkout, payment: Payment, providerOrderId: string) {
  const told = await checkout.paypal.readOrder(providerOrderId)
  if (told?.capture) await settle(checkout, payment.id, payment.orderId, told)
  return told
}
