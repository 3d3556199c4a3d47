import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { balanceOf, give, historyOf, wrongBooks } from '../../test/credit.ts'
import { buy } from '../../test/buy.ts'
import { addProduct, type TestProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { addToCart, clearCart } from '../cart/cart.contract.ts'
import { inTransaction } from '../kit/database.server.ts'
import { getOrder } from '../purchases/orders.contract.ts'
import { takeBackBonus } from '../payments/bonus.server.ts'
import { getCredit } from '../payments/credit.contract.ts'
import { saveWallet } from '../payments/wallets.store.server.ts'
import { lockPaymentsOf } from '../payments/payments.store.server.ts'
import { saveSandboxWallet } from '../../sandbox/paypal/wallets.server.ts'
import { capturePayment, placeOrder, startPayment } from './checkout.contract.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { settle } from './settle.server.ts'
import { captureElsewhere, METHOD } from '../../test/payment.ts'

// The bonus on a first purchase. Credit and ledger must agree after every test.

const open = openShopForTests()
const usd = { currency: 'USD', intent: 'capture' } as const

afterEach(async () => expect(await wrongBooks(open.shop)).toEqual([]))

/** Places an order of these products and approves its payment without a capture. */
async function approve(buyer: Person, products: TestProduct[], amount: string, credit = '0.00') {
  const items = products.map(({ id }) => ({ productId: id, quantity: 1 }))
  const started = await buyer.call(startPayment, { amount, credit, ...usd, items })
  await provider(open.shop).approve(started.id)
  return started
}

async function refund(orderId: string, cents?: number) {
  const { id } = await refundOrder(open.shop.checkout, orderId, 'asked for', cents)
  for (let i = 0; i < 2; i++) await runRefund(open.shop.checkout, id)
}

test('grants 15 % of the eligible lines for the first purchase and nothing for the second', async () => {
  const [book, card] = [await addProduct(open.shop), await addProduct(open.shop, { categoryId: 'gift-cards' })]
  const buyer = await open.shop.join()
  expect((await buyer.call(getCredit, {})).bonus).toEqual({
    percent: 15,
    cap: '15.00',
    excluded: ['Gift Cards', 'Crypto', 'Prepaid Visa Cards'],
    excludedIds: ['gift-cards', 'crypto', 'prepaid'],
    cash: ['Gift Cards', 'Crypto', 'Prepaid Visa Cards'],
    anonymousMethods: [],
    needsVerifiedEmail: false,
  })
  const { id, orderId } = await approve(buyer, [book, card], '20.00')
  expect(await historyOf(buyer)).toEqual([])
  expect((await buyer.call(capturePayment, { id })).order.earned).toBe('1.50')
  expect(await buyer.call(getCredit, {})).toMatchObject({
    balance: '1.50',
    bonus: null,
    entries: [{ kind: 'earned', amount: '1.50', orderId }],
  })
  const { bodyText } = await open.shop.database.db
    .selectFrom('mails')
    .select('bodyText')
    .where('key', '=', `receipt:${orderId}`)
    .executeTakeFirstOrThrow()
  expect(bodyText).toContain('Your first purchase has earned you $1.50 of store credit')
  await buy(open.shop, buyer, book)
  expect(await historyOf(buyer)).toEqual(['earned 1.50'])
})

test('limits the bonus to the cap and grants none for a gift card', async () => {
  const [big, small] = await Promise.all(['900.00', '10.00'].map((price) => addProduct(open.shop, { price })))
  const card = await addProduct(open.shop, { price: '50.00', categoryId: 'gift-cards' })
  const [rich, giver] = [await open.shop.join(), await open.shop.join()]
  await buy(open.shop, rich, big!)
  expect(await balanceOf(rich)).toBe('15.00')
  await buy(open.shop, giver, card)
  await buy(open.shop, giver, small!)
  expect(await historyOf(giver)).toEqual([])
})

test('grants one bonus for two first orders that settle at once', async () => {
  const [book, other] = [await addProduct(open.shop), await addProduct(open.shop)]
  for (let round = 0; round < 4; round++) {
    const buyer = await open.shop.join()
    const orders = [await approve(buyer, [book], '10.00'), await approve(buyer, [other], '10.00')]
    const captured = await Promise.all(orders.map(({ id }) => buyer.call(capturePayment, { id })))
    expect(captured.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await historyOf(buyer)).toEqual(['earned 1.50'])
  }
})

test('grants one bonus for an order that settles repeatedly', async () => {
  const buyer = await open.shop.join()
  const { id, orderId } = await approve(buyer, [await addProduct(open.shop)], '10.00')
  await Promise.all(Array.from({ length: 6 }, () => buyer.call(capturePayment, { id })))
  const { checkout } = open.shop
  const [payment] = await checkout.db.transaction().execute((tx) => lockPaymentsOf(tx, orderId))
  const told = await checkout.providers.main.find(payment!)
  await Promise.all(Array.from({ length: 4 }, () => settle(checkout, payment!.id, orderId, told)))
  expect(await historyOf(buyer)).toEqual(['earned 1.50'])
})

test('takes back the refunded share of the bonus without making the next purchase a first one', async () => {
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const { id } = await buy(open.shop, buyer, book)
  await refund(id, 333)
  expect(await historyOf(buyer)).toEqual(['earned 1.50', 'taken_back -0.49'])
  await refund(id)
  expect(await historyOf(buyer)).toEqual(['earned 1.50', 'taken_back -0.49', 'taken_back -1.01'])
  const { bodyText } = await open.shop.database.db
    .selectFrom('mails')
    .select('bodyText')
    .where('recipient', '=', buyer.email)
    .where('key', 'like', 'refund:%')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  expect(bodyText).toContain('$1.01 of store credit is taken back')
  await buy(open.shop, buyer, book)
  expect(await balanceOf(buyer)).toBe('0.00')
  expect((await buyer.call(getCredit, {})).bonus).toBeNull()
})

test('leaves a debt after a refund if the bonus is spent, and pays it off with later credit', async () => {
  const [book, sheet] = [await addProduct(open.shop), await addProduct(open.shop, { price: '1.00' })]
  const buyer = await open.shop.join()
  const { id } = await buy(open.shop, buyer, book)
  await buyer.call(addToCart, { productId: sheet.id, quantity: 1 })
  const items = [{ productId: sheet.id, quantity: 1, price: '1.00' }]
  const bought = { items, total: '1.00', paymentMethod: METHOD, paymentId: crypto.randomUUID() }
  expect(await buyer.call(placeOrder, bought)).toMatchObject({ status: 'completed', credit: '1.00' })
  await refund(id)
  expect(await buyer.call(getCredit, {})).toMatchObject({ balance: '0.00', debt: '1.00' })
  await expect(approve(buyer, [book], '10.00', '0.01')).rejects.toMatchObject({ code: 'credit_changed' })
  await give(open.shop, buyer, 250)
  expect(await buyer.call(getCredit, {})).toMatchObject({ balance: '1.50', debt: '0.00' })
})

test('rejects an order that spends credit while a refund takes it back', async () => {
  const [book, sheet] = [await addProduct(open.shop), await addProduct(open.shop, { price: '1.00' })]
  const buyer = await open.shop.join()
  const { id } = await buy(open.shop, buyer, book)
  const items = [{ productId: sheet.id, quantity: 1, price: '1.00' }]
  const bought = { items, total: '1.00', credit: '1.00', paymentMethod: METHOD, source: 'product' } as const
  let spent: Promise<unknown> = Promise.resolve()
  await inTransaction(open.shop.database.db, async (tx) => {
    const [payment] = await lockPaymentsOf(tx, id)
    await takeBackBonus(tx, { id, userId: buyer.id }, payment!, 1000)
    spent = buyer.call(placeOrder, { ...bought, paymentId: crypto.randomUUID() }).catch((error: unknown) => error)
    // the order waits for the account's row until the refund commits
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      AND query LIKE '%credit_accounts%'`
    await expect.poll(async () => (await open.shop.database.pool.query(waiting)).rowCount).toBe(1)
  })
  expect(await spent).toMatchObject({ status: 409, code: 'credit_changed' })
  expect(await historyOf(buyer)).toEqual(['earned 1.50', 'taken_back -1.50'])
})

test('grants no bonus for the part paid with credit', async () => {
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 1400)
  const items = [{ productId: book.id, quantity: 1, price: '10.00' }]
  const paid = {
    items,
    total: '10.00',
    paymentMethod: METHOD,
    paymentId: crypto.randomUUID(),
    source: 'product',
  } as const
  await buyer.call(placeOrder, paid)
  expect((await buyer.call(getCredit, {})).bonus).not.toBeNull()
  const { id } = await approve(buyer, [book], '10.00', '4.00')
  await buyer.call(capturePayment, { id })
  expect(await historyOf(buyer)).toEqual(['given 14.00', 'spent -10.00', 'spent -4.00', 'earned 0.90'])
})

test('grants no bonus without a verified address or for the buyer’s own product', async () => {
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  await sql`UPDATE users SET email_verified = false WHERE id = ${buyer.id}::uuid`.execute(open.shop.database.db)
  expect((await buyer.call(getCredit, {})).bonus).toMatchObject({ needsVerifiedEmail: true })
  await buy(open.shop, buyer, book)
  expect(await historyOf(buyer)).toEqual([])
  const seller = await open.shop.join()
  await sql`UPDATE products SET seller_id = ${seller.id}::uuid WHERE id = ${book.id}::uuid`.execute(
    open.shop.database.db,
  )
  await buy(open.shop, seller, book)
  expect(await historyOf(seller)).toEqual([])
})

test('grants one bonus per payer across accounts', async () => {
  const book = await addProduct(open.shop)
  const { db } = open.shop.database
  const accounts = await Promise.all(Array.from({ length: 4 }, () => open.shop.join()))
  for (const account of accounts) {
    const wallet = await saveSandboxWallet(db, { email: account.email })
    await saveWallet(db, { userId: account.id, provider: METHOD, mode: 'sandbox', ...wallet })
    // one person owns all wallets
    await sql`UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{payer,payerId}', '"SAMEPERSON123"')::json
      WHERE kind = 'payment_token' AND id = ${wallet.vaultId}`.execute(db)
  }
  const quickBuy = (account: Person) =>
    account.call(placeOrder, {
      items: [{ productId: book.id, quantity: 1, price: '10.00' }],
      total: '10.00',
      paymentMethod: METHOD,
      paymentId: crypto.randomUUID(),
      source: 'product',
    })
  const orders = await Promise.all(accounts.map(quickBuy))
  expect(orders.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed'])
  const balances = await Promise.all(accounts.map(balanceOf))
  expect(balances.toSorted()).toEqual(['0.00', '0.00', '0.00', '1.50'])
  await quickBuy(accounts[balances.indexOf('0.00')]!)
  expect((await Promise.all(accounts.map(balanceOf))).toSorted()).toEqual(['0.00', '0.00', '0.00', '1.50'])
})

test.each([
  ['PAYER1', true, 'sandbox', '1.50'],
  [null, true, 'sandbox', '1.50'],
  [null, true, 'live', '0.00'],
  ['PAYER2', false, 'sandbox', '0.00'],
  [null, false, 'sandbox', '0.00'],
])(
  'a payment with payer id %s, by a provider with identifiesPayer %s, in the mode %s, earns %s',
  async (id, identifiesPayer, mode, earned) => {
    const { checkout } = open.shop
    const { main } = checkout.providers
    const buyer = await open.shop.join()
    const started = await approve(buyer, [await addProduct(open.shop)], '10.00')
    const [payment] = await inTransaction(checkout.db, (tx) => lockPaymentsOf(tx, started.orderId))
    const told = await captureElsewhere(open.shop, started.id, payment!.id)
    if (told.kind !== 'captured') throw new Error(told.kind)
    await sql`UPDATE payments SET mode = ${mode} WHERE id = ${payment!.id}`.execute(checkout.db)
    main.identifiesPayer = identifiesPayer
    try {
      expect((await buyer.call(getCredit, {})).bonus?.anonymousMethods).toEqual(identifiesPayer ? [] : [main.name])
      await settle(checkout, payment!.id, started.orderId, { ...told, payer: { ...told.payer, id }, saved: null })
    } finally {
      main.identifiesPayer = true
    }
    expect(await balanceOf(buyer)).toBe(earned)
    // either way it was the first purchase
    expect((await buyer.call(getCredit, {})).bonus).toBeNull()
  },
)

test('counts orders from before the bonus existed as purchases', async () => {
  const book = await addProduct(open.shop)
  const buyer = await open.shop.join()
  const { id } = await buy(open.shop, buyer, book)
  const { db } = open.shop.database
  await refund(id)
  await sql`DELETE FROM credit_bonuses WHERE user_id = ${buyer.id}::uuid`.execute(db)
  expect((await buyer.call(getCredit, {})).bonus).toBeNull()
  await buy(open.shop, buyer, book)
  expect(await balanceOf(buyer)).toBe('0.00')
  expect(await buyer.call(getOrder, { id })).toMatchObject({ status: 'refunded' })
  // restores the deleted row, so that the ledger check passes
  await sql`INSERT INTO credit_bonuses (user_id, order_id, amount_cents, taken_back_cents)
    VALUES (${buyer.id}::uuid, ${id}::uuid, 150, 150)`.execute(db)
})

test('does not pay for a gift card with a bonus while its order can be refunded (attack A9)', async () => {
  const book = await addProduct(open.shop, { price: '100.00' })
  const card = await addProduct(open.shop, { price: '15.00', categoryId: 'gift-cards' })
  const buyer = await open.shop.join()
  const first = await buy(open.shop, buyer, book)
  expect(await buyer.call(getCredit, {})).toMatchObject({
    balance: '15.00',
    held: { amount: '15.00', cash: ['Gift Cards', 'Crypto', 'Prepaid Visa Cards'] },
  })
  const order = (credit?: string, source: 'cart' | 'product' = 'product') =>
    buyer.call(placeOrder, {
      items: [{ productId: card.id, quantity: 1, price: '15.00' }],
      total: '15.00',
      paymentMethod: METHOD,
      paymentId: crypto.randomUUID(),
      source,
      ...(credit && { credit }),
    })
  await buyer.call(addToCart, { productId: card.id, quantity: 1 })
  await expect(order('15.00', 'cart')).rejects.toMatchObject({ status: 409, code: 'bonus_held' })
  await buyer.call(clearCart, {})
  await expect(order('15.00')).rejects.toMatchObject({
    ...{ status: 409, code: 'bonus_held' },
    message: expect.stringContaining('pay for Gift Cards, Crypto, or Prepaid Visa Cards yet') as string,
  })
  expect(await order()).toMatchObject({ credit: '0.00' })
  // credit other than the bonus pays
  await give(open.shop, buyer, 500)
  await expect(order('5.01')).rejects.toMatchObject({ code: 'bonus_held' })
  expect(await order('5.00')).toMatchObject({ credit: '5.00' })
  await open.shop.database.pool.query(`UPDATE credit_bonuses SET created_at = now() - interval '15 days'`)
  expect((await buyer.call(getCredit, {})).held).toBeNull()
  // a bonus earned while the order reads the balance is also held
  const earning = await open.shop.database.pool.connect()
  await earning.query('BEGIN')
  await earning.query('LOCK TABLE credit_accounts IN ACCESS EXCLUSIVE MODE')
  await earning.query('UPDATE credit_bonuses SET created_at = now() WHERE user_id = $1', [buyer.id])
  const ordering = expect(order('15.00')).rejects.toMatchObject({ code: 'bonus_held' })
  const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'credit_accounts'::regclass"
  await expect.poll(async () => (await earning.query(waiting)).rowCount).toBe(1)
  await earning.query('COMMIT')
  earning.release()
  await ordering
  await open.shop.database.pool.query(`UPDATE credit_bonuses SET created_at = now() - interval '15 days'`)
  expect(await order('15.00')).toMatchObject({ status: 'completed' })
  await refund(first.id)
})
