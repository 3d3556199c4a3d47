import { holdCodes } from '../delivery/codes.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { addJob } from '../kit/jobs.server.ts'
import { lockOrder } from '../orders/orders.server.ts'
import {
  findKeptWallet,
  insertPayment,
  leaseCapture,
  lockKeptWallet,
  lockPaymentsOf,
  type Payment,
  type Wallet,
} from '../payments/payments.store.server.ts'
import type { Outcome } from '../payments/provider.ts'
import type { Checkout } from './context.server.ts'
import { type CaptureStatus, chargeOf, codeLines, dueCents, isPayable, settleAnswer, SOLD_OUT } from './pay.server.ts'

// Quick Buy charges a saved method in one step, so the payment has no id at the provider until the answer arrives.

const OPEN_OR_DONE = new Set(['creating', 'created', 'capturing', 'captured', 'declined', 'refunded', 'part_refunded'])

/** Charges the saved method for an order. As for a capture, codes are held and the lease is taken first. */
export async function chargeWallet(checkout: Checkout, orderId: string, wallet: Wallet): Promise<CaptureStatus> {
  const { db, providers } = checkout
  const { main } = providers
  const payment = await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, orderId))!
    if (!isPayable(order)) return null
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => OPEN_OR_DONE.has(status))) return null
    if (!(await lockKeptWallet(tx, wallet.id))) return null
    const terms = { orderId, provider: main.name, mode: main.mode, amountCents: dueCents(order), walletId: wallet.id }
    const created = await insertPayment(tx, terms)
    if (!(await holdCodes(tx, created.id, await codeLines(tx, orderId)))) throw SOLD_OUT
    await leaseCapture(tx, created.id)
    await addJob(tx, 'reconcile_payment', { id: created.id }, { key: `reconcile:${created.id}`, delaySeconds: 35 })
    return created
  })
  if (!payment) return 'PENDING'
  return settleAnswer(checkout, payment, await charge(checkout, payment, wallet))
}

const charge = async ({ db, providers }: Checkout, payment: Payment, wallet: Wallet): Promise<Outcome> =>
  providers.named(payment.provider).saved!.charge(await chargeOf(db, payment), wallet.vaultId)

/** What became of a charge whose answer was lost. A repeat answers what the first request did; a removed wallet gets none. */
export async function findCharge(checkout: Checkout, payment: Payment): Promise<Outcome> {
  const wallet = await findKeptWallet(checkout.db, payment.walletId!)
  return wallet ? charge(checkout, payment, wallet) : checkout.providers.named(payment.provider).find(payment)
}
