import { expect, test, vi } from 'vitest'
import { createClock } from '../../test/clock.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests } from '../../test/shop.ts'
import { addToCart } from '../cart/cart.contract.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { enqueueOverdue } from '../payments/payments.store.server.ts'
import type { PaymentRef } from '../payments/outcome.ts'
import type { Provider } from '../payments/provider.ts'
import { requeueRefunds } from '../payments/refunds.store.server.ts'
import { requeueEvents } from '../payments/webhooks.server.ts'
import { startPayment } from './checkout.contract.ts'
import { checkoutJobs, reconcile } from './reconcile.server.ts'
import { METHOD } from '../../test/payment.ts'

// Failing payments, events and refunds do not block the queue.

const open = openShopForTests({ BONUS_PERCENT: '0' })

/** Creates an approved payment that was last processed `minutes` ago. */
async function left(status: 'created' | 'capturing', minutes: number) {
  const { pool } = open.shop.database
  const product = await addProduct(open.shop, { price: '10.00' })
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id, orderId } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  await pool.query(
    `UPDATE payments SET status = $2, lease_until = now() - interval '1 minute', updated_at = now() - make_interval(mins => $3)
     WHERE provider_order_id = $1`,
    [id, status, minutes],
  )
  return { id, order: async () => (await buyer.call(getOrder, { id: orderId })).status }
}

/** Makes the provider silent about some orders. `asked` records the queried orders. */
function without(hasAnswer: (id: string) => boolean) {
  const { checkout } = open.shop
  const asked: string[] = []
  const { main } = checkout.providers
  const find: Provider['find'] = async (payment) => {
    const id = payment.providerOrderId!
    asked.push(id)
    return hasAnswer(id) ? main.find(payment) : { kind: 'unknown', isAway: true, why: 'GET order: 500' }
  }
  const providers = { ...checkout.providers, named: () => ({ ...main, find }) }
  return { asked, checkout: { ...checkout, providers } }
}

const endAll = () => open.shop.database.pool.query(`UPDATE payments SET status = 'expired' WHERE status <> 'captured'`)

test('queries other payments when one gets no reply', async () => {
  const silent = await left('capturing', 60)
  const other = await left('capturing', 30)
  await reconcile(without((id) => id !== silent.id).checkout)
  expect([await silent.order(), await other.order()]).toEqual(['pending', 'completed'])
  await endAll()
})

test('ends a round of the reconciler after 45 seconds when the provider is slow', async () => {
  for (let i = 0; i < 3; i++) await left('created', 30)
  const clock = createClock()
  const { asked, checkout } = without(() => true)
  const { named } = checkout.providers
  const slow = { ...named(), find: (payment: PaymentRef) => (clock.advance(30_000), named().find(payment)) }
  await reconcile({ ...checkout, providers: { ...checkout.providers, named: () => slow } })
  expect(asked).toHaveLength(2)
  await endAll()
})

test('queries every payment when many get no reply', async () => {
  const silent: string[] = []
  for (let n = 0; n < 4; n++) silent.push((await left('capturing', 60)).id)
  const other = await left('created', 30)
  const { checkout } = without((id) => !silent.includes(id))
  for (let n = 0; n < 2; n++) await reconcile(checkout, { idleSeconds: 0 })
  expect(await other.order()).toBe('completed')
  await endAll()
})

test('stops after three unanswered payments and starts with others next time', async () => {
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push((await left('created', 60 - n)).id)
  const { checkout, asked } = without(() => false)
  await reconcile(checkout)
  expect(asked).toEqual(ids.slice(0, 3))
  await reconcile(checkout)
  expect(asked).toEqual(ids)
  await endAll()
})

test('reconciles the payments of one provider while another hangs', async () => {
  const { pool } = open.shop.database
  const [slow, own] = [await left('created', 60), await left('created', 30)]
  await pool.query(`UPDATE payments SET provider = 'stripe' WHERE provider_order_id = $1`, [slow.id])
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  vi.spyOn(open.shop.checkout.providers.named('stripe'), 'find').mockImplementation(async () => {
    await isOver
    return { kind: 'gone' }
  })
  const done = reconcile(open.shop.checkout)
  await expect.poll(own.order).toBe('completed')
  end()
  await done
  await endAll()
})

/** Creates a capture with a lost reply whose lease ended ten seconds ago. */
async function overdue() {
  const payment = await left('capturing', 0)
  await open.shop.database.pool.query(
    `UPDATE payments SET lease_until = now() - interval '10 seconds', updated_at = now() - interval '40 seconds'
     WHERE provider_order_id = $1`,
    [payment.id],
  )
  return payment
}

/** Runs the polling jobs that every node runs each two seconds. */
async function look() {
  for (const { everySeconds, run } of checkoutJobs(open.shop.checkout)) if (everySeconds !== undefined) await run({})
}

async function work(checkout: typeof open.shop.checkout) {
  const { rows } = await open.shop.database.pool.query<{ payload: { id: string } }>(
    `DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'reconcile:%' RETURNING payload`,
  )
  const { run } = checkoutJobs(checkout).find(({ name }) => name === 'reconcile_payment')!
  for (const { payload } of rows) await run(payload)
}

test('completes a capture soon after its lease ended without a reply', async () => {
  const payment = await overdue()
  const early = await left('capturing', 0)
  const lease = `UPDATE payments SET lease_until = now() - interval '4 seconds', updated_at = now() - interval '34 seconds'
    WHERE provider_order_id = $1`
  await open.shop.database.pool.query(lease, [early.id])
  await look()
  await work(open.shop.checkout)
  expect([await payment.order(), await early.order()]).toEqual(['completed', 'pending'])
  await endAll()
})

test('queries an overdue capture once when two nodes poll twice and the provider is unavailable', async () => {
  const payment = await overdue()
  const { checkout, asked } = without(() => false)
  for (let n = 0; n < 2; n++) {
    await Promise.all([look(), look()])
    await work(checkout)
  }
  expect(asked).toEqual([payment.id])
  await endAll()
})

test('does not block other overdue captures by a locked payment', async () => {
  const [locked, other] = [await overdue(), await overdue()]
  const client = await open.shop.database.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT FROM payments WHERE provider_order_id = $1 FOR NO KEY UPDATE', [locked.id])
  await look().finally(() => client.query('ROLLBACK').finally(() => client.release()))
  await work(open.shop.checkout)
  expect([await locked.order(), await other.order()]).toEqual(['pending', 'completed'])
  await look()
  await work(open.shop.checkout)
  expect(await locked.order()).toBe('completed')
})

test('enqueues a hundred overdue captures at a time, longest overdue first', async () => {
  const { pool, db } = open.shop.database
  const { id } = await left('created', 0)
  await pool.query(
    `WITH copies AS (
       INSERT INTO orders (user_id, checkout_key, request_hash, source, total_cents, credit_cents, payment_method, expires_at)
       SELECT o.user_id, n::text, '', o.source, o.total_cents, o.credit_cents, o.payment_method, o.expires_at
       FROM orders o JOIN payments p ON p.order_id = o.id, generate_series(1, 101) n WHERE p.provider_order_id = $1
       RETURNING id, checkout_key)
     INSERT INTO payments (order_id, provider, mode, amount_cents, status, lease_until, updated_at)
     SELECT c.id, p.provider, p.mode, p.amount_cents, 'capturing', now() - make_interval(mins => c.checkout_key::int), now() - interval '1 day'
     FROM copies c, payments p WHERE p.provider_order_id = $1`,
    [id],
  )
  for (const count of [100, 101]) {
    await enqueueOverdue(db)
    expect(await countJobs('reconcile', '')).toBe(count)
  }
  const { rows } = await pool.query<{ minutes: number }>(
    `SELECT (extract(epoch FROM now() - lease_until) / 60)::int AS minutes FROM payments WHERE status = 'capturing'
     ORDER BY updated_at DESC LIMIT 1`,
  )
  expect(rows).toEqual([{ minutes: 1 }])
  await pool.query(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE 'reconcile:%'`)
  await endAll()
})

const countJobs = async (name: string, what: string) => {
  const text = `SELECT FROM graphile_worker._private_jobs WHERE key LIKE $1 || ':%' AND key LIKE '%' || $2`
  return (await open.shop.database.pool.query(text, [name, what])).rowCount
}

test('enqueues other events when a hundred always fail', async () => {
  const { pool } = open.shop.database
  const note = (count: number, hours: number) =>
    pool.query(
      `INSERT INTO webhook_events (provider, event_id, event_type, body, received_at, due_at)
       SELECT '${METHOD}', gen_random_uuid() || '-left', 'PAYMENT.CAPTURE.REFUNDED', '{}', now() - make_interval(hours => $2), now() - make_interval(hours => $2)
       FROM generate_series(1, $1)`,
      [count, hours],
    )
  await note(100, 3)
  await note(1, 2)
  for (const count of [100, 101, 101]) {
    await requeueEvents(open.shop.database)
    expect(await countJobs('webhook', '-left')).toBe(count)
  }
  await pool.query('DELETE FROM webhook_events')
})

test('enqueues other refunds when a hundred always fail', async () => {
  const { pool, db } = open.shop.database
  const { id } = await left('created', 1)
  const ask = (count: number, hours: number) =>
    pool.query(
      `INSERT INTO refunds (payment_id, amount_cents, reason, created_at, updated_at)
       SELECT id, 1, 'left', now() - make_interval(hours => $3), now() - make_interval(hours => $3)
       FROM payments, generate_series(1, $2) WHERE provider_order_id = $1`,
      [id, count, hours],
    )
  await ask(100, 3)
  await ask(1, 2)
  for (const count of [100, 101, 101]) {
    await requeueRefunds(db)
    expect(await countJobs('refund', '')).toBe(count)
  }
})
