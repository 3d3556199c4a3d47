import { inTransaction, now } from '../kit/database.server.ts'
import { addJob, type Job, laneOf } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { findOrder, lockOrder } from '../orders/orders.store.server.ts'
import { togetherJobs } from '../purchases/together/together.server.ts'
import {
  enqueueOverdue,
  findPayment,
  findPaymentByProviderOrder,
  isTaken,
  lockPaymentsOf,
  OPEN_STATES,
  type Payment,
  paymentsOf,
  touchPayment,
} from '../payments/payments.store.server.ts'
import { Unanswered, type Unknown } from '../payments/outcome.ts'
import type { EventSubject, Provider } from '../payments/provider.ts'
import { replayJobs } from '../payments/replay.server.ts'
import { requeueRefunds } from '../payments/refunds.store.server.ts'
import { requeueEvents } from '../payments/webhooks.server.ts'
import { listIdle } from './checkout.statements.server.ts'
import { closeEnded, ROUND_MS } from './close.server.ts'
import type { Checkout } from './context.server.ts'
import { isSettled, judge } from './judge.rules.ts'
import { capture } from './pay.server.ts'
import { findCharge } from './quickBuy/quickBuy.server.ts'
import { failOrder, settle } from './settle.server.ts'
import { required } from '../kit/values/required.ts'

// Step 7: completes work after a crash or a lost reply. Every function may run twice.

const SETTLING_SECONDS = 60
const MAX_UNANSWERED = 3

export function checkoutJobs(checkout: Checkout): Job[] {
  return [
    { name: 'reconcile', pool: 'money', cron: '* * * * *', run: () => reconcile(checkout) },
    {
      name: 'reconcile_payment',
      pool: 'money',
      run: async ({ id = '' }) => {
        await quietly(() => reconcilePayment(checkout, id), { payment: id })
      },
    },
    {
      name: 'hear_payment',
      pool: 'money',
      run: ({ id = '', wait = '3' }) => handlePayment(checkout, id, Number(wait)),
    },
    ...togetherJobs(checkout.db),
    { name: 'close_payments', pool: 'money', cron: '* * * * *', run: () => closeEnded(checkout) },
    { name: 'overdue', everySeconds: 2, run: () => enqueueOverdue(checkout.db) },
    { name: 'inbox', everySeconds: 2, run: () => requeueEvents(checkout) },
    ...replayJobs(checkout, checkout.providers.list),
  ]
}

/**
 * Expires orders and enqueues refunds with lost jobs. Queries each provider for open payments idle for `idleSeconds`,
 * captures first. Stops at an unavailable provider without delaying the others.
 */
export async function reconcile(checkout: Checkout, { idleSeconds = SETTLING_SECONDS } = {}) {
  const { db } = checkout
  const late = await db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'pending')
    .where('expiresAt', '<', now)
    .orderBy('expiresAt')
    .limit(500)
    .execute()
  for (const { id } of late) await quietly(() => expireOrder(checkout, id), { order: id })
  await requeueRefunds(db)
  const names = await db
    .selectFrom('payments')
    .select('provider')
    .distinct()
    .where('status', 'in', OPEN_STATES)
    .execute()
  await Promise.all(names.map(({ provider }) => reconcileAt(checkout, provider, idleSeconds)))
}

async function reconcileAt(checkout: Checkout, provider: string, idleSeconds: number) {
  const { db } = checkout
  const payments = await listIdle(db, { provider, idleSeconds })
  let unanswered = 0
  const end = performance.now() + ROUND_MS
  for (const { id } of payments) {
    if (performance.now() > end) return
    const look = async () => {
      // first, so that a failing payment does not block the queue
      await touchPayment(db, id)
      await reconcilePayment(checkout, id)
    }
    const isAnswered = await quietly(look, { payment: id })
    unanswered = isAnswered ? 0 : unanswered + 1
    if (unanswered === MAX_UNANSWERED) return
  }
}

async function quietly(work: () => Promise<void>, fields: Record<string, unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log.warn('a payment could not be reconciled; retrying in a minute', { error, ...fields })
    return !(error instanceof Unanswered)
  }
}

export async function reconcilePayment(checkout: Checkout, id: string): Promise<void> {
  const { db, providers } = checkout
  const payment = await findPayment(db, id)
  if (!payment || payment.isLeased || !['created', 'declined', 'capturing'].includes(payment.status)) return
  // Only an unfinished charge is repeated. After a decline, the buyer was told that nothing was charged.
  const isCharge = payment.status === 'capturing' && payment.walletId !== null && payment.providerOrderId === null
  if (!isCharge && !payment.providerOrderId) return
  const outcome = isCharge ? await findCharge(checkout, payment) : await providers.named(payment.provider).find(payment)
  if (outcome.kind === 'unknown') return keepAsking(checkout, payment, outcome)
  const isNews = outcome.kind === 'pending' || judge(payment, outcome).kind !== 'waiting'
  if (isNews || isCharge) {
    await settle(checkout, payment.id, payment.orderId, outcome)
    return
  }
  const order = required(await findOrder(db, payment.orderId), 'the order')
  const isFresh = order.status === 'pending' && !order.isExpired
  // Capture only a payment that the buyer approved before a crash of the shop. After a decline, the buyer was told that
  // nothing was charged.
  const isAsked = payment.status === 'created' && outcome.kind === 'approved' && isFresh
  if (payment.status === 'capturing' || isAsked) await capture(checkout, payment, { isByBuyer: false })
  else await touchPayment(db, payment.id)
}

/** Throws if the provider is unavailable. Otherwise moves the payment to the end of the queue. */
async function keepAsking({ db }: Checkout, { id }: Payment, { isAway, why }: Unknown) {
  if (isAway) throw new Unanswered(why)
  log.error('the provider cannot tell what became of a payment', { payment: id, why })
  await touchPayment(db, id)
}

/** Fails an expired order and restores its cart, unless money is moving. */
export async function expireOrder({ db }: Checkout, orderId: string) {
  await inTransaction(db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order?.status !== 'pending' || !order.isExpired) return
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => status === 'capturing')) return
    await failOrder(tx, order, payments, 'expired', 'expired')
  })
}

/** `error` is why the event had no effect. 'busy' retries the event soon. */
export type HandledEvent = { error: string | null } | 'busy'

const DONE: HandledEvent = { error: null }

/** Reads the payment of a stored event from the provider. The job retries after an exception. */
export async function handlePaymentEvent(
  checkout: Checkout,
  provider: Provider,
  { ref, captureRef, paymentId }: Extract<EventSubject, { about: 'payment' }>,
): Promise<HandledEvent> {
  const { db } = checkout
  // after a lost reply the shop does not know the charge's id, but the event contains the payment's id
  const payment =
    (await findPaymentByProviderOrder(db, provider.name, ref)) ??
    (paymentId && isUuid(paymentId) && (await findPayment(db, paymentId)))
  if (!payment) return { error: 'no payment of ours' }
  // most events arrive after the capture's reply
  if (isSettled(payment.status)) return DONE
  if (await isBusy(db, payment)) return 'busy'
  const outcome = await provider.find(payment, { ref, captureRef })
  if (outcome.kind === 'unknown' && outcome.isAway) throw new Unanswered(outcome.why)
  // the buyer's page captures at once, unless it was closed or offline
  if (outcome.kind === 'approved') await lookSoon(db, payment)
  if (outcome.kind !== 'captured' && outcome.kind !== 'declined' && outcome.kind !== 'pending') return DONE
  const settled = await settle(checkout, payment.id, payment.orderId, outcome)
  return settled === 'busy' ? 'busy' : DONE
}

/** Handles activity of a payment at a provider that captures by itself. The payment may have ended. */
export async function handlePayment(checkout: Checkout, id: string, waitSeconds = 3): Promise<void> {
  const payment = await findPayment(checkout.db, id)
  if (!payment || isSettled(payment.status)) return
  const later = () => {
    const wait = String(Math.min(waitSeconds * 2, 600))
    return addJob(
      checkout.db,
      'hear_payment',
      { id, wait },
      { delaySeconds: waitSeconds, queue: laneOf(payment.provider, id) },
    )
  }
  if (await isBusy(checkout.db, payment)) return later()
  const outcome = await checkout.providers.named(payment.provider).find(payment)
  if (outcome.kind === 'captured') {
    const settled = await settle(checkout, payment.id, payment.orderId, outcome)
    if (settled === 'busy') await later()
  }
  // reserves the codes and stops the order's expiry
  else if (outcome.kind === 'approved') await quietly(() => reconcilePayment(checkout, id), { payment: id })
}

const isBusy = async (db: Checkout['db'], { id, orderId }: Payment) =>
  (await paymentsOf(db, orderId)).some((other) => other.id !== id && other.status === 'capturing' && !isTaken(other))

const lookSoon = (db: Checkout['db'], { id, provider }: Payment) =>
  addJob(db, 'reconcile_payment', { id }, { key: `reconcile:${id}`, delaySeconds: 7, queue: laneOf(provider, id) })
