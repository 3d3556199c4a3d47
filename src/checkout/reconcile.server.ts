import { sql } from 'kysely'
import { z } from 'zod'
import { inTransaction } from '../kit/database.server.ts'
import type { Job } from '../kit/jobs.server.ts'
import { log } from '../kit/log.server.ts'
import { findOrder, lockOrder } from '../orders/orders.server.ts'
import {
  changePayment,
  findPayment,
  findPaymentByProviderOrder,
  findWalletById,
  lockPaymentsOf,
  type Payment,
} from '../payments/payments.server.ts'
import type { Checkout } from './checkout.server.ts'
import { capture, repeatCharge } from './pay.server.ts'
import { adoptRefund, runRefund } from './refund.server.ts'
import { failOrder, settle } from './settle.server.ts'

// Step 7: whatever a crash or a lost answer left behind is finished here. Every part may run twice.

const SETTLING_SECONDS = 60

export function checkoutJobs(checkout: Checkout): Job[] {
  return [
    { name: 'reconcile', cron: '* * * * *', run: () => reconcile(checkout) },
    {
      name: 'reconcile_payment',
      run: async ({ id = '' }) => quietly(() => reconcilePayment(checkout, id), { payment: id }),
    },
    { name: 'webhook', run: async ({ provider = '', eventId = '' }) => processWebhook(checkout, provider, eventId) },
    { name: 'refund', run: async ({ id = '' }) => runRefund(checkout, id) },
  ]
}

/** Looks after every open payment that nobody has touched for `idleSeconds`, then ends the orders that ran out of time. */
export async function reconcile(checkout: Checkout, { idleSeconds = SETTLING_SECONDS } = {}) {
  const { db } = checkout
  const payments = await db
    .selectFrom('payments')
    .select('id')
    .where('status', 'in', ['creating', 'created', 'capturing', 'declined'])
    .where('updatedAt', '<', sql<Date>`now() - ${idleSeconds} * interval '1 second'`)
    .orderBy('updatedAt')
    .limit(500)
    .execute()
  for (const { id } of payments) await quietly(() => reconcilePayment(checkout, id), { payment: id })
  const late = await db
    .selectFrom('orders')
    .select('id')
    .where('status', '=', 'pending')
    .where('expiresAt', '<', sql<Date>`now()`)
    .orderBy('expiresAt')
    .limit(500)
    .execute()
  for (const { id } of late) await quietly(() => expireOrder(checkout, id), { order: id })
}

async function quietly(work: () => Promise<void>, fields: Record<string, unknown>) {
  try {
    await work()
  } catch (error) {
    log.warn('a payment could not be reconciled; it is tried again in a minute', { error, ...fields })
  }
}

/** Asks the provider what became of one payment and acts on the answer. */
export async function reconcilePayment(checkout: Checkout, id: string): Promise<void> {
  const payment = await findPayment(checkout.db, id)
  if (!payment || payment.isLeased) return
  if (payment.status === 'capturing' && payment.walletId && !payment.providerOrderId) {
    const wallet = await findWalletById(checkout.db, payment.walletId)
    if (wallet) await repeatCharge(checkout, payment, wallet)
    return
  }
  if (!payment.providerOrderId || !['created', 'declined', 'capturing'].includes(payment.status)) return
  const told = await checkout.paypal.readOrder(payment.providerOrderId)
  if (!told) return forget(checkout, payment)
  if (told.capture) {
    await settle(checkout, payment.id, payment.orderId, told)
    return
  }
  const order = (await findOrder(checkout.db, payment.orderId))!
  const isFresh = order.status === 'pending' && !order.isExpired
  // the buyer pressed Pay; only our own crash kept us from capturing
  if (payment.status === 'capturing' || (told.status === 'APPROVED' && isFresh)) await capture(checkout, payment)
}

/** The provider knows no such order (any more): nothing can have been taken with it. */
async function forget({ db }: Checkout, payment: Payment) {
  await inTransaction(db, async (tx) => {
    const order = (await lockOrder(tx, payment.orderId))!
    const payments = await lockPaymentsOf(tx, payment.orderId)
    const fresh = payments.find(({ id }) => id === payment.id)!
    if (fresh.status === 'captured' || fresh.isLeased) return
    await changePayment(tx, payment.id, { status: 'declined', lastError: 'unknown at the provider' })
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
    supplementary_data: z
      .object({ related_ids: z.object({ order_id: z.string().optional(), capture_id: z.string().optional() }) })
      .optional(),
    links: z.array(z.object({ rel: z.string(), href: z.string() })).optional(),
  }),
})

/** Works one stored event off: finds the payment it speaks of and asks the provider about it. */
export async function processWebhook(checkout: Checkout, provider: string, eventId: string): Promise<void> {
  const { db } = checkout
  const event = await db
    .selectFrom('webhookEvents')
    .selectAll()
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .where('processedAt', 'is', null)
    .executeTakeFirst()
  if (!event) return
  const read = Resource.safeParse(JSON.parse(event.body))
  const error = read.success ? await actOn(checkout, read.data) : 'not an event about a payment'
  await db
    .updateTable('webhookEvents')
    .set({ processedAt: sql`now()`, error })
    .where('provider', '=', provider)
    .where('eventId', '=', eventId)
    .execute()
}

async function actOn(
  checkout: Checkout,
  { resource_type, event_type, resource }: z.infer<typeof Resource>,
): Promise<string | null> {
  const { db, paypal } = checkout
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
  const payment = providerOrderId ? await findPaymentByProviderOrder(db, providerOrderId) : undefined
  if (!payment) return `no payment of ours (${event_type})`
  const told = await paypal.readOrder(payment.providerOrderId!)
  if (told?.capture) await settle(checkout, payment.id, payment.orderId, told)
  return null
}
