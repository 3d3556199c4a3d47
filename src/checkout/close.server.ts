import { releaseGoods } from '../delivery/kinds.server.ts'
import { inTransaction, now } from '../kit/database.server.ts'
import { Failure } from '../kit/failure.ts'
import { log } from '../kit/log/log.server.ts'
import { lockOrder } from '../orders/orders.store.server.ts'
import { findUnclosed, noteClosing } from '../payments/methods/closing.store.server.ts'
import {
  changePayment,
  findPayment,
  isOpen,
  lockPaymentsOf,
  type Payment,
  paymentsOf,
} from '../payments/payments.store.server.ts'
import type { Outcome } from '../payments/outcome.ts'
import type { Provider } from '../payments/provider.ts'
import type { Checkout } from './context.server.ts'
import { settle } from './settle.server.ts'
import { required } from '../kit/values/required.ts'

// Closes unpaid payments at the provider, then here under the order's lock. Settles money that moved first.

export const UNDER_WAY = new Failure(
  409,
  'A payment for this order is in progress. Please wait a moment.',
  'payment_under_way',
)
const NOT_CLOSED = new Failure(
  503,
  'We couldn’t close your earlier payment, because its provider isn’t responding. Nothing was charged; please try again.',
  'provider_away',
  { retryAfter: 5 },
)
const paidAlready = (orderId: string) =>
  new Failure(409, 'Your earlier payment went through, so nothing more was charged.', 'order_paid', {
    details: { orderId },
  })

export const REPLACED = 'another method was chosen'

const canBePaid = (provider: Provider | undefined, { providerOrderId }: Pick<Payment, 'providerOrderId'>) =>
  provider?.close !== undefined && providerOrderId !== null

const providerOf = ({ providers }: Checkout, { provider, mode }: Payment) =>
  providers.list.find((one) => one.name === provider && one.mode === mode)

/** Finds open payments that the buyer could still pay after switching to `method`. */
export const rivals = (checkout: Checkout, payments: Payment[], method: Provider): Payment[] =>
  payments.filter((payment) => {
    if (!isOpen(payment)) return false
    // the shop does not repeat a declined charge of a saved method, but the buyer may finish it at the provider
    if (payment.walletId !== null) return canBePaid(providerOf(checkout, payment), payment)
    return payment.provider !== method.name
  })

/** Closes a payment whose method the buyer replaces. Throws a Failure if the order cannot be paid another way yet. */
export async function closePayment(checkout: Checkout, payment: Payment): Promise<void> {
  const outcome = await close(checkout, payment)
  if (outcome.kind === 'unknown') throw NOT_CLOSED
  if (outcome.kind === 'captured') {
    const settled = await settle(checkout, payment.id, payment.orderId, outcome)
    if (settled === 'completed') throw paidAlready(payment.orderId)
    if (settled === 'waiting' || settled === 'held' || settled === 'busy') throw UNDER_WAY
    return
  }
  // a declined payment took nothing; money that arrives later is settled or refunded
  if (outcome.kind !== 'gone' && outcome.kind !== 'declined') throw UNDER_WAY
  const isClosed = outcome.kind === 'gone' && providerOf(checkout, payment) !== undefined
  await inTransaction(checkout.db, async (tx) => {
    await lockOrder(tx, payment.orderId)
    const fresh = required(
      (await lockPaymentsOf(tx, payment.orderId)).find(({ id }) => id === payment.id),
      'the payment',
    )
    if (fresh.status === 'capturing') throw UNDER_WAY
    // the provider got to know the payment in the meantime; the next round closes it there
    if (!isOpen(fresh) || fresh.providerOrderId !== payment.providerOrderId) return
    await releaseGoods(tx, fresh.id)
    await changePayment(tx, fresh.id, { status: 'canceled', lastError: REPLACED, ...(isClosed && { closedAt: now }) })
  })
}

export async function closeForCharge(checkout: Checkout, orderId: string): Promise<void> {
  const payments = await paymentsOf(checkout.db, orderId)
  if (payments.some(({ status }) => status === 'capturing')) throw UNDER_WAY
  for (const payment of payments) if (isOpen(payment)) await closePayment(checkout, payment)
}

/** Closes the open payments of an order before its cancellation. The job retries payments that could not be closed. */
export async function closeOpen(checkout: Checkout, orderId: string): Promise<void> {
  if (!checkout.providers.list.some((provider) => provider.close)) return
  for (const payment of await paymentsOf(checkout.db, orderId)) {
    if (!isOpen(payment)) continue
    const outcome = await close(checkout, payment)
    if (outcome.kind === 'captured') await settle(checkout, payment.id, payment.orderId, outcome)
  }
}

/** Closes an ended payment at the provider. Returns false if the provider is unavailable. */
export async function closeLate(checkout: Checkout, payment: Payment): Promise<boolean> {
  const outcome = await close(checkout, payment)
  if (outcome.kind === 'captured') await settle(checkout, payment.id, payment.orderId, outcome)
  if (outcome.kind === 'gone') await noteClosing(checkout.db, payment.id, true)
  return outcome.kind !== 'unknown'
}

// after this many unanswered payments in a row, the provider counts as unavailable
const MAX_UNANSWERED = 3

/**
 * Closes payments that expired, were canceled or crashed, and settles money that moved first. Skips transfers, because
 * money sent in time counts even if the shop reads it late.
 */
export async function closeEnded(checkout: Checkout): Promise<void> {
  const closing = checkout.providers.list.filter(({ close, step }) => close && step !== 'transfer')
  await Promise.all(closing.map((provider) => closeEndedAt(checkout, provider)))
}

/** Maximum milliseconds of a round at one provider. The next round starts with the longest waiting payments. */
export const ROUND_MS = 45_000

async function closeEndedAt(checkout: Checkout, provider: Provider) {
  let unanswered = 0
  const end = performance.now() + ROUND_MS
  for (const { id } of await findUnclosed(checkout.db, provider)) {
    if (performance.now() > end) return
    // first, so that a failing payment does not block the queue
    await noteClosing(checkout.db, id, false)
    try {
      unanswered = (await closeLate(checkout, required(await findPayment(checkout.db, id), 'the payment')))
        ? 0
        : unanswered + 1
    } catch (error) {
      log.warn('an ended payment could not be closed; retrying later', { error, payment: id })
    }
    if (unanswered === MAX_UNANSWERED) return
  }
}

async function close(checkout: Checkout, payment: Payment): Promise<Outcome> {
  const provider = providerOf(checkout, payment)
  return canBePaid(provider, payment) ? provider!.close!(payment) : { kind: 'gone' }
}
