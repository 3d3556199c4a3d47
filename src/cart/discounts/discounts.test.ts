import { expect, onTestFinished, test } from 'vitest'
import { eraseDueAccounts } from '../../account/data/erase.server.ts'
import { readConfig } from '../../app/settings.server.ts'
import { openShop } from '../../app/shop.server.ts'
import { record } from '../../../bench/record.ts'
import { wrongBooks, give } from '../../../test/credit.ts'
import { addProduct } from '../../../test/goods.ts'
import { mailedText } from '../../../test/mail.ts'
import { METHOD } from '../../../test/payment.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, openTestShop, type Person, SECRET } from '../../../test/shop.ts'
import { cancelOrder, capturePayment, placeOrder, startPayment } from '../../checkout/checkout.contract.ts'
import { reconcile } from '../../checkout/reconcile.server.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { getOrder } from '../../purchases/orders.contract.ts'
import { getStatement } from '../../selling/balance/balance.contract.ts'
import { addToCart, getCart } from '../cart.contract.ts'
import { applyDiscount, removeDiscount } from './discount.contract.ts'
import { CODE, openSeller, sellProduct, editCode } from '../../../test/discount.ts'
import { addDiscount, listOwnDiscounts, removeDiscountCode, setDiscountState } from './ownDiscounts.contract.ts'

const open = openShopForTests({ BONUS_PERCENT: '0' })
const usd = { currency: 'USD', intent: 'capture' } as const

const start = (buyer: Person, amount: string, change: object = {}) =>
  buyer.call(startPayment, { amount, ...usd, ...change })

async function pay(buyer: Person, amount: string, change: object = {}) {
  const { id } = await start(buyer, amount, change)
  await provider(open.shop).approve(id)
  return (await buyer.call(capturePayment, { id })).order
}

async function shopper(...productIds: string[]) {
  const buyer = await open.shop.join()
  for (const productId of productIds) await buyer.call(addToCart, { productId, quantity: 1 })
  return buyer
}

const apply = async (buyer: Person, code = 'quietweek') => (await buyer.call(applyDiscount, { code })).cart
const codesIn = async (buyer: Person) => (await buyer.call(getCart, {})).map(({ discount }) => discount?.code ?? null)
const usesOf = async (seller: Person) => (await seller.call(listOwnDiscounts, {}))[0]!.uses
const owedTo = async (seller: Person) => {
  const { rows } = await open.shop.database.pool.query<{ cents: number }>(
    `SELECT -coalesce(sum(amount_cents), 0)::bigint AS cents FROM ledger_entries WHERE account = 'seller:' || $1`,
    [seller.id],
  )
  return rows[0]!.cents
}
const over = (text: RegExp, total: string) => ({
  status: 409,
  code: 'discount_over',
  message: expect.stringMatching(text),
  details: expect.objectContaining({ total }),
})

test('the cart accepts a code in any case; the order charges the discounted total, and its receipt contains this code', async () => {
  const { seller, product } = await openSeller(open.shop)
  const second = await sellProduct(open.shop, seller, { price: '5.05' })
  const buyer = await shopper(product.id, second.id)
  const cart = await apply(buyer)
  expect(cart[0]!.discount).toMatchObject({ code: 'QUIETWEEK', percent: 20, amount: null, problem: null })
  await buyer.call(addToCart, { productId: second.id, quantity: 1 })
  // 20 % of $20.10
  await expect(start(buyer, '20.10')).rejects.toMatchObject({ code: 'price_changed', details: { total: '16.08' } })
  expect(await codesIn(buyer)).toEqual(['QUIETWEEK', 'QUIETWEEK'])
  const order = await pay(buyer, '16.08')
  expect(order).toMatchObject({
    status: 'completed',
    total: '16.08',
    discounts: [{ code: 'QUIETWEEK', amount: '4.02' }],
  })
  expect(order.lines.map(({ price }) => price)).toEqual(expect.arrayContaining(['10.00', '5.05']))
  const mail = await mailedText(open.shop, buyer.email, `Your order ${order.id.slice(-8)} is ready`)
  expect(mail).toMatch(/Discount QUIETWEEK: −\$4\.02.*Total: \$16\.08/s)
  expect(await owedTo(seller)).toBeGreaterThan(0)
  const [code] = await seller.call(listOwnDiscounts, {})
  expect(code).toMatchObject({ uses: 1, revenue: '16.08', isUsed: true })
  const { sums } = await seller.call(getStatement, {})
  expect(sums).toMatchObject({ sale: '20.10', discount: '-4.02' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('a cart has one code per seller, and each code discounts only its own lines', async () => {
  const [ada, bob] = [
    await openSeller(open.shop, { code: 'ADA50', percent: 50 }),
    await openSeller(open.shop, { code: 'BOB3', percent: null, amount: '3.00' }),
  ]
  await ada.seller.call(addDiscount, { ...CODE, code: 'ADA10', percent: 10 })
  const buyer = await shopper(ada.product.id, bob.product.id, (await addProduct(open.shop)).id)
  await apply(buyer, 'ADA50')
  await apply(buyer, 'BOB3')
  expect(await codesIn(buyer)).toEqual(['ADA50', 'BOB3', null])
  // another code of the same seller replaces the first
  await apply(buyer, 'ada10')
  expect(await codesIn(buyer)).toEqual(['ADA10', 'BOB3', null])
  await buyer.call(removeDiscount, { id: bob.code.id })
  expect(await codesIn(buyer)).toEqual(['ADA10', null, null])
  await apply(buyer, 'ADA50')
  await apply(buyer, 'BOB3')
  const order = await pay(buyer, '22.00')
  expect(order.discounts).toEqual([
    { code: 'ADA50', amount: '5.00' },
    { code: 'BOB3', amount: '3.00' },
  ])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('returns the same error for an unknown code, a code of another seller and a code for other products', async () => {
  const { seller } = await openSeller(open.shop)
  const elsewhere = await openSeller(open.shop, { code: 'ELSEWHERE' })
  const other = await sellProduct(open.shop, seller)
  await seller.call(addDiscount, { ...CODE, code: 'OTHER', productIds: [other.id] })
  const own = await sellProduct(open.shop, seller)
  const buyer = await shopper(own.id)
  const answers = await Promise.all(
    ['NEVERMADE', 'ELSEWHERE', 'OTHER'].map((code) => apply(buyer, code).catch((error: Error) => error.message)),
  )
  expect(new Set(answers)).toEqual(
    new Set([
      '404: {"message":"This code doesn’t fit anything here. Check how it is written.","code":"discount_unfit"}',
    ]),
  )
  expect(await codesIn(buyer)).toEqual([null])
  await expect(
    start(buyer, '10.00', { items: [{ productId: own.id, quantity: 1 }], discount: elsewhere.code.code }),
  ).rejects.toMatchObject({ status: 404, code: 'discount_unfit' })
  await expect(start(buyer, '8.00', { discount: 'QUIETWEEK' })).rejects.toMatchObject({ status: 400 })
})

test('discounts only the chosen products; 100 % makes an order free, without a payment', async () => {
  const { seller, product } = await openSeller(open.shop, { percent: 100 })
  const { id } = (await seller.call(listOwnDiscounts, {}))[0]!
  await editCode(seller, id, { percent: 100, productIds: [product.id] })
  const second = await sellProduct(open.shop, seller, { price: '3.00' })
  const buyer = await shopper(product.id, second.id)
  await apply(buyer)
  expect(await codesIn(buyer)).toEqual(['QUIETWEEK', null])
  expect(await pay(buyer, '3.00')).toMatchObject({ total: '3.00', discounts: [{ amount: '10.00' }] })
  const alone = await shopper(product.id)
  await apply(alone)
  await expect(start(alone, '0.00')).rejects.toMatchObject({ status: 409, code: 'nothing_due' })
  const free = await alone.call(placeOrder, {
    items: [{ productId: product.id, quantity: 1, price: '10.00' }],
    total: '0.00',
    paymentMethod: METHOD,
    paymentId: crypto.randomUUID(),
  })
  expect(free).toMatchObject({ status: 'completed', total: '0.00', discounts: [{ amount: '10.00' }] })
  // the code makes only one copy free
  for (const [quantity, code] of [
    [1, 'already_owned'],
    [5, 'one_copy'],
  ] as const) {
    const items = [{ productId: product.id, quantity, price: '10.00' }]
    const again = { items, total: '0.00', paymentMethod: METHOD, source: 'product' as const, discount: 'QUIETWEEK' }
    await expect(alone.call(placeOrder, { ...again, paymentId: crypto.randomUUID() })).rejects.toMatchObject({ code })
  }
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('Buy Now uses the code of a link without changing the cart; a retry continues the same order', async () => {
  const { seller, product } = await openSeller(open.shop, { mostUses: 1, mostPerBuyer: 1 })
  const buyer = await shopper(product.id)
  const direct = { items: [{ productId: product.id, quantity: 2 }], discount: 'quietweek' }
  await expect(start(buyer, '20.00', direct)).rejects.toMatchObject({ code: 'price_changed' })
  const first = await start(buyer, '16.00', direct)
  expect((await start(buyer, '16.00', direct)).orderId).toBe(first.orderId)
  expect(await buyer.call(getCart, {})).toHaveLength(1)
  await expect(start(await open.shop.join(), '16.00', direct)).rejects.toMatchObject(over(/is used up/, '20.00'))
  await provider(open.shop).approve(first.id)
  expect((await buyer.call(capturePayment, { id: first.id })).order).toMatchObject({
    status: 'completed',
    total: '16.00',
  })
  expect(await usesOf(seller)).toBe(1)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('Quick Buy and store credit pay the discounted total', async () => {
  const { product } = await openSeller(open.shop)
  const buyer = await shopper(product.id)
  await apply(buyer)
  await give(open.shop, buyer, 1000)
  const quick = (total: string) => ({
    items: [{ productId: product.id, quantity: 1, price: '10.00' }],
    ...{ total, paymentMethod: METHOD, paymentId: crypto.randomUUID() },
  })
  await expect(buyer.call(placeOrder, quick('10.00'))).rejects.toMatchObject({ code: 'price_changed' })
  const order = await buyer.call(placeOrder, quick('8.00'))
  expect(order).toMatchObject({ status: 'completed', total: '8.00', credit: '8.00' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('rejects an order with an ended code, reports the new total and does not change the cart', async () => {
  const { seller, product, code } = await openSeller(open.shop)
  const buyer = await shopper(product.id)
  await apply(buyer)
  await seller.call(setDiscountState, { id: code.id, state: 'ended' })
  await expect(start(buyer, '8.00')).rejects.toMatchObject(over(/QUIETWEEK has ended\. .*new total/, '10.00'))
  expect((await buyer.call(getCart, {}))[0]).toMatchObject({
    quantity: 1,
    discount: { code: 'QUIETWEEK', problem: 'ended' },
  })
  // a buyer who confirms the new total can pay it
  expect(await pay(buyer, '10.00')).toMatchObject({ status: 'completed', total: '10.00', discounts: [] })
  expect(await usesOf(seller)).toBe(0)
})

test('rejects an order after the discount changed and returns the new total', async () => {
  const { seller, product, code } = await openSeller(open.shop)
  const buyer = await shopper(product.id)
  await apply(buyer)
  await editCode(seller, code.id, { percent: 10 })
  await expect(start(buyer, '8.00')).rejects.toMatchObject({ code: 'price_changed', details: { total: '9.00' } })
})

test('a limit per buyer counts unpaid orders; a failed order releases the use and restores the code', async () => {
  const { seller, product } = await openSeller(open.shop, { mostPerBuyer: 1 })
  const buyer = await shopper(product.id)
  await apply(buyer)
  const { orderId } = await start(buyer, '8.00')
  expect(await usesOf(seller)).toBe(1)
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  await expect(apply(buyer)).rejects.toMatchObject({ message: expect.stringMatching(/as often as it allows/) })
  await buyer.call(cancelOrder, { id: orderId })
  expect(await usesOf(seller)).toBe(0)
  expect(await buyer.call(getOrder, { id: orderId })).toMatchObject({
    status: 'failed',
    discounts: [{ amount: '2.00' }],
  })
  expect(await codesIn(buyer)).toEqual(['QUIETWEEK'])
  await pay(buyer, '16.00')
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  await expect(apply(buyer)).rejects.toMatchObject({ status: 409 })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('an expired order releases its use; a full refund does not', async () => {
  const { seller, product } = await openSeller(open.shop)
  const [late, paid] = [await shopper(product.id), await shopper(product.id)]
  await apply(late)
  await apply(paid)
  const { orderId } = await start(late, '8.00')
  const { pool } = open.shop.database
  await pool.query(`UPDATE orders SET expires_at = now() - interval '1 minute' WHERE id = $1`, [orderId])
  await pool.query(`UPDATE payments SET updated_at = now() - interval '1 hour' WHERE order_id = $1`, [orderId])
  await reconcile(open.shop.checkout)
  expect((await late.call(getOrder, { id: orderId })).status).toBe('failed')
  expect([await usesOf(seller), await codesIn(late)]).toEqual([0, ['QUIETWEEK']])
  const order = await pay(paid, '8.00')
  const refund = await refundOrder(open.shop.checkout, order.id, 'asked for')
  expect(refund.amountCents).toBe(800)
  await runRefund(open.shop.checkout, refund.id)
  expect((await paid.call(getOrder, { id: order.id })).status).toBe('refunded')
  expect([await usesOf(seller), await owedTo(seller)]).toEqual([1, 0])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('deletes a code, also from carts, only if no order has used it', async () => {
  const { seller, product, code } = await openSeller(open.shop)
  const fresh = await seller.call(addDiscount, { ...CODE, code: 'FRESH' })
  const [buyer, other] = [await shopper(product.id), await shopper(product.id)]
  await apply(buyer)
  await apply(other, 'FRESH')
  const { orderId } = await start(buyer, '8.00')
  await buyer.call(cancelOrder, { id: orderId })
  await expect(seller.call(removeDiscountCode, { id: code.id })).rejects.toMatchObject({ status: 409, code: 'used' })
  await seller.call(removeDiscountCode, { id: fresh.id })
  expect(await codesIn(other)).toEqual([null])
  expect((await seller.call(listOwnDiscounts, {})).map((one) => one.code)).toEqual(['QUIETWEEK'])
})

test('erasing an account deletes the codes in its cart, and its own codes that no order has used', async () => {
  const [ada, bob] = [await openSeller(open.shop), await openSeller(open.shop, { code: 'BOBS' })]
  await ada.seller.call(addDiscount, { ...CODE, code: 'UNUSED' })
  await ada.seller.call(applyDiscount, { code: 'BOBS', productId: bob.product.id })
  const buyer = await shopper(ada.product.id)
  await apply(buyer)
  const { orderId } = await start(buyer, '8.00')
  await buyer.call(cancelOrder, { id: orderId })
  const { db, pool } = open.shop.database
  await pool.query(`UPDATE users SET erase_at = now() - interval '1 day' WHERE id = $1`, [ada.seller.id])
  await eraseDueAccounts(db)
  const codes = await db.selectFrom('discounts').selectAll().where('sellerId', '=', ada.seller.id).execute()
  expect(codes).toMatchObject([{ code: 'QUIETWEEK', pausedAt: expect.any(Date) }])
  expect(await db.selectFrom('cartDiscounts').select('userId').where('userId', '=', ada.seller.id).execute()).toEqual(
    [],
  )
})

test('a code for first purchases works for one order, and not after another order from the seller', async () => {
  const { seller, product } = await openSeller(open.shop, { isFirstOnly: true })
  const buyer = await shopper(product.id)
  await apply(buyer)
  const { id } = await start(buyer, '8.00')
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  await expect(apply(buyer)).rejects.toMatchObject({
    status: 409,
    message: expect.stringMatching(/as often as it allows/),
  })
  await provider(open.shop).approve(id)
  await buyer.call(capturePayment, { id })
  // a purchase without a code counts too, but not a purchase from another seller
  const known = await shopper(product.id)
  await pay(known, '10.00')
  await known.call(addToCart, { productId: product.id, quantity: 1 })
  await expect(apply(known)).rejects.toMatchObject({ message: expect.stringMatching(/first purchase from its seller/) })
  const elsewhere = await shopper((await addProduct(open.shop)).id)
  await pay(elsewhere, '10.00')
  await elsewhere.call(addToCart, { productId: product.id, quantity: 1 })
  await apply(elsewhere)
  await pay(elsewhere, '8.00')
  expect(await usesOf(seller)).toBe(2)
})

test('a late capture counts the use again, or is refunded if the code is used up', async () => {
  const { seller, product } = await openSeller(open.shop, { mostUses: 1 })
  const settleLate = async (isTaken: boolean) => {
    const buyer = await shopper(product.id)
    await apply(buyer)
    const { id, orderId } = await start(buyer, '8.00')
    await provider(open.shop).approve(id)
    const { pool } = open.shop.database
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM payments WHERE order_id = $1', [orderId])
    await pool.query(`UPDATE orders SET expires_at = now() - interval '1 minute' WHERE id = $1`, [orderId])
    await buyer.call(cancelOrder, { id: orderId })
    if (isTaken) {
      const other = await shopper(product.id)
      await apply(other)
      await pay(other, '8.00')
    }
    // the provider captures although the buyer has canceled
    await pool.query(
      `UPDATE payments SET status = 'capturing', lease_until = now() - interval '1 minute', updated_at = now() - interval '1 hour' WHERE order_id = $1`,
      [orderId],
    )
    await open.shop.checkout.providers.main.capture({
      ...{ id: rows[0]!.id, providerOrderId: id, providerCaptureId: null, amountCents: 800, currency: 'USD' },
      ...{ declines: 0, ageMinutes: 0, sentMinutes: null },
    })
    await reconcile(open.shop.checkout)
    const { rows: after } = await pool.query<{ status: string }>('SELECT status FROM payments WHERE order_id = $1', [
      orderId,
    ])
    return [(await buyer.call(getOrder, { id: orderId })).status, after[0]!.status]
  }
  expect(await settleLate(true)).toEqual(['failed', 'mismatched'])
  expect(await usesOf(seller)).toBe(1)
  const { id } = (await seller.call(listOwnDiscounts, {}))[0]!
  await editCode(seller, id, { mostUses: 2 })
  expect(await settleLate(false)).toEqual(['completed', 'captured'])
  expect(await usesOf(seller)).toBe(2)
  await expect(editCode(seller, id, { mostUses: 1 })).rejects.toMatchObject({ code: 'used_more' })
  expect(await wrongBooks(open.shop)).toEqual([])
})

test(
  '100 parallel orders on two nodes with a code of which 10 are left use exactly 10',
  { timeout: 120_000 },
  async () => {
    const { shop } = open
    const { seller, product } = await openSeller(shop, { mostUses: 10 })
    const config = readConfig({
      PORT: '0',
      NODE_ENV: 'test',
      DATA_DIR: shop.dataDir,
      RATE_LIMIT_SCALE: '0',
      DATABASE_POOL: '10',
    })
    const second = await openShop({ config, databaseUrl: shop.shopUrl, secret: SECRET, hasJobs: false })
    onTestFinished(() => second.close())
    const buyers: Person[] = []
    while (buyers.length < 100) {
      const buyer = await shopper(product.id)
      await apply(buyer)
      buyers.push(buyer)
    }
    const asked = await Promise.allSettled(
      buyers.map((buyer, i) =>
        i % 2
          ? start(buyer, '8.00')
          : buyer.call(startPayment, { amount: '8.00', ...usd }, { base: second.server.url }),
      ),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const refused of asked.filter((one) => one.status === 'rejected'))
      expect(refused.reason).toMatchObject(over(/QUIETWEEK is used up/, '10.00'))
    expect((await seller.call(listOwnDiscounts, {}))[0]).toMatchObject({ uses: 10, state: 'used_up' })
    expect(await wrongBooks(shop)).toEqual([])
  },
)

test('an order without a code runs no additional statement', async () => {
  const { product } = await openSeller(open.shop)
  const buyer = await shopper(product.id)
  const sent = await record(() => pay(buyer, '10.00'))
  const texts = sent.map(({ text }) => text)
  expect(texts.filter((text) => /lock_discounts|discount_uses|(from|update) "?discounts/i.test(text))).toEqual(
    // the statement that reads the order with its receipt
    texts.filter((text) => /'discounts', \(SELECT/.test(text)),
  )
  expect(texts.some((text) => text.includes('DELETE FROM cart_discounts'))).toBe(true)
})

test('twenty orders of one buyer at once use a code once', async () => {
  const { seller, product } = await openSeller(open.shop, { mostPerBuyer: 1 })
  const buyer = await open.shop.join()
  const direct = (quantity: number) => ({ items: [{ productId: product.id, quantity }], discount: 'QUIETWEEK' })
  const asked = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => start(buyer, (8 * (i + 1)).toFixed(2), direct(i + 1))),
  )
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await usesOf(seller)).toBe(1)
})

test('limits the attempts of an account to guess codes, also over two sessions', async () => {
  const shop = await openTestShop({ RATE_LIMIT_SCALE: '1' })
  onTestFinished(() => shop.close())
  const { product } = await openSeller(shop)
  const buyer = await shop.join()
  const cookie = await shop.identity.createSession(buyer.email)
  const attempt = (i: number) =>
    buyer.call(applyDiscount, { code: `GUESS${i}`, productId: product.id }, i % 2 ? { headers: { cookie } } : {})
  for (let i = 0; i < 10; i++) await expect(attempt(i)).rejects.toMatchObject({ status: 404 })
  await expect(attempt(10)).rejects.toMatchObject({ status: 429 })
})
