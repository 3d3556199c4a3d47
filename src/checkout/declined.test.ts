import { expect, onTestFinished, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { fillCart } from '../../test/riskShop.ts'
import { openShopForTests } from '../../test/shop.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import type { Outcome } from '../payments/outcome.ts'
import { capturePayment, startPayment } from './checkout.contract.ts'
import { capture } from './pay.server.ts'
import { processWebhook } from '../aftersale/events.server.ts'
import { reconcile, reconcilePayment } from './reconcile.server.ts'
import { settle } from './settle.server.ts'
import { METHOD } from '../../test/payment.ts'

const open = openShopForTests()
const payer = { id: null, country: null, isVerified: null }
const DENIED = { kind: 'declined', reason: 'capture DECLINED', canRetry: true, payer } as const

/** Creates a buyer whose payment was declined and whose page is still open. */
async function declined() {
  const { checkout, database } = open.shop
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await fillCart(buyer, book.id, 1)
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).decline(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('DECLINED')
  const payment = await database.db
    .selectFrom('payments')
    .select(['id', 'orderId', 'declines'])
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  const counted = async () =>
    (await database.pool.query('SELECT FROM risk_declines WHERE user_id = $1', [buyer.id])).rowCount
  return { checkout, database, buyer, id, orderId, payment, counted }
}

test('captures nothing after a decline until the buyer retries', async () => {
  const { checkout, buyer, id, orderId, payment, counted } = await declined()
  for (let n = 0; n < 3; n++) await reconcile(checkout, { idleSeconds: 0 })
  expect(await counted()).toBe(1)
  // the payment method works again, and the provider's order is still approved
  await provider(open.shop).approve(id)
  await reconcile(checkout, { idleSeconds: 0 })
  expect(await capture(checkout, payment, { isByBuyer: false })).toBe('DECLINED')
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({
    status: 'pending',
    declinedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
  expect((await buyer.call(getOrder, { id: orderId })).declinedAt).toBeNull()
  expect(await counted()).toBe(1)
})

test('counts a decline once although it is read repeatedly', async () => {
  const { checkout, id, orderId, payment, counted } = await declined()
  const denied: Outcome = { ...DENIED, ref: id, captureRef: 'X' }
  for (let n = 0; n < 3; n++) expect(await settle(checkout, payment.id, orderId, denied)).toBe('declined')
  expect(await counted()).toBe(1)
  const { declines } = await checkout.db
    .selectFrom('payments')
    .select('declines')
    .where('id', '=', payment.id)
    .executeTakeFirstOrThrow()
  expect(declines).toBe(payment.declines)
})

/** Makes the provider report the declined capture with its order, as some providers do. */
function showDeclines() {
  const { checkout, database } = open.shop
  const { main } = checkout.providers
  const { find, capture } = main
  const named = async (outcome: Outcome): Promise<Outcome> => {
    if (!('ref' in outcome) || ['captured', 'pending'].includes(outcome.kind)) return outcome
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM sandbox.records
       WHERE kind = 'capture' AND order_id = $1 AND body->>'status' = 'DECLINED' ORDER BY created_at DESC`,
      [outcome.ref],
    )
    return rows[0] ? { ...DENIED, ref: outcome.ref, captureRef: rows[0].id } : outcome
  }
  main.find = async (payment, seen) => named(await find(payment, seen))
  main.capture = async (payment) => named(await capture(payment))
  return () => void Object.assign(main, { find, capture })
}

/** Creates a payment with a declined first try and an unanswered second try. */
async function triedAgain(fault: 'error' | 'lost') {
  onTestFinished(showDeclines())
  const bought = await declined()
  const { checkout, buyer, id } = bought
  await provider(open.shop).approve(id)
  await provider(open.shop).setFaults({ rate: 1, kinds: [fault] })
  expect((await buyer.call(capturePayment, { id })).status).toBe('PENDING')
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  const { rows: events } = await bought.database.pool.query<{ id: string; event_type: string; body: string }>(
    `SELECT id, event_type, body FROM sandbox.events WHERE body LIKE '%' || $1 || '%' ORDER BY created_at, id`,
    [id],
  )
  const now = () =>
    bought.database.db
      .selectFrom('payments')
      .select(['status', 'declines'])
      .where('id', '=', bought.payment.id)
      .executeTakeFirstOrThrow()
  let times = 0
  /** Delivers an event, however late. */
  const hear = async (event: (typeof events)[number]) => {
    const eventId = `${event.id}-${++times}`
    const stored = { provider: METHOD, eventId, eventType: event.event_type, body: event.body }
    await bought.database.db.insertInto('webhookEvents').values(stored).execute()
    await processWebhook(checkout, METHOD, eventId)
  }
  const denied = events.find(({ event_type }) => event_type === 'PAYMENT.CAPTURE.DENIED')!
  const letLeaseRunOut = () =>
    bought.database.pool.query("UPDATE payments SET lease_until = now() - interval '1 minute' WHERE id = $1", [
      bought.payment.id,
    ])
  return { ...bought, events, denied, hear, now, letLeaseRunOut }
}

test.each([true, false])(
  'ignores a late decline of the first try during the next try (leased: %s)',
  async (isLeased) => {
    const { checkout, buyer, orderId, payment, denied, hear, now, counted, letLeaseRunOut } = await triedAgain('error')
    if (!isLeased) await letLeaseRunOut()
    for (let n = 0; n < 3; n++) await hear(denied)
    expect(await now()).toEqual({ status: 'capturing', declines: 1 })
    expect(await counted()).toBe(1)
    await letLeaseRunOut()
    await reconcilePayment(checkout, payment.id)
    expect((await buyer.call(getOrder, { id: orderId })).status).toBe('completed')
  },
)

test('ignores an unrecorded decline while the next try is leased', async () => {
  const { database, payment, denied, hear, now } = await triedAgain('error')
  await database.pool.query("UPDATE payments SET declined_captures = '{}' WHERE id = $1", [payment.id])
  await hear(denied)
  expect(await now()).toMatchObject({ status: 'capturing' })
})

test.each([1, 2, 3, 4])('delivers once for repeated and late events in any order: shuffle %i', async (seed) => {
  const { buyer, orderId, events, hear, counted } = await triedAgain('lost')
  const all = [...events, ...events]
  const shuffled = all.map((event, n) => ({ event, at: (n * 7 * seed + seed) % 11 })).sort((a, b) => a.at - b.at)
  expect(events.map(({ event_type }) => event_type)).toContain('PAYMENT.CAPTURE.COMPLETED')
  for (const { event } of shuffled) await hear(event)
  const order = await buyer.call(getOrder, { id: orderId })
  expect(order.events.map(({ status }) => status)).toEqual(['pending', 'completed'])
  expect(await counted()).toBe(1)
})

test('closes other open payments when one payment completes the order', async () => {
  const { database, buyer, id, orderId, payment } = await declined()
  const other = crypto.randomUUID()
  await database.pool.query(
    `INSERT INTO payments (id, order_id, provider, mode, status, amount_cents)
     SELECT $1, order_id, provider, mode, 'created', amount_cents FROM payments WHERE id = $2`,
    [other, payment.id],
  )
  await provider(open.shop).approve(id)
  expect((await buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
  const rows = await database.db
    .selectFrom('payments')
    .select(['id', 'status'])
    .where('orderId', '=', orderId)
    .execute()
  expect(new Map(rows.map((row) => [row.id, row.status]))).toEqual(
    new Map([
      [payment.id, 'captured'],
      [other, 'expired'],
    ]),
  )
})
