import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { balanceOf, give, historyOf, wrongBooks } from '../../test/credit.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { captureElsewhere, METHOD } from '../../test/payment.ts'
import { sendChat } from '../support/chat/chat.contract.ts'
import { aboutCustomer } from '../support/inbox/inbox.contract.ts'
import { addToCart, getCart } from '../cart/cart.contract.ts'
import { getOrder, listOrders, sumOrders } from '../purchases/orders.contract.ts'
import { getCredit } from '../payments/credit.contract.ts'
import { saveWallet } from '../payments/wallets.store.server.ts'
import { lockPaymentsOf } from '../payments/payments.store.server.ts'
import { saveSandboxWallet } from '../../sandbox/paypal/wallets.server.ts'
import { cancelPayment, capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { reconcile } from './reconcile.server.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { settle } from './settle.server.ts'

// Purchases with store credit. Credit and ledger must agree after every test.

const open = openShopForTests({ BONUS_PERCENT: '0' })
const usd = { currency: 'USD', intent: 'capture' } as const

afterEach(async () => expect(await wrongBooks(open.shop)).toEqual([]))

async function withCredit(cents: number, { codes }: { codes?: string[] } = {}) {
  const product = await addProduct(open.shop, { ...(codes && { codes }) })
  const buyer = await open.shop.join()
  if (cents > 0) await give(open.shop, buyer, cents)
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  return { product, buyer }
}

const quickBuy = (buyer: Person, productId: string, change: Record<string, unknown> = {}) =>
  buyer.call(placeOrder, {
    items: [{ productId, quantity: 1, price: '10.00' }],
    total: '10.00',
    paymentMethod: METHOD,
    paymentId: `${METHOD}_${crypto.randomUUID()}`,
    ...change,
  })

const start = (buyer: Person, credit?: string, change: Record<string, unknown> = {}) =>
  buyer.call(startPayment, { amount: '10.00', ...usd, ...(credit && { credit }), ...change })

const capturesOf = async (orderId: string) => {
  const payments = await open.shop.database.db.transaction().execute((tx) => lockPaymentsOf(tx, orderId))
  return (await provider(open.shop).captures()).filter(({ customId }) => payments.some(({ id }) => id === customId))
}

async function giveWallet(buyer: Person) {
  const wallet = await saveSandboxWallet(open.shop.database.db, { email: buyer.email })
  await saveWallet(open.shop.database.db, { userId: buyer.id, provider: METHOD, mode: 'sandbox', ...wallet })
}

async function expire(orderId: string) {
  const { db } = open.shop.database
  await sql`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = ${orderId}::uuid`.execute(db)
  await reconcile(open.shop.checkout)
}

async function refund(orderId: string, cents?: number) {
  const { id } = await refundOrder(open.shop.checkout, orderId, 'asked for', cents)
  // twice, because the job may run repeatedly
  for (let i = 0; i < 2; i++) await runRefund(open.shop.checkout, id)
}

test('completes Quick Buy at once when credit covers the total', async () => {
  const { buyer, product } = await withCredit(1250)
  await giveWallet(buyer)
  const order = await quickBuy(buyer, product.id)
  expect(order).toMatchObject({
    status: 'completed',
    total: '10.00',
    credit: '10.00',
    paymentMethod: 'store credit',
    lines: [{ delivery: { kind: 'file' } }],
  })
  expect(await capturesOf(order.id)).toEqual([])
  expect(await buyer.call(getCart, {})).toEqual([])
  expect(await buyer.call(getCredit, {})).toMatchObject({
    balance: '2.50',
    debt: '0.00',
    entries: [
      { kind: 'spent', amount: '-10.00', orderId: order.id },
      { kind: 'given', amount: '12.50', orderId: null, why: 'for a test' },
    ],
  })
})

test('does not use credit when Quick Buy must not or cannot pay everything with it', async () => {
  const poor = await withCredit(999)
  await giveWallet(poor.buyer)
  const charged = await quickBuy(poor.buyer, poor.product.id)
  expect(charged).toMatchObject({ status: 'completed', credit: '0.00', paymentMethod: METHOD })
  expect(await balanceOf(poor.buyer)).toBe('9.99')
  const thrifty = await withCredit(5000)
  expect(await quickBuy(thrifty.buyer, thrifty.product.id, { credit: '0.00' })).toMatchObject({ status: 'pending' })
  expect(await balanceOf(thrifty.buyer)).toBe('50.00')
})

test('charges the wallet for the amount that credit does not cover', async () => {
  const { buyer, product } = await withCredit(400)
  await giveWallet(buyer)
  const order = await quickBuy(buyer, product.id, { credit: '4.00' })
  expect(order).toMatchObject({ status: 'completed', credit: '4.00', paymentMethod: METHOD })
  expect(await capturesOf(order.id)).toMatchObject([{ amount: '6.00' }])
  const poor = await withCredit(400)
  const waiting = await quickBuy(poor.buyer, poor.product.id, { credit: '4.00' })
  expect(waiting).toMatchObject({ status: 'pending', credit: '4.00' })
  const { id } = await start(poor.buyer, undefined, { orderId: waiting.id })
  await provider(open.shop).approve(id)
  expect((await poor.buyer.call(capturePayment, { id })).status).toBe('COMPLETED')
  expect(await capturesOf(waiting.id)).toMatchObject([{ amount: '6.00' }])
  const greedy = await withCredit(5000)
  await expect(quickBuy(greedy.buyer, greedy.product.id, { credit: '10.01' })).rejects.toMatchObject({ status: 409 })
})

test('spends credit once for a Quick Buy sent ten times', async () => {
  const { buyer, product } = await withCredit(5000)
  const paymentId = `${METHOD}_${crypto.randomUUID()}`
  const orders = await Promise.all(Array.from({ length: 10 }, () => quickBuy(buyer, product.id, { paymentId })))
  expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  expect(orders.every(({ status }) => status === 'completed')).toBe(true)
  expect(await balanceOf(buyer)).toBe('40.00')
})

test('spends credit in only one of two concurrent orders', async () => {
  const { buyer, product } = await withCredit(1500)
  const orders = await Promise.all(Array.from({ length: 8 }, () => quickBuy(buyer, product.id, { source: 'product' })))
  expect(orders.filter(({ status }) => status === 'completed')).toHaveLength(1)
  expect(await balanceOf(buyer)).toBe('5.00')
  // different products: the same product would reuse one order
  const products = await Promise.all(Array.from({ length: 6 }, () => addProduct(open.shop)))
  const more = await Promise.allSettled(
    products.map(({ id }) => start(buyer, '5.00', { items: [{ productId: id, quantity: 1 }] })),
  )
  expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of more)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 409, code: 'credit_changed' })
  expect(await balanceOf(buyer)).toBe('0.00')
})

test('restores credit and cart when the codes are sold out', async () => {
  const { buyer, product } = await withCredit(1000, { codes: [] })
  await expect(quickBuy(buyer, product.id)).rejects.toMatchObject({ status: 409, code: 'out_of_stock' })
  expect(await balanceOf(buyer)).toBe('10.00')
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  expect(await buyer.call(listOrders, {})).toEqual([])
})

test('sells the last code once to buyers with credit', async () => {
  const { buyer, product } = await withCredit(1000, { codes: ['ONLY-ONE'] })
  const other = await open.shop.join()
  await give(open.shop, other, 1000)
  const bought = await Promise.allSettled([buyer, other].map((one) => quickBuy(one, product.id, { source: 'product' })))
  expect(bought.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect([await balanceOf(buyer), await balanceOf(other)].toSorted()).toEqual(['0.00', '10.00'])
})

test('charges the provider for the amount that credit does not cover', async () => {
  const { buyer } = await withCredit(400)
  const { id, orderId } = await start(buyer, '4.00')
  expect(await balanceOf(buyer)).toBe('0.00')
  const popup = await fetch(`${open.shop.url}/sandbox/${METHOD}/checkoutnow?token=${id}`)
  expect(await popup.text()).toMatch(/\$10\.00[\s\S]*Discount[\s\S]*−\$4\.00[\s\S]*Pay \$6\.00/)
  await provider(open.shop).approve(id)
  const { status, order } = await buyer.call(capturePayment, { id })
  expect(status).toBe('COMPLETED')
  expect(order).toMatchObject({ status: 'completed', total: '10.00', credit: '4.00', paymentMethod: METHOD })
  expect(await capturesOf(orderId)).toMatchObject([{ amount: '6.00' }])
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00'])
  const { bodyText } = await open.shop.database.db
    .selectFrom('mails')
    .select('bodyText')
    .where('key', '=', `receipt:${orderId}`)
    .executeTakeFirstOrThrow()
  expect(bodyText).toContain('Store credit: −$4.00')
  expect(bodyText).toContain('Paid: $6.00')
})

test.each([
  ['a canceled', (buyer: Person, _: string, id: string) => buyer.call(cancelPayment, { id })],
  ['an expired', (_: Person, orderId: string) => expire(orderId)],
])('returns the credit of %s order once', async (_, end) => {
  const { buyer } = await withCredit(400)
  const { id, orderId } = await start(buyer, '4.00')
  for (let i = 0; i < 2; i++) await end(buyer, orderId, id)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({ status: 'failed' })
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00', 'returned 4.00'])
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('restores credit and cart when the payment cannot start', async () => {
  const { buyer } = await withCredit(400)
  await provider(open.shop).setFaults({ rate: 1, kinds: ['error'] })
  await expect(start(buyer, '4.00')).rejects.toMatchObject({ status: 503 })
  await provider(open.shop).setFaults({ rate: 0, kinds: [] })
  expect(await balanceOf(buyer)).toBe('4.00')
  expect(await buyer.call(getCart, {})).toHaveLength(1)
})

test('starts no payment of zero', async () => {
  const { buyer } = await withCredit(2000)
  for (const credit of ['10.00', '10.01', '20.00'])
    await expect(start(buyer, credit)).rejects.toMatchObject({ status: 409, code: 'credit_covers' })
  expect(await balanceOf(buyer)).toBe('20.00')
  expect(await buyer.call(listOrders, {})).toEqual([])
})

test('rejects credit that the buyer does not have', async () => {
  const { buyer, product } = await withCredit(0)
  await withCredit(5000)
  await expect(start(buyer, '0.01')).rejects.toMatchObject({ status: 409, code: 'credit_changed' })
  expect(await quickBuy(buyer, product.id)).toMatchObject({ status: 'pending', credit: '0.00' })
  for (const credit of ['-1.00', '1e2', '', 'all', 5, null])
    await expect(start(buyer, undefined, { credit })).rejects.toMatchObject({ status: 400 })
  await expect(open.shop.call(getCredit, {})).rejects.toMatchObject({ status: 401 })
})

test('rejects the same key with another amount of credit', async () => {
  const { buyer } = await withCredit(400)
  const headers = { 'idempotency-key': 'a-key' }
  const body = { amount: '10.00', ...usd }
  const first = await buyer.call(startPayment, { ...body, credit: '4.00' }, { headers })
  expect(await buyer.call(startPayment, { ...body, credit: '4.00' }, { headers })).toEqual(first)
  await expect(buyer.call(startPayment, { ...body, credit: '3.00' }, { headers })).rejects.toMatchObject({
    status: 422,
  })
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00'])
})

/** Captures at the provider after the order expired. */
async function captureLate(buyer: Person, { spendsMeanwhile }: { spendsMeanwhile: boolean }) {
  const { checkout } = open.shop
  const { id, orderId } = await start(buyer, '4.00')
  await provider(open.shop).approve(id)
  const [payment] = await checkout.db.transaction().execute((tx) => lockPaymentsOf(tx, orderId))
  await expire(orderId)
  if (spendsMeanwhile) await start(buyer, '4.00')
  const told = await captureElsewhere(open.shop, id, payment!.id)
  const settled = await settle(checkout, payment!.id, orderId, told)
  return { settled, order: await buyer.call(getOrder, { id: orderId }) }
}

test('spends the credit again for a late capture', async () => {
  const { buyer } = await withCredit(400)
  const { settled, order } = await captureLate(buyer, { spendsMeanwhile: false })
  expect([settled, order.status]).toEqual(['completed', 'completed'])
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00', 'returned 4.00', 'spent -4.00'])
})

test('shows paid minus refunded money as Total Spent', async () => {
  const { shop } = open
  const buyer = await shop.join()
  const staff = await shop.join({ isAdmin: true })
  await buyer.call(sendChat, { message: 'Lorem ipsum' })
  const spent = async () => {
    const seen = await Promise.all([buyer.call(sumOrders, {}), staff.call(aboutCustomer, { userId: buyer.id })])
    // staff see the same sums as the customer
    expect(seen[1]).toMatchObject({ orders: seen[0].total, spent: seen[0].spent })
    return seen[0].spent
  }
  const buyFor = async (credit: string) => {
    const product = await addProduct(shop, { price: '10.00' })
    const items = [{ productId: product.id, quantity: 1 }]
    const terms = { amount: '10.00', currency: 'USD', intent: 'capture', credit, items } as const
    const { id, orderId } = await buyer.call(startPayment, terms)
    await provider(shop).approve(id)
    await buyer.call(capturePayment, { id })
    return orderId
  }
  await give(shop, buyer, 1400)
  const [whole, mixed] = [await buyFor('0.00'), await buyFor('4.00')]
  expect(await spent()).toBe('16.00')
  const product = await addProduct(shop, { price: '10.00' })
  const byCredit = await quickBuy(buyer, product.id, { source: 'product' })
  expect([byCredit.status, await spent()]).toEqual(['completed', '16.00'])
  // refunded credit does not count
  await refund(byCredit.id, 300)
  expect(await spent()).toBe('16.00')
  await refund(mixed, 150)
  expect(await spent()).toBe('14.50')
  await refund(mixed)
  expect(await spent()).toBe('10.00')
  await refund(whole, 250)
  await refundOrder(shop.checkout, whole, 'only asked for, not made', 100)
  expect(await spent()).toBe('7.50')
})

test('refunds a late capture if the credit was spent in the meantime', async () => {
  const { buyer } = await withCredit(400)
  const { settled, order } = await captureLate(buyer, { spendsMeanwhile: true })
  expect([settled, order.status]).toEqual(['refunding', 'failed'])
  expect(await balanceOf(buyer)).toBe('0.00')
  const refunds = await open.shop.database.db.selectFrom('refunds').selectAll().orderBy('createdAt', 'desc').execute()
  expect(refunds[0]).toMatchObject({ amountCents: 600, reason: 'the store credit is spent' })
  await runRefund(open.shop.checkout, refunds[0]!.id)
})

test('refunds credit as credit, partially and in full', async () => {
  const { buyer, product } = await withCredit(1000)
  const { id } = await quickBuy(buyer, product.id)
  await refund(id, 250)
  expect(await buyer.call(getOrder, { id })).toMatchObject({ status: 'completed', refunds: [{ amount: '2.50' }] })
  expect(await balanceOf(buyer)).toBe('2.50')
  expect(await wrongBooks(open.shop)).toEqual([])
  await refund(id)
  expect(await buyer.call(getOrder, { id })).toMatchObject({
    status: 'refunded',
    refunds: [{ amount: '2.50' }, { amount: '7.50' }],
  })
  expect(await balanceOf(buyer)).toBe('10.00')
  await expect(refundOrder(open.shop.checkout, id, 'again')).rejects.toMatchObject({ status: 409 })
})

test('refunds money before credit for an order paid with both', async () => {
  const { buyer } = await withCredit(400)
  const { id, orderId } = await start(buyer, '4.00')
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  await expect(refundOrder(open.shop.checkout, orderId, 'too much', 601)).rejects.toMatchObject({ status: 409 })
  await refund(orderId, 200)
  expect(await balanceOf(buyer)).toBe('0.00')
  await refund(orderId)
  const { status, refunds } = await buyer.call(getOrder, { id: orderId })
  expect([status, refunds.map(({ amount }) => amount)]).toEqual(['refunded', ['2.00', '4.00', '4.00']])
  expect(await capturesOf(orderId)).toMatchObject([{ amount: '6.00', refunded: '6.00' }])
  expect(await historyOf(buyer)).toEqual(['given 4.00', 'spent -4.00', 'refunded 4.00'])
})

test('evaluates the risk of purchases by credit and changes nothing on a refusal', async () => {
  const { db, pool } = open.shop.database
  const { buyer, product } = await withCredit(2000)
  const { id } = await quickBuy(buyer, product.id)
  const decided = () =>
    db.selectFrom('riskDecisions').select(['orderId', 'stage', 'decision']).where('userId', '=', buyer.id).execute()
  expect(await decided()).toEqual([{ orderId: id, stage: 'start', decision: 'allow' }])
  for (const n of [1, 2, 3, 4])
    await pool.query(
      `INSERT INTO risk_declines (payment_id, user_id, instrument) SELECT id, $1, $2 FROM payments WHERE order_id = $3`,
      [buyer.id, `stolen ${n}`, id],
    )
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  await expect(quickBuy(buyer, product.id)).rejects.toMatchObject({ status: 409, code: 'payment_refused' })
  expect(await balanceOf(buyer)).toBe('10.00')
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  expect(await buyer.call(listOrders, {})).toHaveLength(1)
  expect(await decided()).toHaveLength(1)
})
