import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, openTestShop, type Person } from '../../test/shop.ts'
import { paymentRef, refundAtDashboard } from '../../test/payment.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { capturePayment, startPayment } from '../checkout/checkout.contract.ts'
import { processWebhook } from '../aftersale/events.server.ts'
import { reconcile, reconcilePayment } from '../checkout/reconcile.server.ts'
import { settle } from '../checkout/settle.server.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { type Captured, Unanswered } from './outcome.ts'
import { requeueEvents } from './webhooks.server.ts'
import { type Keys, openKeys, signEvent } from '../../sandbox/paypal/keys.server.ts'

// Tests send signed events to the webhook themselves. The sandbox delivers none.

const open = openShopForTests()
let keys: Keys
beforeAll(async () => {
  keys = await openKeys(open.shop.database.pool)
})
beforeEach(() => provider(open.shop).setFaults({ rate: 1, kinds: ['webhook_lost'] }))

type Event = { id: string; event_type: string; body: string }

const signed = (body: string, key?: KeyObject, at?: Date): Promise<Record<string, string>> =>
  signEvent(keys, `${open.shop.url}/sandbox/paypal`, body, key, at)
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

const post = async (body: string, headers?: Record<string, string>) =>
  fetch(`${open.shop.url}/api/payments/paypal/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(headers ?? (await signed(body))) },
    body,
  })

const inbox = async (id: string) =>
  open.shop.database.db.selectFrom('webhookEvents').selectAll().where('eventId', '=', id).executeTakeFirst()

const work = (id: string) => processWebhook(open.shop.checkout, 'paypal', id)

async function eventsOf(providerOrderId: string): Promise<Event[]> {
  const { rows } = await open.shop.database.pool.query<Event>(
    `SELECT id, event_type, body FROM sandbox.events WHERE body LIKE '%' || $1 || '%' ORDER BY created_at, id`,
    [providerOrderId],
  )
  return rows
}
const eventOf = async (providerOrderId: string, type: string) =>
  (await eventsOf(providerOrderId)).find(({ event_type }) => event_type === type)!

async function startBuying(codes?: string[]) {
  const product = await addProduct(open.shop, codes ? { codes } : {})
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  return { buyer, id, orderId }
}

/** Captures a payment without notifying the shop. */
async function captureUnheard(codes?: string[]) {
  const bought = await startBuying(codes)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['lost', 'webhook_lost'] })
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 1, kinds: ['webhook_lost'] })
  return { ...bought, completed: await eventOf(bought.id, 'PAYMENT.CAPTURE.COMPLETED') }
}

const statusOf = async ({ buyer, orderId }: { buyer: Person; orderId: string }) =>
  (await buyer.call(getOrder, { id: orderId })).status

const countJobs = async (eventId: string) => {
  const { rows } = await open.shop.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM graphile_worker._private_jobs WHERE payload->>'eventId' = $1`,
    [eventId],
  )
  return rows[0]!.count
}

/** Makes an event due without waiting three seconds. */
const makeDue = (id: string) =>
  open.shop.database.pool.query('UPDATE webhook_events SET due_at = now() WHERE event_id = $1', [id])

test('stores and acknowledges an event, then settles its payment', async () => {
  const bought = await captureUnheard()
  expect((await post(bought.completed.body)).status).toBe(200)
  expect(await inbox(bought.completed.id)).toMatchObject({ body: bought.completed.body, processedAt: null })
  // the reply to the capture may still arrive
  await requeueEvents(open.shop.database)
  expect(await countJobs(bought.completed.id)).toBe(0)
  await makeDue(bought.completed.id)
  await requeueEvents(open.shop.database)
  expect(await countJobs(bought.completed.id)).toBe(1)
  expect(await statusOf(bought)).toBe('pending')
  await work(bought.completed.id)
  expect(await statusOf(bought)).toBe('completed')
  // the body names the payer, so it is deleted
  expect(await inbox(bought.completed.id)).toMatchObject({ body: '', processedAt: expect.any(Date), error: null })
})

test('enqueues an event at once when no request of the shop is running', async () => {
  const bought = await captureUnheard()
  await open.shop.database.pool.query(
    `UPDATE payments SET lease_until = now() - interval '1 second' WHERE order_id = $1`,
    [bought.orderId],
  )
  await post(bought.completed.body)
  expect(await countJobs(bought.completed.id)).toBe(1)
})

test('creates no job for events about a settled payment', async () => {
  const bought = await startBuying()
  const approved = await eventOf(bought.id, 'CHECKOUT.ORDER.APPROVED')
  await post(approved.body)
  await makeDue(approved.id)
  expect((await bought.buyer.call(capturePayment, { id: bought.id })).status).toBe('COMPLETED')
  await requeueEvents(open.shop.database)
  const completed = await eventOf(bought.id, 'PAYMENT.CAPTURE.COMPLETED')
  await post(completed.body)
  for (const { id } of [approved, completed]) {
    expect(await inbox(id)).toMatchObject({ body: '', processedAt: expect.any(Date), error: null })
    expect(await countJobs(id)).toBe(0)
  }
})

test('retains the back-off of an event’s job and replaces a lost or exhausted job', async () => {
  const { pool } = open.shop.database
  const bought = await captureUnheard()
  const eventId = bought.completed.id
  await post(bought.completed.body)
  const due = async () => {
    await makeDue(eventId)
    await requeueEvents(open.shop.database)
    const { rows } = await pool.query<{ attempts: number; is_later: boolean }>(
      `SELECT attempts, run_at > now() AS is_later FROM graphile_worker.jobs WHERE key = 'webhook:paypal:' || $1`,
      [eventId],
    )
    return rows
  }
  const fail = (attempts: number) =>
    pool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = $2, run_at = now() + interval '1 hour' WHERE key = 'webhook:paypal:' || $1`,
      [eventId, attempts],
    )
  const fresh = [{ attempts: 0, is_later: false }]
  expect(await due()).toEqual(fresh)
  await fail(5)
  expect(await due()).toEqual([{ attempts: 5, is_later: true }])
  await fail(25)
  expect(await due()).toEqual(fresh)
  await pool.query(`DELETE FROM graphile_worker._private_jobs WHERE key = 'webhook:paypal:' || $1`, [eventId])
  expect(await due()).toEqual(fresh)
})

test('a locked event does not block the closing or enqueueing of others', async () => {
  const { pool } = open.shop.database
  const both = [await captureUnheard(), await captureUnheard()]
  for (const { completed } of both) await post(completed.body)
  const locked = both[0]!.completed.id
  const other = both[1]!.completed.id
  const client = await pool.connect()
  const beside = async (work: () => Promise<void>) => {
    await client.query('BEGIN')
    await client.query('SELECT FROM webhook_events WHERE event_id = $1 FOR UPDATE', [locked])
    await work().finally(() => client.query('ROLLBACK'))
  }
  onTestFinished(() => client.release())
  for (const { completed } of both) await makeDue(completed.id)
  await beside(() => requeueEvents(open.shop.database))
  expect([await countJobs(locked), await countJobs(other)]).toEqual([0, 1])
  for (const { orderId, completed } of both) {
    await pool.query(
      `UPDATE payments SET status = 'captured', provider_capture_id = provider_order_id || '-C' WHERE order_id = $1`,
      [orderId],
    )
    await makeDue(completed.id)
  }
  await beside(() => requeueEvents(open.shop.database))
  expect(await inbox(locked)).toMatchObject({ processedAt: null })
  expect(await inbox(other)).toMatchObject({ processedAt: expect.any(Date) })
})

test('stores an event while its payment is being settled', async () => {
  const bought = await startBuying()
  const approved = await eventOf(bought.id, 'CHECKOUT.ORDER.APPROVED')
  const client = await open.shop.database.pool.connect()
  await client.query('BEGIN')
  // updating a column with a unique index takes the strongest row lock
  await client.query(`UPDATE payments SET provider_capture_id = 'C-1' WHERE order_id = $1`, [bought.orderId])
  const answer = await post(approved.body).finally(() => client.query('ROLLBACK').finally(() => client.release()))
  expect(answer.status).toBe(200)
})

test('captures an approved payment within seconds after the buyer left the page', async () => {
  const bought = await startBuying()
  const approved = await eventOf(bought.id, 'CHECKOUT.ORDER.APPROVED')
  await post(approved.body)
  await work(approved.id)
  const { rows } = await open.shop.database.pool.query<{ id: string; in_seconds: number }>(
    `SELECT j.payload->>'id' AS id, extract(epoch FROM j.run_at - now())::float8 AS in_seconds
     FROM graphile_worker._private_jobs j JOIN payments p ON p.id::text = j.payload->>'id' WHERE p.order_id = $1`,
    [bought.orderId],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]!.in_seconds).toBeLessThan(11)
  await reconcilePayment(open.shop.checkout, rows[0]!.id)
  expect(await statusOf(bought)).toBe('completed')
})

test('rejects a forged event and stores nothing', async () => {
  const bought = await startBuying()
  const approved = await eventOf(bought.id, 'CHECKOUT.ORDER.APPROVED')
  const forged = approved.body.replace('"APPROVED"', '"COMPLETED"')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const genuine = await signed(approved.body)
  const attempts: [string, string, Record<string, string>][] = [
    ['signed by somebody else', approved.body, await signed(approved.body, privateKey)],
    ['another body under a genuine signature', forged, genuine],
    ['the same bytes with one more space', `${approved.body} `, { ...genuine, 'paypal-transmission-sig': '' }],
    ['read and written anew', JSON.stringify({ ...JSON.parse(approved.body), create_time: 'x' }), genuine],
    ['no signature at all', approved.body, {}],
    ['a certificate of the sender', approved.body, { ...genuine, 'paypal-cert-url': 'https://evil.example/cert.pem' }],
    ['another transmission', approved.body, { ...genuine, 'paypal-transmission-id': randomUUID() }],
    ['another time', approved.body, { ...genuine, 'paypal-transmission-time': '2020-01-01T00:00:00Z' }],
    ['signed six days ago', approved.body, await signed(approved.body, undefined, daysAgo(6))],
    ['not JSON', 'x', await signed('x')],
    ['JSON that is no event', '{"hello":"there"}', await signed('{"hello":"there"}')],
  ]
  for (const [name, body, headers] of attempts) expect((await post(body, headers)).status, name).toBe(400)
  expect(await inbox(approved.id)).toBeUndefined()
  expect((await post(approved.body, await signed(approved.body, undefined, daysAgo(3)))).status).toBe(200)
  expect((await post(approved.body, genuine)).status).toBe(200)
  // a replay with another body; the shop has already stored an event with this id
  expect((await post(forged, genuine)).status).toBe(400)
  expect(await inbox(approved.id)).toMatchObject({ body: approved.body, timesReceived: 2 })
  await work(approved.id)
  expect(await statusOf(bought)).toBe('pending')
})

test('reads the amount from the provider instead of trusting an event', async () => {
  const bought = await startBuying()
  const approved = await eventOf(bought.id, 'CHECKOUT.ORDER.APPROVED')
  const lie = approved.body.replaceAll('"APPROVED"', '"COMPLETED"').replace(approved.id, 'WH-LIE')
  // as if the provider had signed a false event
  expect((await post(lie)).status).toBe(200)
  await work('WH-LIE')
  expect(await statusOf(bought)).toBe('pending')
})

test('processes an event once that arrives three times at once', async () => {
  const bought = await captureUnheard(['THE-ONLY-CODE'])
  const answers = await Promise.all([1, 2, 3].map(() => post(bought.completed.body)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await inbox(bought.completed.id)).toMatchObject({ timesReceived: 3 })
  await makeDue(bought.completed.id)
  await Promise.all([1, 2].map(() => requeueEvents(open.shop.database)))
  expect(await countJobs(bought.completed.id)).toBe(1)
  await Promise.all([work(bought.completed.id), work(bought.completed.id)])
  await work(bought.completed.id)
  const order = await bought.buyer.call(getOrder, { id: bought.orderId })
  expect(order.events.map(({ status }) => status)).toEqual(['pending', 'completed'])
  const { rows } = await open.shop.database.pool.query(
    `SELECT (SELECT count(*)::int FROM ledger_entries l JOIN payments p ON p.id = l.payment_id
          WHERE p.order_id = $1 AND l.account LIKE 'provider:%') AS entries,
       (SELECT count(*)::int FROM mails WHERE key = 'receipt:' || $1) AS receipts`,
    [bought.orderId],
  )
  expect(rows).toEqual([{ entries: 1, receipts: 1 }])
})

test('settles events in the wrong order with the same result', async () => {
  const bought = await captureUnheard()
  const events = await eventsOf(bought.id)
  expect(events.map(({ event_type }) => event_type)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED'])
  for (const event of events.toReversed()) {
    expect((await post(event.body)).status).toBe(200)
    await work(event.id)
    expect(await statusOf(bought)).toBe('completed')
  }
})

test('stores an event about no payment of the shop', async () => {
  const bought = await captureUnheard()
  const { resource } = JSON.parse(bought.completed.body) as { resource: { custom_id: string } }
  const foreign = bought.completed.body
    .replaceAll(resource.custom_id, randomUUID())
    .replaceAll(bought.id, 'SOMEBODYELSES1')
    .replace(bought.completed.id, 'WH-FOREIGN')
  expect((await post(foreign)).status).toBe(200)
  await work('WH-FOREIGN')
  expect(await inbox('WH-FOREIGN')).toMatchObject({ error: expect.stringContaining('no payment of ours') })
  const other = JSON.stringify({ id: 'WH-OTHER', event_type: 'CUSTOMER.DISPUTE.CREATED', resource_type: 'dispute' })
  expect((await post(other)).status).toBe(200)
  await work('WH-OTHER')
  expect(await inbox('WH-OTHER')).toMatchObject({ error: expect.any(String), processedAt: expect.any(Date) })
  expect(await statusOf(bought)).toBe('pending')
})

test('verifies an event while the provider is away', async () => {
  const bought = await captureUnheard()
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  expect((await post(bought.completed.body)).status).toBe(200)
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await work(bought.completed.id)
  expect(await statusOf(bought)).toBe('completed')
})

test('answers 503 while the certificate cannot be fetched', async () => {
  const bought = await captureUnheard()
  const { main } = open.shop.checkout.providers
  const real = main.readEvent
  main.readEvent = () => Promise.reject(new Unanswered('no certificate'))
  const answer = await post(bought.completed.body)
  main.readEvent = real
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await inbox(bought.completed.id)).toBeUndefined()
  expect((await post(bought.completed.body)).status).toBe(200)
})

test('retries an event while the provider is away', async () => {
  const bought = await captureUnheard()
  await post(bought.completed.body)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  await expect(work(bought.completed.id)).rejects.toThrow()
  expect(await inbox(bought.completed.id)).toMatchObject({ processedAt: null })
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  await work(bought.completed.id)
  expect(await statusOf(bought)).toBe('completed')
})

test('completes an order by webhook when the capture reply was lost', async () => {
  const shop = await openTestShop({}, { hasJobs: true })
  try {
    const product = await addProduct(shop)
    const buyer = await shop.join()
    await buyer.call(addToCart, { productId: product.id, quantity: 1 })
    const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
    await provider(shop).approve(id)
    await provider(shop).setFaults({ rate: 1, kinds: ['lost'] })
    expect((await buyer.call(capturePayment, { id })).status).toBe('PENDING')
    await provider(shop).setFaults({ rate: 0, kinds: [] })
    // long before the reconciler polls; the sandbox resends a failed delivery after a second
    await expect
      .poll(async () => (await buyer.call(getOrder, { id: orderId })).status, { timeout: 15_000 })
      .toBe('completed')
  } finally {
    await shop.close()
  }
})

// --- refunds in the provider's dashboard

/** Refunds a payment in the provider's dashboard without the shop and returns the provider's event. */
async function refundInDashboard(bought: { id: string }, amountCents = 1000) {
  const { main } = open.shop.checkout.providers
  const told = (await main.find(paymentRef({ providerOrderId: bought.id }))) as Captured
  await refundAtDashboard(open.shop, told.captureRef, amountCents)
  const { rows } = await open.shop.database.pool.query<Event>(
    `SELECT id, event_type, body FROM sandbox.events WHERE event_type = 'PAYMENT.CAPTURE.REFUNDED'
     ORDER BY created_at DESC LIMIT 1`,
  )
  return { event: rows[0]!, told }
}

const ledgerOf = async (orderId: string) => {
  const { rows } = await open.shop.database.pool.query<{ account: string; cents: number }>(
    `SELECT account, sum(l.amount_cents) AS cents FROM ledger_entries l JOIN payments p ON p.id = l.payment_id
     WHERE p.order_id = $1 GROUP BY account HAVING sum(l.amount_cents) <> 0`,
    [orderId],
  )
  return rows
}

test('revokes access and records a refund from the dashboard', async () => {
  const bought = await startBuying()
  await bought.buyer.call(capturePayment, { id: bought.id })
  const { event } = await refundInDashboard(bought)
  await post(event.body)
  await work(event.id)
  await work(event.id)
  const order = await bought.buyer.call(getOrder, { id: bought.orderId })
  expect(order).toMatchObject({ status: 'refunded', lines: [{ delivery: null }] })
  expect(await ledgerOf(bought.orderId)).toEqual([])
})

test('delivers nothing when the refund’s event arrives before the capture’s', async () => {
  const bought = await captureUnheard()
  const { event } = await refundInDashboard(bought)
  for (const { body } of [event, bought.completed]) expect((await post(body)).status).toBe(200)
  await expect(work(event.id)).rejects.toThrow('not settled')
  await work(bought.completed.id)
  await work(event.id)
  await open.shop.database.pool.query(
    `UPDATE orders SET expires_at = now() - interval '1 second' WHERE status = 'pending'`,
  )
  await reconcile(open.shop.checkout, { idleSeconds: 0 })
  expect(await statusOf(bought)).toBe('failed')
  expect(await bought.buyer.call(getCart, {})).toHaveLength(1)
  expect(await ledgerOf(bought.orderId)).toEqual([])
})

test('records a refund whose event arrives during settlement', async () => {
  const bought = await captureUnheard()
  const { event, told } = await refundInDashboard(bought)
  await post(event.body)
  // the settlement uses an outcome from before the refund
  await expect(work(event.id)).rejects.toThrow('not settled')
  const payment = await open.shop.database.db
    .selectFrom('payments')
    .select('id')
    .where('orderId', '=', bought.orderId)
    .executeTakeFirstOrThrow()
  await settle(open.shop.checkout, payment.id, bought.orderId, told)
  expect(await statusOf(bought)).toBe('completed')
  await work(event.id)
  expect(await statusOf(bought)).toBe('refunded')
  expect(await ledgerOf(bought.orderId)).toEqual([])
})

test('delivers a capture that the dashboard partially refunded', async () => {
  const bought = await captureUnheard()
  await refundInDashboard(bought, 100)
  await post(bought.completed.body)
  await work(bought.completed.id)
  expect(await statusOf(bought)).toBe('completed')
})
