import { sql } from 'kysely'
import { z } from 'zod'
import { releaseCodes } from '../delivery/codes.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { addJob, type Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log/log.server.ts'
import { isUuid } from '../kit/uuid.ts'
import { isOldNews, isSettled, type ProviderOrder } from '../payments/capture.rules.ts'
import { findOrder, lockOrder } from '../orders/orders.server.ts'
import {
  changePayment,
  findPayment,
  findPaymentByProviderOrder,
  isTaken,
  lockPaymentsOf,
  OPEN_STATES,
  type Payment,
  touchPayment,
} from '../payments/payments.store.server.ts'
import { Unanswered, UnderWay } from '../payments/paypal/errors.server.ts'
import { RECORD_MINUTES } from '../payments/paypal/eventLog.server.ts'
import { takeUpRefunds } from '../payments/refunds.store.server.ts'
import { closeEvent, takeEvent, takeUpEvents } from '../payments/webhooks.server.ts'
import type { Checkout } from './checkout.server.ts'
import { capture } from './pay.server.ts'
import { adoptRefund, runRefund } from './refunds/refund.server.ts'
import { failOrder, settle } from './settle.server.ts'
import { findOutCharge, keepAsking, readCaptured, settleFound, toldBy } from './wallet.server.ts'

// Step 7: whatever a crash or a lost answer left behind is finished here. Every part may run twice.

const SETTLING_SECONDS = 60
// one payment may have no answer of its own; when several have none, the provider is away
const MOST_UNANSWERED = 3

export function checkoutJobs(checkout: Checkout): Job[] {
  return [
    { name: 'reconcile', cron: '* * * * *', run: () => reconcile(checkout) },
    {
      name: 'reconcile_payment',
      run: async ({ id = '' }) => {
        await quietly(() => reconcilePayment(checkout, id), { payment: id })
      },
    },
    { name: 'webhook', run: async ({ provider = '', eventId = '' }) => processWebhook(checkout, provider, eventId) },
    { name: 'refund', run: async ({ id = '' }) => runRefund(checkout, id) },
  ]
}

/**
 * Ends the orders that ran out of time, takes up refunds and events whose job was lost, then looks after every open
 * payment that nobody has touched for `idleSeconds`, those with money under way before others that have waited as long.
 * Stops when the provider is away.
 */
export async function reconcile(checkout: Checkout, { idleSeconds = SETTLING_SECONDS } = {}) {
  const { db } = checkout
  const late = await db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'pending')
    .where('expiresAt', '<', sql<Date>`now()`)
    .orderBy('expiresAt')
    .limit(500)
    .execute()
  for (const { id } of late) await quietly(() => expireOrder(checkout, id), { order: id })
  await takeUpRefunds(db)
  await takeUpEvents(db)
  const payments = await db
    .selectFrom('payments')
    .select('id')
    .where('status', 'in', OPEN_STATES)
    .where('updatedAt', '<', sql<Date>`now() - ${idleSeconds} * interval '1 second'`)
    .where(isWorthAsking)
    .orderBy(sql`updated_at - CASE status WHEN 'capturing' THEN interval '10 minutes' ELSE interval '0' END`)
    .limit(500)
    .execute()
  let unanswered = 0
  for (const { id } of payments) {
    const look = async () => {
      // first, so that others have their turn next time whatever becomes of it
      await touchPayment(db, id)
      await reconcilePayment(checkout, id)
    }
    const isAnswered = await quietly(look, { payment: id })
    unanswered = isAnswered ? 0 : unanswered + 1
    if (unanswered === MOST_UNANSWERED) return
  }
}

/** One whose goods wait for a second look is asked after now and then: it may have been given back at the provider's desk. */
const isWorthAsking = sql<boolean>`(updated_at < now() - interval '10 minutes' OR NOT EXISTS (
  SELECT FROM risk_holds h WHERE h.order_id = payments.order_id AND h.state = 'open' AND h.kind = 'hold'))`

/** Answers false when the provider did not. */
async function quietly(work: () => Promise<void>, fields: Record<string, unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    log.warn('a payment could not be reconciled; it is tried again in a minute', { error, ...fields })
    return !(error instanceof Unanswered) || error instanceof UnderWay
  }
}

/** Asks the provider what became of one payment and acts on the answer. */
export async function reconcilePayment(checkout: Checkout, id: string): Promise<void> {
  const payment = await findPayment(checkout.db, id)
  if (!payment || payment.isLeased) return
  if (payment.status === 'capturing' && payment.walletId && !payment.providerOrderId)
    return findOutCharge(checkout, payment)
  if (!payment.providerOrderId || !['created', 'declined', 'capturing'].includes(payment.status)) return
  const read = await checkout.paypal.readOrder(payment.providerOrderId)
  const isHidden = payment.status === 'capturing' && (!read || (isTaken(payment) && !read.capture))
  const recalled = isHidden ? await recall(checkout, payment) : null
  if (recalled === 'unread') return keepAsking(checkout, payment)
  const told = recalled ?? read
  if (!told) return forget(checkout, payment)
  if (told.capture && !isOldNews(payment, told.capture)) {
    await settle(checkout, payment.id, payment.orderId, told)
    return
  }
  const order = (await findOrder(checkout.db, payment.orderId))!
  const isFresh = order.status === 'pending' && !order.isExpired
  // the buyer pressed Pay; only our own crash kept us from capturing. After a decline they were told that nothing was
  // charged, and the provider's order still says APPROVED: they alone may try again
  const isAsked = payment.status === 'created' && told.status === 'APPROVED' && isFresh
  if (payment.status === 'capturing' || isAsked) await capture(checkout, payment, { isByBuyer: false })
  else await touchPayment(checkout.db, payment.id)
}

/**
 * The provider does not show the order, or no capture with it, of a payment whose money may be taken: its capture tells, by
 * the id that it had when it was verified or has in the record of events. Null when there is none to be found, 'unread'
 * when there is one that cannot be read.
 */
async function recall(checkout: Checkout, payment: Payment): Promise<ProviderOrder | 'unread' | null> {
  const { paypal } = checkout
  const { providerCaptureId, amountCents, currency, id } = payment
  const providerOrderId = payment.providerOrderId!
  if (isTaken(payment)) {
    const verified = { id: providerCaptureId!, status: 'COMPLETED', amountCents, currency, customId: id }
    return toldBy((await paypal.readCapture(providerCaptureId!)) ?? verified, id, providerOrderId)
  }
  const since = new Date(Date.now() - (payment.ageMinutes + 10) * 60_000)
  const found = await paypal.findCapture(id, since)
  return found && ((await readCaptured(checkout, payment, providerOrderId, found.captureId)) ?? 'unread')
}

/** A capture that was sent shows in the provider's record of events by then; `leaseUntil` is half a minute after it. */
const isInRecord = ({ status, leaseUntil }: Payment) =>
  status !== 'capturing' || (leaseUntil?.getTime() ?? 0) < Date.now() - RECORD_MINUTES * 60_000

/** The provider knows no such order (any more), and no capture of it: nothing can have been taken with it. */
async function forget({ db }: Checkout, payment: Payment) {
  if (!isInRecord(payment)) {
    log.warn('the provider does not know the order of a capture; its record of events is asked for a while', {
      payment: payment.id,
    })
    return touchPayment(db, payment.id)
  }
  await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const payments = await lockPaymentsOf(tx, payment.orderId)
    const fresh = payments.find(({ id }) => id === payment.id)!
    if (!['created', 'declined', 'capturing'].includes(fresh.status) || fresh.isLeased || isTaken(fresh)) return
    await releaseCodes(tx, payment.id)
    await changePayment(tx, payment.id, { status: 'expired', lastError: 'unknown at the provider' })
    if (order.status === 'pending' && order.isExpired) {
      await failOrder(tx, order, await lockPaymentsOf(tx, order.id), 'expired', 'expired')
    }
  })
}

/** Time is up: the order fails and its cart comes back, unless money is moving. */
export async function expireOrder({ db }: Checkout, orderId: string) {
  await inTransaction(db, async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order?.status !== 'pending' || !order.isExpired) return
    const payments = await lockPaymentsOf(tx, orderId)
    if (payments.some(({ status }) => status === 'capturing')) return
    await failOrder(tx, order, payments, 'expired', 'expired')
  })
}

const Resource = z.object({
  resource_type: z.string(),
  event_type: z.string(),
  resource: z.object({
    id: z.string(),
    custom_id: z.string().optional(),
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: z.string().optional(), capture_id: z.string().optional() }) })
      .optional(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
  }),
})

/** Works one stored event off: finds the payment it speaks of and asks the provider about it. */
export async function processWebhook(checkout: Checkout, provider: string, eventId: string): Promise<void> {
  const body = await takeEvent(checkout.db, provider, eventId)
  if (body === undefined) return
  const read = Resource.safeParse(JSON.parse(body))
  const error = read.success ? await actOn(checkout, read.data) : 'not an event about a payment'
  await closeEvent(checkout.db, provider, eventId, error)
}

async function actOn(
  checkout: Checkout,
  { resource_type, event_type, resource }: z.infer<typeof Resource>,
): Promise<string | null> {
  const { db } = checkout
  if (resource_type === 'refund') {
    const captureId =
      resource.supplementary_data?.related_ids.capture_id ??
      resource.links
        ?.find(({ rel }) => rel === 'up')
        ?.href.split('/')
        .at(-1)
    return captureId ? adoptRefund(checkout, captureId, resource.id) : 'names no capture'
  }
  const providerOrderId =
    resource_type === 'checkout-order' ? resource.id : resource.supplementary_data?.related_ids.order_id
  if (!providerOrderId) return `no payment of ours: it names no order (${event_type})`
  const payment =
    (await findPaymentByProviderOrder(db, providerOrderId)) ?? (await findPaymentNamed(db, resource.custom_id))
  if (!payment) return `no payment of ours (${event_type})`
  // most events come after the capture was answered, and then there is nothing to ask
  if (isSettled(payment.status)) return null
  const captureId = resource_type === 'capture' ? resource.id : null
  const told = await settleFound(checkout, payment, providerOrderId, captureId)
  // the buyer's page captures at once; when it was closed or lost its network, nobody would for a minute or two
  if (told?.status === 'APPROVED') await lookSoon(db, payment.id)
  return null
}

const lookSoon = (db: Checkout['db'], id: string) =>
  addJob(db, 'reconcile_payment', { id }, { key: `reconcile:${id}`, delaySeconds: 10 })

/** A charge of a saved instrument has no order's id here until its answer came; the event names the payment itself. */
const findPaymentNamed = (db: Checkout['db'], customId: string | undefined) =>
  customId && isUuid(customId) ? findPayment(db, customId) : undefined
