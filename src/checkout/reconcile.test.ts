import { expect, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests } from '../../test/shop.ts'
import { addToCart } from '../cart/cart.contract.ts'
import { getOrder } from '../orders/orders.contract.ts'
import type { Provider } from '../payments/provider.ts'
import { requeueRefunds } from '../payments/refunds.store.server.ts'
import { requeueEvents } from '../payments/webhooks.server.ts'
import { startPayment } from './checkout.contract.ts'
import { reconcile } from './reconcile.server.ts'
import { METHOD } from '../../test/payment.ts'

// Failing payments, events and refunds do not block the queue.

const open = openShopForTests({ BONUS_PERCENT: '0' })

/** An approved payment, last touched `minutes` ago. */
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

/** The shop with a provider that has no answer about these orders; `asked` is what it was asked for. */
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

test('asks about other payments when one gets no answer', async () => {
  const silent = await left('capturing', 60)
  const other = await left('capturing', 30)
  await reconcile(without((id) => id !== silent.id).checkout)
  expect([await silent.order(), await other.order()]).toEqual(['pending', 'completed'])
  await endAll()
})

test('reaches every payment when many get no answer', async () => {
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

const countJobs = async (name: string, what: string) => {
  const text = `SELECT FROM graphile_worker._private_jobs WHERE key LIKE $1 || ':%' AND key LIKE '%' || $2`
  return (await open.shop.database.pool.query(text, [name, what])).rowCount
}

test('requeues other events when a hundred fail each time', async () => {
  const { pool, db } = open.shop.database
  const note = (count: number, hours: number) =>
    pool.query(
      `INSERT INTO webhook_events (provider, event_id, event_type, body, received_at)
       SELECT '${METHOD}', gen_random_uuid() || '-left', 'PAYMENT.CAPTURE.REFUNDED', '{}', now() - make_interval(hours => $2)
       FROM generate_series(1, $1)`,
      [count, hours],
    )
  await note(100, 3)
  await note(1, 2)
  for (const count of [100, 101, 101]) {
    await requeueEvents(db)
    expect(await countJobs('webhook', '-left')).toBe(count)
  }
  await pool.query('DELETE FROM webhook_events')
})

test('requeues other refunds when a hundred fail each time', async () => {
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
