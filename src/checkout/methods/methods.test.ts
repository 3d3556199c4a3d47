import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { saveSandboxWallet } from '../../../sandbox/paypal/wallets.server.ts'
import { createClock } from '../../../test/clock.ts'
import { balanceOf, give } from '../../../test/credit.ts'
import { createFake, type FakePayment } from '../../../test/fakeProvider/fakeProvider.ts'
import { addProduct } from '../../../test/goods.ts'
import { provider } from '../../../test/provider.ts'
import { openTestShop, type Person, SECRET, type TestShop } from '../../../test/shop.ts'
import { readConfig } from '../../app/settings.server.ts'
import { openShop } from '../../app/shop.server.ts'
import { addToCart, getCart } from '../../cart/cart.contract.ts'
import { CODE, openSeller } from '../../../test/discount.ts'
import { applyDiscount } from '../../cart/discounts/discount.contract.ts'
import { send } from '../../kit/call.ts'
import { getOrder, listOrders } from '../../purchases/orders.contract.ts'
import { chooseMethod, listMethods } from '../../payments/methods/methods.contract.ts'
import { openPaypal } from '../../providers/paypal/open.server.ts'
import { saveWallet } from '../../payments/wallets.store.server.ts'
import { Unanswered } from '../../payments/outcome.ts'
import { receiveEvent } from '../../payments/webhooks.server.ts'
import { listWallets, removeWallet } from '../../payments/wallets.contract.ts'
import {
  cancelOrder,
  cancelPayment,
  capturePayment,
  chargeOrder,
  placeOrder,
  settleReturn,
  startPayment,
} from '../checkout.contract.ts'
import { closeEnded } from '../close.server.ts'
import type { Checkout } from '../context.server.ts'
import { processWebhook } from '../../aftersale/events.server.ts'
import { reconcile, reconcilePayment } from '../reconcile.server.ts'
import { runRefund } from '../../aftersale/refunds/refund.server.ts'
import { getRefundOffer } from '../../aftersale/refunds/selfRefund.contract.ts'
import { settle } from '../settle.server.ts'

// Two providers: PayPal, which captures on request, and a fake one that captures by itself.

const fake = createFake()
let shop: TestShop
let other: { url: string; checkout: Checkout; close: () => Promise<void> }
const providers = [openPaypal, fake.opening]
const usd = { currency: 'USD', intent: 'capture' } as const

beforeAll(async () => {
  shop = await openTestShop({ BONUS_PERCENT: '0' }, { providers })
  const env = { PORT: '0', NODE_ENV: 'test', DATA_DIR: shop.dataDir, RATE_LIMIT_SCALE: '0', BONUS_PERCENT: '0' }
  const config = readConfig({ ...env, DATABASE_POOL: '10' })
  const node = await openShop({ config, databaseUrl: shop.shopUrl, secret: SECRET, hasJobs: false, providers })
  other = { url: node.server.url, checkout: node.checkout, close: () => node.close() }
})
afterAll(async () => {
  await other.close()
  await shop.close()
})
afterEach(async () => {
  fake.faults.next = null
  await provider(shop).setFaults({ rate: 0, kinds: [] })
  // no order is paid twice or has two open payments
  const { rows } = await shop.database.pool.query(
    `SELECT order_id FROM payments WHERE status IN ('creating', 'created', 'declined') AND wallet_id IS NULL
     GROUP BY order_id HAVING count(*) > 1
     UNION ALL SELECT payment_id FROM ledger_entries GROUP BY payment_id HAVING sum(amount_cents) <> 0`,
  )
  expect(rows).toEqual([])
})

async function withCart(price = '10.00') {
  const product = await addProduct(shop, { price })
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  return { product, buyer }
}
const start = (buyer: Person, method?: string, more: object = {}) =>
  buyer.call(startPayment, { amount: '10.00', ...usd, ...(method && { method }), ...more })

/** Creates an order with an open payment of `method`. */
async function started(method: 'paypal' | 'fake') {
  const { buyer, product } = await withCart()
  const { id: ref, orderId } = await start(buyer, method)
  const again = (next?: string) => start(buyer, next, { orderId })
  const order = () => buyer.call(getOrder, { id: orderId })
  return { buyer, product, ref, orderId, again, order }
}
const paymentsOf = (orderId: string) =>
  shop.database.db
    .selectFrom('payments')
    .select(['id', 'provider', 'status', 'lastError', 'providerOrderId', 'closedAt'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .execute()
const statesOf = async (orderId: string) => (await paymentsOf(orderId)).map((one) => `${one.provider} ${one.status}`)
const atFake = (ref: string): FakePayment => fake.payments.get(ref)!
const payAtFake = (ref: string) => {
  atFake(ref).state = 'captured'
}
async function hear(ref: string, on: Checkout = shop.checkout) {
  const { rows } = await shop.database.pool.query<{ id: string; order_id: string }>(
    'SELECT id, order_id FROM payments WHERE provider_order_id = $1',
    [ref],
  )
  const { id, order_id: orderId } = rows[0]!
  const found = await on.providers.named('fake').find({ ...(await paymentRow(id)) })
  return settle(on, id, orderId, found)
}
const paymentRow = async (id: string) => {
  const row = await shop.database.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...row, ageMinutes: 0, sentMinutes: null }
}
async function refundAll() {
  const asked = await shop.database.db.selectFrom('refunds').select('id').where('status', '=', 'requested').execute()
  for (const { id } of asked) await runRefund(shop.checkout, id)
}
const capturedAtPaypal = async (orderId: string) => {
  const ids = (await paymentsOf(orderId)).map(({ id }) => id)
  return (await provider(shop).captures()).filter(({ customId }) => ids.includes(customId))
}

test('lists the configured methods and preselects the last used one', async () => {
  const { buyer } = await withCart()
  expect(await buyer.call(listMethods, {})).toEqual({
    methods: [
      {
        name: 'paypal',
        label: 'PayPal',
        hint: 'A PayPal window opens.',
        isSandbox: true,
        step: 'window',
        canAdd: true,
      },
      {
        ...{ name: 'fake', label: 'Fake Pay', isSandbox: true, step: 'page', canAdd: false },
        hint: 'You pay on the page of Fake Pay and come back here.',
      },
    ],
    saved: [],
    choice: { method: 'paypal', walletId: null },
  })
  const { next, orderId } = await start(buyer, 'fake')
  expect(next).toEqual({ kind: 'page', url: expect.stringContaining('fakepay_') })
  expect((await buyer.call(getOrder, { id: orderId })).paymentMethod).toBe('fake')
  expect((await buyer.call(listMethods, {})).choice).toEqual({ method: 'fake', walletId: null })
  await buyer.call(addToCart, { productId: (await addProduct(shop)).id, quantity: 1 })
  expect((await start(buyer)).next.kind).toBe('page')
  expect((await (await shop.join()).call(listMethods, {})).choice.method).toBe('paypal')
})

test('rejects an unknown method and changes nothing', async () => {
  const { buyer, product } = await withCart()
  await expect(start(buyer, 'barter')).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('barter'),
  })
  const items = [{ productId: product.id, quantity: 1, price: '10.00' }]
  const quick = buyer.call(placeOrder, { items, total: '10.00', paymentMethod: 'barter', paymentId: 'x' })
  await expect(quick).rejects.toMatchObject({ status: 400 })
  await expect(buyer.call(chooseMethod, { method: 'barter', walletId: null })).rejects.toMatchObject({ status: 400 })
  expect(await buyer.call(listOrders, {})).toEqual([])
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('reuses the open payment of the same method', async () => {
  const { orderId, ref, again } = await started('fake')
  expect((await again('fake')).id).toBe(ref)
  // without a method, the order retains its method
  expect((await again()).id).toBe(ref)
  expect(await statesOf(orderId)).toEqual(['fake created'])
})

test('closes the old payment at its provider before opening one of another method', async () => {
  const { orderId, ref, again, order } = await started('fake')
  const { next } = await again('paypal')
  expect(next.kind).toBe('window')
  expect(atFake(ref).state).toBe('closed')
  expect(await statesOf(orderId)).toEqual(['fake canceled', 'paypal created'])
  expect((await paymentsOf(orderId))[0]).toMatchObject({ closedAt: expect.any(Date) })
  expect((await order()).paymentMethod).toBe('paypal')
})

test('never captures an approved payment after its method was replaced', async () => {
  const { buyer, orderId, ref, again, order } = await started('paypal')
  await provider(shop).approve(ref)
  const { id: next } = await again('fake')
  await expect(buyer.call(capturePayment, { id: ref })).rejects.toMatchObject({ status: 409, code: 'order_closed' })
  await reconcile(shop.checkout, { idleSeconds: 0 })
  expect(await capturedAtPaypal(orderId)).toEqual([])
  payAtFake(next)
  await hear(next)
  expect(await order()).toMatchObject({ status: 'completed', paymentMethod: 'fake' })
})

test('stores the card that the provider reports and shows it in the refund offer', async () => {
  const { buyer, orderId, ref } = await started('fake')
  payAtFake(ref)
  await hear(ref)
  expect(await buyer.call(getRefundOffer, { id: orderId })).toMatchObject({ to: 'fake', card: 'Visa ending in 4242' })
})

test('settles an old payment that is already paid and opens no new one', async () => {
  const { orderId, ref, again, order } = await started('fake')
  payAtFake(ref)
  await expect(again('paypal')).rejects.toMatchObject({ status: 409, code: 'order_paid', details: { orderId } })
  expect(await statesOf(orderId)).toEqual(['fake captured'])
  expect((await order()).status).toBe('completed')
})

test('rejects a switch of methods while money is moving', async () => {
  const { buyer, orderId, ref, again } = await started('paypal')
  await provider(shop).approve(ref)
  await provider(shop).setFaults({ rate: 1, kinds: ['lost'] })
  expect((await buyer.call(capturePayment, { id: ref })).status).toBe('PENDING')
  await provider(shop).setFaults({ rate: 0, kinds: [] })
  await expect(again('fake')).rejects.toMatchObject({ status: 409, code: 'payment_under_way' })
  expect(await statesOf(orderId)).toEqual(['paypal capturing'])

  const held = await started('fake')
  atFake(held.ref).state = 'pending'
  await expect(held.again('paypal')).rejects.toMatchObject({ status: 409, code: 'payment_under_way' })
  expect(await statesOf(held.orderId)).toEqual(['fake created'])
})

test('retains the old payment while its provider reports no result', async () => {
  const { orderId, again } = await started('fake')
  fake.faults.next = 'away'
  await expect(again('paypal')).rejects.toMatchObject({ status: 503, code: 'provider_away' })
  expect(await statesOf(orderId)).toEqual(['fake created'])
  fake.faults.next = null
  await again('paypal')
  expect(await statesOf(orderId)).toEqual(['fake canceled', 'paypal created'])
})

test('settles money for a closed payment of an unpaid order and charges no other method', async () => {
  const { buyer, orderId, ref, again, order } = await started('fake')
  const { id: next } = await again('paypal')
  await provider(shop).approve(next)
  payAtFake(ref)
  expect(await hear(ref)).toBe('completed')
  expect(await order()).toMatchObject({ status: 'completed', paymentMethod: 'fake' })
  await expect(buyer.call(capturePayment, { id: next })).rejects.toMatchObject({ status: 409 })
  expect(await capturedAtPaypal(orderId)).toEqual([])
  expect(await statesOf(orderId)).toEqual(['fake captured', 'paypal expired'])
})

test('refunds in full money for a closed payment of a paid order', async () => {
  const { buyer, orderId, ref, again, order } = await started('fake')
  const { id: next } = await again('paypal')
  await provider(shop).approve(next)
  expect((await buyer.call(capturePayment, { id: next })).status).toBe('COMPLETED')
  payAtFake(ref)
  expect(await hear(ref)).toBe('refunding')
  expect(await hear(ref)).toBe('refunding')
  await refundAll()
  expect(fake.refundedOf(atFake(ref))).toBe(1000)
  expect(await order()).toMatchObject({ status: 'completed', paymentMethod: 'paypal', refunds: [] })
  expect(await statesOf(orderId)).toEqual(['fake mismatched', 'paypal captured'])
})

test('completes one payment and refunds the other when both are paid at once on two nodes', async () => {
  for (let round = 0; round < 6; round++) {
    const { buyer, orderId, ref, again, order } = await started('fake')
    const { id: next } = await again('paypal')
    await provider(shop).approve(next)
    payAtFake(ref)
    const capture = send(capturePayment, { id: next }, { base: other.url, headers: { cookie: buyer.cookie } })
    await Promise.allSettled(round % 2 ? [hear(ref), capture] : [capture, hear(ref)])
    // the webhook's job retries; the reconciler ends a capture with a lost reply
    await expect.poll(() => handleAgain(orderId, ref), { timeout: 30_000 }).not.toBe('busy')
    await refundAll()
    expect((await order()).status).toBe('completed')
    const taken = (await capturedAtPaypal(orderId)).reduce((sum, one) => sum + Number(one.amount) * 100, 0)
    expect(taken + 1000 - fake.refundedOf(atFake(ref))).toBe(1000)
  }
})

/** Simulates the later jobs: the lease expires, the reconciler polls and the event is handled again. */
async function handleAgain(orderId: string, ref: string) {
  await shop.database.pool.query(
    `UPDATE payments SET lease_until = now() WHERE order_id = $1 AND status = 'capturing'`,
    [orderId],
  )
  for (const { id, status } of await paymentsOf(orderId))
    if (status === 'capturing') await reconcilePayment(shop.checkout, id)
  return hear(ref)
}

test('delays an event while another payment of its order is being captured', async () => {
  const { buyer, orderId, ref, again, order } = await started('fake')
  const { id: next } = await again('paypal')
  await provider(shop).approve(next)
  await provider(shop).setFaults({ rate: 1, kinds: ['lost'] })
  expect((await buyer.call(capturePayment, { id: next })).status).toBe('PENDING')
  await provider(shop).setFaults({ rate: 0, kinds: [] })
  payAtFake(ref)
  const [eventId, { pool }] = [crypto.randomUUID(), shop.database]
  const body = JSON.stringify({ id: eventId, type: 'paid', ref })
  await receiveEvent(pool, shop.checkout.providers.named('fake'), { id: eventId, type: 'paid', body })
  const read = async () => {
    await processWebhook(shop.checkout, 'fake', eventId)
    const { rows } = await pool.query<{ isRead: boolean; isSoon: boolean }>(
      `SELECT processed_at IS NOT NULL AS "isRead", due_at BETWEEN now() AND now() + interval '5 seconds' AS "isSoon"
       FROM webhook_events WHERE event_id = $1`,
      [eventId],
    )
    return rows[0]
  }
  expect(await read()).toEqual({ isRead: false, isSoon: true })
  expect(await statesOf(orderId)).toEqual(['fake canceled', 'paypal capturing'])
  expect(await handleAgain(orderId, ref)).toBe('refunding')
  expect(await read()).toMatchObject({ isRead: true })
  await refundAll()
  expect(fake.refundedOf(atFake(ref))).toBe(1000)
  expect(await order()).toMatchObject({ status: 'completed', paymentMethod: 'paypal' })
})

test('leaves one open payment when tabs switch methods at once on two nodes', async () => {
  for (let round = 0; round < 4; round++) {
    const { buyer, orderId } = await started(round % 2 ? 'fake' : 'paypal')
    const on = [shop.url, other.url]
    const switches = ['paypal', 'fake', 'fake', 'paypal'].map((method, i) =>
      send(
        startPayment,
        { amount: '10.00', ...usd, orderId, method },
        {
          base: on[i % 2]!,
          headers: { cookie: buyer.cookie },
        },
      ),
    )
    for (const { status, reason } of (await Promise.allSettled(switches)) as (PromiseRejectedResult & {
      status: string
    })[])
      if (status === 'rejected') expect(reason).toMatchObject({ status: 409 })
    const open = (await paymentsOf(orderId)).filter(({ status }) => status === 'created' || status === 'creating')
    expect(open.length).toBeLessThanOrEqual(1)
    // no other payment can be paid: PayPal's are canceled in the shop, the fake's at the provider
    for (const { provider: name, providerOrderId } of await paymentsOf(orderId))
      if (name === 'fake' && providerOrderId !== open[0]?.providerOrderId && providerOrderId)
        expect(atFake(providerOrderId).state).toBe('closed')
  }
})

test('closes a payment that was replaced while it was being opened', async () => {
  const { buyer, orderId, again, order } = await started('paypal')
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
  const there = shop.checkout.providers.named('fake')
  const real = there.start
  const slow = vi.spyOn(there, 'start').mockImplementationOnce(async (payment) => {
    ask()
    await mayAnswer
    return real(payment)
  })
  onTestFinished(() => slow.mockRestore())
  const opening = again('fake').catch((error: unknown) => error)
  await isAsked
  expect((await again('paypal')).next.kind).toBe('window')
  answer()
  expect(await opening).toMatchObject({ status: 409, code: 'payment_replaced' })
  const [, replaced, last] = await paymentsOf(orderId)
  expect(atFake(replaced!.providerOrderId!).state).toBe('closed')
  expect(await statesOf(orderId)).toEqual(['paypal canceled', 'fake canceled', 'paypal created'])
  await provider(shop).approve(last!.providerOrderId!)
  await buyer.call(capturePayment, { id: last!.providerOrderId! })
  expect((await order()).status).toBe('completed')
})

test('returns no payment that was replaced while it was being reopened', async () => {
  const { orderId, ref, again } = await started('fake')
  const there = shop.checkout.providers.named('fake')
  const real = there.start
  const slow = vi.spyOn(there, 'start').mockImplementationOnce(async (payment) => {
    const answer = await real(payment)
    await again('paypal')
    return answer
  })
  onTestFinished(() => slow.mockRestore())
  await expect(again('fake')).rejects.toMatchObject({ status: 409, code: 'payment_replaced' })
  expect(atFake(ref).state).toBe('closed')
  expect(await statesOf(orderId)).toEqual(['fake canceled', 'paypal created'])
})

test('replaces a declined payment and later closes it at the provider', async () => {
  const { orderId, ref, again } = await started('fake')
  const payer = { id: null, country: null, isVerified: null }
  const declined = { kind: 'declined', ref, captureRef: null, reason: 'no', canRetry: true, payer } as const
  const closing = vi.spyOn(shop.checkout.providers.named('fake'), 'close').mockResolvedValueOnce(declined)
  onTestFinished(() => closing.mockRestore())
  await again('paypal')
  expect(await statesOf(orderId)).toEqual(['fake canceled', 'paypal created'])
  expect((await paymentsOf(orderId))[0]!.closedAt).toBeNull()
  await shop.database.pool.query(`UPDATE payments SET updated_at = now() - interval '5 minutes' WHERE order_id = $1`, [
    orderId,
  ])
  await closeEnded(shop.checkout)
  expect(atFake(ref).state).toBe('closed')
})

test('skips an unavailable provider after three payments and later continues with others in the closing job', async () => {
  const many = await Promise.all([1, 2, 3, 4, 5].map(() => started('fake')))
  const ids = many.map(({ orderId }) => orderId)
  await shop.database.pool.query(
    `UPDATE payments SET status = 'expired', updated_at = now() - interval '5 minutes' WHERE order_id = ANY ($1)`,
    [ids],
  )
  const there = shop.checkout.providers.named('fake')
  const asked: string[] = []
  const away = vi.spyOn(there, 'close').mockImplementation(async ({ id }) => {
    asked.push(id)
    return { kind: 'unknown', isAway: true, why: 'away' }
  })
  onTestFinished(() => away.mockRestore())
  await closeEnded(shop.checkout)
  expect(asked).toHaveLength(3)
  // failed payments wait until the others were tried
  await closeEnded(shop.checkout)
  expect(new Set(asked).size).toBe(5)
})

test('ends a round of the closing job after 45 seconds when the provider is slow', async () => {
  const many = await Promise.all([1, 2, 3, 4].map(() => started('fake')))
  await shop.database.pool.query(
    `UPDATE payments SET status = 'expired', updated_at = now() - interval '5 minutes' WHERE order_id = ANY ($1)`,
    [many.map(({ orderId }) => orderId)],
  )
  const clock = createClock()
  const asked: string[] = []
  const slow = vi.spyOn(shop.checkout.providers.named('fake'), 'close').mockImplementation(async ({ id }) => {
    asked.push(id)
    clock.advance(30_000)
    return { kind: 'gone' }
  })
  onTestFinished(() => slow.mockRestore())
  await closeEnded(shop.checkout)
  expect(asked).toHaveLength(2)
})

test('does not cancel the order when the window of a replaced payment closes', async () => {
  const { buyer, orderId, ref, again } = await started('paypal')
  await again('fake')
  expect((await buyer.call(cancelPayment, { id: ref })).status).toBe('pending')
  expect(await statesOf(orderId)).toEqual(['paypal canceled', 'fake created'])
  const stranger = await shop.join()
  await expect(stranger.call(cancelPayment, { id: ref })).rejects.toMatchObject({ status: 404 })
})

test('closes the payment of a canceled order at its provider, or reports that it is paid', async () => {
  const unpaid = await started('fake')
  expect((await unpaid.buyer.call(cancelOrder, { id: unpaid.orderId })).status).toBe('failed')
  expect(atFake(unpaid.ref).state).toBe('closed')
  const paid = await started('fake')
  payAtFake(paid.ref)
  await expect(paid.buyer.call(cancelOrder, { id: paid.orderId })).rejects.toMatchObject({ code: 'order_closed' })
  expect((await paid.order()).status).toBe('completed')
})

test('closes payments of expired orders, and refunds or delivers those paid first', async () => {
  const [unpaid, paid] = [await started('fake'), await started('fake')]
  const ids = [unpaid.orderId, paid.orderId]
  await shop.database.pool.query(`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ANY ($1)`, [
    ids,
  ])
  await reconcile(shop.checkout)
  expect((await paid.order()).status).toBe('failed')
  payAtFake(paid.ref)
  const later = () =>
    shop.database.pool.query(
      `UPDATE payments SET updated_at = now() - interval '5 minutes' WHERE order_id = ANY ($1)`,
      [ids],
    )
  await later()
  fake.faults.next = 'away'
  await closeEnded(shop.checkout)
  fake.faults.next = null
  expect((await paymentsOf(unpaid.orderId))[0]!.closedAt).toBeNull()
  await later()
  await closeEnded(shop.checkout)
  expect(atFake(unpaid.ref).state).toBe('closed')
  expect((await paymentsOf(unpaid.orderId))[0]!.closedAt).not.toBeNull()
  expect((await paid.order()).status).toBe('completed')
})

test('fails the order when a payment of the chosen method cannot start', async () => {
  const { buyer } = await withCart()
  fake.faults.next = 'away'
  await expect(start(buyer, 'fake')).rejects.toMatchObject({ status: 503, code: 'provider_away' })
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  // a failed switch leaves the order open for any method
  fake.faults.next = null
  const { orderId, again } = await started('paypal')
  const there = vi.spyOn(shop.checkout.providers.named('fake'), 'start').mockRejectedValueOnce(new Unanswered('away'))
  onTestFinished(() => there.mockRestore())
  await expect(again('fake')).rejects.toMatchObject({ code: 'provider_away' })
  expect((await again('paypal')).next.kind).toBe('window')
  expect(await statesOf(orderId)).toEqual(['paypal canceled', 'fake canceled', 'paypal created'])
})

test('retains credit, discount and sums of an order after a switch of methods', async () => {
  const { product } = await openSeller(shop, { percent: 20 })
  const buyer = await shop.join()
  await give(shop, buyer, 300)
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  await buyer.call(applyDiscount, { code: CODE.code })
  const { orderId } = await buyer.call(startPayment, { amount: '8.00', credit: '3.00', method: 'paypal', ...usd })
  const { id: ref } = await buyer.call(startPayment, { amount: '8.00', orderId, method: 'fake', ...usd })
  expect(atFake(ref).amountCents).toBe(500)
  await buyer.call(startPayment, { amount: '8.00', orderId, method: 'paypal', ...usd })
  const { id: last } = await buyer.call(startPayment, { amount: '8.00', orderId, method: 'fake', ...usd })
  payAtFake(last)
  await hear(last)
  const sums = { status: 'completed', total: '8.00', credit: '3.00', discounts: [{ amount: '2.00' }] }
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject(sums)
  expect(await balanceOf(buyer)).toBe('0.00')
  expect(atFake(ref).state).toBe('closed')
})

test('rejects a switch with a wrong total or another member’s order', async () => {
  const { buyer, orderId, ref } = await started('fake')
  const wrong = buyer.call(startPayment, { amount: '9.00', orderId, method: 'paypal', ...usd })
  await expect(wrong).rejects.toMatchObject({ status: 409, code: 'price_changed' })
  const stranger = await shop.join()
  await expect(start(stranger, 'paypal', { orderId })).rejects.toMatchObject({ status: 404 })
  expect(atFake(ref).state).toBe('waiting')
})

test('switches the method of the pending Buy Now order', async () => {
  const [buyer, product] = [await shop.join(), await addProduct(shop)]
  const items = [{ productId: product.id, quantity: 1 }]
  const first = await start(buyer, 'fake', { items })
  const second = await start(buyer, 'paypal', { items })
  expect(second.orderId).toBe(first.orderId)
  expect(await statesOf(first.orderId)).toEqual(['fake canceled', 'paypal created'])
})

// --- return from the provider's page

test('settles the payment when the buyer returns', async () => {
  const { buyer, orderId, ref, order } = await started('fake')
  const back = { provider: 'fake', ref }
  expect(await buyer.call(settleReturn, back)).toMatchObject({ status: 'WAITING', order: { status: 'pending' } })
  atFake(ref).state = 'pending'
  expect((await buyer.call(settleReturn, back)).status).toBe('PENDING')
  fake.faults.next = 'away'
  expect((await buyer.call(settleReturn, back)).status).toBe('WAITING')
  fake.faults.next = null
  payAtFake(ref)
  const answers = await Promise.all([1, 2, 3].map(() => buyer.call(settleReturn, back)))
  expect(answers.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
  expect(await order()).toMatchObject({ id: orderId, status: 'completed' })
  const byId = { provider: 'fake', payment: (await paymentsOf(orderId))[0]!.id }
  expect((await buyer.call(settleReturn, byId)).status).toBe('COMPLETED')
})

test('captures an approved payment when the buyer returns', async () => {
  const { buyer, ref } = await started('fake')
  atFake(ref).state = 'approved'
  expect((await buyer.call(settleReturn, { provider: 'fake', ref })).status).toBe('COMPLETED')
  const declined = await started('fake')
  atFake(declined.ref).state = 'declined'
  expect((await declined.buyer.call(settleReturn, { provider: 'fake', ref: declined.ref })).status).toBe('DECLINED')
})

test('returns 404 for another member’s or an unknown payment and 400 without a reference', async () => {
  const { buyer, orderId, ref } = await started('fake')
  const payment = (await paymentsOf(orderId))[0]!.id
  const stranger = await shop.join()
  for (const canceled of [false, true])
    for (const by of [{ ref }, { payment }])
      await expect(stranger.call(settleReturn, { provider: 'fake', canceled, ...by })).rejects.toMatchObject({
        status: 404,
      })
  for (const wrong of [
    { provider: 'paypal', ref },
    { provider: 'fake', ref: 'fakepay_unknown' },
    { provider: 'no', ref },
  ])
    await expect(buyer.call(settleReturn, wrong)).rejects.toMatchObject({ status: 404 })
  await expect(buyer.call(settleReturn, { provider: 'fake' })).rejects.toMatchObject({ status: 400 })
  await expect(shop.call(settleReturn, { provider: 'fake', ref })).rejects.toMatchObject({ status: 401 })
  expect(await statesOf(orderId)).toEqual(['fake created'])
})

test('rejects a payment below the method’s minimum and leaves cart and order unchanged', async () => {
  const { buyer } = await withCart('0.09')
  const pay = (method: string, orderId?: string) =>
    buyer.call(startPayment, { amount: '0.09', ...usd, method, ...(orderId && { orderId }) })
  const refusal = {
    status: 409,
    code: 'too_small',
    message: expect.stringContaining('Fake takes no less than $0.10. Choose another way to pay.') as string,
  }
  await expect(pay('fake')).rejects.toMatchObject(refusal)
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  const { orderId } = await pay('paypal')
  await expect(pay('fake', orderId)).rejects.toMatchObject(refusal)
  expect(await statesOf(orderId)).toEqual(['paypal created'])
})

test('cancels the order and restores its cart after a canceled return', async () => {
  const { buyer, orderId, ref, order } = await started('fake')
  const payment = (await paymentsOf(orderId))[0]!.id
  const back = { provider: 'fake', payment, canceled: true }
  expect((await buyer.call(settleReturn, back)).status).toBe('ENDED')
  expect((await order()).status).toBe('failed')
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  expect(atFake(ref).state).toBe('closed')
  expect((await buyer.call(settleReturn, back)).status).toBe('ENDED')
})

test('settles a paid payment and leaves an order with another method open after a canceled return', async () => {
  const paid = await started('fake')
  payAtFake(paid.ref)
  expect((await paid.buyer.call(settleReturn, { provider: 'fake', ref: paid.ref, canceled: true })).status).toBe(
    'COMPLETED',
  )
  const switched = await started('fake')
  await switched.again('paypal')
  const back = { provider: 'fake', ref: switched.ref, canceled: true }
  expect(await switched.buyer.call(settleReturn, back)).toMatchObject({ status: 'ENDED', order: { status: 'pending' } })
  expect(await statesOf(switched.orderId)).toEqual(['fake canceled', 'paypal created'])
})

test('settles a payment although the buyer never returned', async () => {
  const { orderId, ref, order } = await started('fake')
  payAtFake(ref)
  await reconcilePayment(shop.checkout, (await paymentsOf(orderId))[0]!.id)
  expect((await order()).status).toBe('completed')
})

// --- saved methods of several providers

async function withSaved() {
  const { buyer, product } = await withCart()
  const { db } = shop.database
  const wallet = await saveSandboxWallet(db, { email: buyer.email })
  await saveWallet(db, { userId: buyer.id, provider: 'paypal', mode: 'sandbox', ...wallet })
  const token = `tok_${buyer.id}`
  fake.tokens.add(token)
  await saveWallet(db, { userId: buyer.id, provider: 'fake', mode: 'sandbox', vaultId: token, label: 'Card 4242' })
  const { saved } = await buyer.call(listMethods, {})
  const walletAt = (method: string) => saved.find((one) => one.method === method)!.id
  const quickBuy = (paymentMethod: string, walletId?: string | null) =>
    buyer.call(placeOrder, {
      items: [{ productId: product.id, quantity: 1, price: '10.00' }],
      ...{ total: '10.00', paymentMethod, paymentId: crypto.randomUUID(), source: 'product' },
      ...(walletId !== undefined && { walletId }),
    })
  return { buyer, product, token, saved, walletAt, quickBuy }
}

test('charges each saved method through its own provider', async () => {
  const { buyer, saved, walletAt, quickBuy } = await withSaved()
  expect(saved.map(({ method, label }) => `${method} ${label}`)).toEqual(['fake Card 4242', `paypal ${buyer.email}`])
  expect((await buyer.call(listMethods, {})).choice).toEqual({ method: 'fake', walletId: walletAt('fake') })
  for (const method of ['paypal', 'fake']) {
    const order = await quickBuy(method, walletAt(method))
    expect(order).toMatchObject({ status: 'completed', paymentMethod: method })
    expect(await statesOf(order.id)).toEqual([`${method} captured`])
    expect((await buyer.call(listMethods, {})).choice).toEqual({ method, walletId: walletAt(method) })
  }
  expect((await quickBuy('paypal')).paymentMethod).toBe('paypal')
})

test('charges no saved method that the button did not show', async () => {
  const { buyer, walletAt, quickBuy } = await withSaved()
  for (const [method, walletId] of [
    ['paypal', walletAt('fake')],
    ['fake', walletAt('paypal')],
    ['fake', null],
    ['fake', crypto.randomUUID()],
  ] as const)
    await expect(quickBuy(method, walletId)).rejects.toMatchObject({ status: 409, code: 'wallet_changed' })
  const stranger = await shop.join()
  await expect(stranger.call(chooseMethod, { method: 'fake', walletId: walletAt('fake') })).rejects.toMatchObject({
    status: 404,
  })
  expect(await buyer.call(listOrders, {})).toEqual([])
})

test('lets the buyer finish an order on the method’s page when its saved charge needs them', async () => {
  const { token, walletAt, quickBuy, buyer } = await withSaved()
  fake.tokens.delete(token)
  const { id: orderId, status } = await quickBuy('fake', walletAt('fake'))
  expect(status).toBe('pending')
  const [declined] = await paymentsOf(orderId)
  const { next, id } = await start(buyer, undefined, { orderId })
  expect(next.kind).toBe('page')
  expect(id).not.toBe(declined!.providerOrderId)
  expect(atFake(declined!.providerOrderId!).state).toBe('closed')
  payAtFake(id)
  expect((await buyer.call(settleReturn, { provider: 'fake', ref: id })).status).toBe('COMPLETED')
  expect(await statesOf(orderId)).toEqual(['fake canceled', 'fake captured'])
})

describe('a pending order', () => {
  /** Creates an order whose payment window or page is open. */
  async function waiting(method: 'paypal' | 'fake') {
    const made = await withSaved()
    const { orderId, id } = await start(made.buyer, method)
    const charge = (paymentMethod: string, change: { total?: string; walletId?: string } = {}) =>
      made.buyer.call(chargeOrder, {
        ...{ id: orderId, total: '10.00', paymentMethod, walletId: made.walletAt(paymentMethod), ...change },
      })
    return { ...made, orderId, id, charge }
  }

  test.each([
    ['fake', 'paypal'],
    ['paypal', 'fake'],
    ['fake', 'fake'],
  ] as const)('closes the payment at %s before charging a method saved at %s', async (first, second) => {
    const { buyer, orderId, charge, walletAt } = await waiting(first)
    expect(await charge(second)).toMatchObject({ status: 'completed', paymentMethod: second })
    expect(await statesOf(orderId)).toEqual([`${first} canceled`, `${second} captured`])
    expect((await buyer.call(listMethods, {})).choice).toEqual({ method: second, walletId: walletAt(second) })
    // a repeat after the first reply was lost
    expect((await charge(second)).status).toBe('completed')
    expect((await paymentsOf(orderId)).length).toBe(2)
  })

  test('is charged once for two presses', async () => {
    const { orderId, charge } = await waiting('paypal')
    const answers = await Promise.allSettled([charge('fake'), charge('fake')])
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await statesOf(orderId)).filter((state) => state.endsWith('captured'))).toEqual(['fake captured'])
  })

  test('stays pending for another method when the charge is declined', async () => {
    const { orderId, charge, token } = await waiting('paypal')
    fake.tokens.delete(token)
    expect((await charge('fake')).status).toBe('pending')
    expect(await statesOf(orderId)).toEqual(['paypal canceled', 'fake declined'])
    expect((await charge('paypal')).status).toBe('completed')
    expect(await statesOf(orderId)).toEqual(['paypal canceled', 'fake canceled', 'paypal captured'])
  })

  test('rejects a charge by another member, of another amount, by another method or after its end', async () => {
    const { buyer, orderId, charge, walletAt } = await waiting('paypal')
    await expect(charge('fake', { total: '9.00' })).rejects.toMatchObject({ status: 409, code: 'price_changed' })
    for (const walletId of [walletAt('paypal'), crypto.randomUUID()])
      await expect(charge('fake', { walletId })).rejects.toMatchObject({ status: 409, code: 'wallet_changed' })
    const stranger = await shop.join()
    const asked = { id: orderId, total: '10.00', paymentMethod: 'fake', walletId: walletAt('fake') }
    await expect(stranger.call(chargeOrder, asked)).rejects.toMatchObject({ status: 404 })
    expect(await statesOf(orderId)).toEqual(['paypal created'])
    await buyer.call(cancelOrder, { id: orderId })
    await expect(charge('fake')).rejects.toMatchObject({ status: 409, code: 'order_closed' })
  })
})

test('makes a saved method the default until it is removed', async () => {
  const { buyer, walletAt } = await withSaved()
  const chosen = { method: 'paypal', walletId: walletAt('paypal') }
  expect((await buyer.call(chooseMethod, chosen)).choice).toEqual(chosen)
  const left = await buyer.call(removeWallet, { id: chosen.walletId })
  expect(left.map(({ id }) => id)).toEqual([walletAt('fake')])
  const { choice, saved } = await buyer.call(listMethods, {})
  expect(choice).toEqual({ method: 'paypal', walletId: null })
  expect(saved.map(({ method }) => method)).toEqual(['fake'])
  expect(await buyer.call(listWallets, {})).toHaveLength(1)
})

test('makes the method saved by a payment the default', async () => {
  const { buyer } = await withCart()
  await start(buyer, 'fake')
  await saveWallet(shop.database.db, {
    ...{ userId: buyer.id, provider: 'fake', mode: 'sandbox' },
    ...{ vaultId: crypto.randomUUID(), label: 'Card 1' },
  })
  const { choice, saved } = await buyer.call(listMethods, {})
  expect(choice).toEqual({ method: 'fake', walletId: saved[0]!.id })
  await buyer.call(chooseMethod, { method: 'fake', walletId: null })
  expect((await buyer.call(listMethods, {})).choice.walletId).toBeNull()
})
