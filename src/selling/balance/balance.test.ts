import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { saveSandboxWallet } from '../../../sandbox/paypal/wallets.server.ts'
import { lockTable, openStage } from '../../../drill/stage.ts'
import { buy } from '../../../test/buy.ts'
import { give } from '../../../test/credit.ts'
import { passPayoutWait } from '../../../test/earn.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany } from '../../../test/order.ts'
import { METHOD } from '../../../test/payment.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { readTaggedPdf } from '../../../test/taggedPdf.ts'
import { placeOrder } from '../../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../../aftersale/refunds/refund.server.ts'
import { inTransaction, type Tx } from '../../kit/database.server.ts'
import { signedCents, toDecimal } from '../../kit/money.ts'
import { readBalance } from '../../payments/balance.server.ts'
import { getPayouts, requestPayout, savePayoutDetails } from '../../payments/payouts/payouts.contract.ts'
import { settleIn } from '../../payments/payouts/settle.server.ts'
import { findViolations } from '../../audit/faults.server.ts'
import { recordTransfer, sellerAccount } from '../../payments/ledger/transfers.store.server.ts'
import { saveWallet } from '../../payments/wallets.store.server.ts'
import { getBalance, getStatement } from './balance.contract.ts'
import { monthOf, statementFile } from './statement.rules.ts'
import { readStatement } from './statement.store.server.ts'

const open = openShopForTests({
  BONUS_PERCENT: '0',
  FEE_PERCENT: '10',
  FEE_CENTS: '5',
  DATABASE_POOL: '25',
  PAYOUT_MINIMUM: '0.01',
})
let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ connectionString: open.shop.databaseUrl })
  await client.connect()
})
afterAll(() => client.end())

const pool = () => open.shop.database.pool
const db = () => open.shop.database.db

async function brokenRules() {
  const found = await findViolations(client, ['EARNINGS', 'COSTS', 'ERASED'])
  return found.map(({ violation }) => violation)
}

async function ownerOf(productId: string): Promise<Person> {
  const { rows } = await pool().query<{ id: string; email: string }>(
    'SELECT u.id, u.email FROM products p JOIN users u ON u.id = p.seller_id WHERE p.id = $1',
    [productId],
  )
  const cookie = await open.shop.identity.createSession(rows[0]!.email)
  return { ...rows[0]!, cookie, call: (endpoint, input) => open.shop.call(endpoint, input, { headers: { cookie } }) }
}

async function refund(orderId: string, cents?: number) {
  const { id } = await refundOrder(open.shop.checkout, orderId, 'asked for', cents)
  // the job may run twice
  for (let i = 0; i < 2; i++) await runRefund(open.shop.checkout, id)
}

const ledgerCents = async (sellerId: string) => {
  const { rows } = await pool().query<{ cents: number }>(
    'SELECT coalesce(-sum(amount_cents), 0)::bigint AS cents FROM ledger_entries WHERE account = $1',
    [sellerAccount(sellerId)],
  )
  return rows[0]!.cents
}

const endHolds = () => pool().query(`UPDATE earnings SET available_at = now() - interval '1 second'`)

const payOut = (tx: Tx, sellerId: string, cents: number) =>
  recordTransfer(tx, null, [
    { account: sellerAccount(sellerId), amountCents: cents },
    { account: 'payouts:test', amountCents: -cents },
  ])

test('a sale minus its fee is pending, then available, and the statement lists each step', async () => {
  const product = await addProduct(open.shop, { price: '10.00', title: 'Night Trains' })
  const seller = await ownerOf(product.id)
  expect(await seller.call(getBalance, {})).toMatchObject({ available: '0.00', pending: '0.00', firstMonth: null })
  const order = await buy(open.shop, await open.shop.join(), product)
  await buy(open.shop, await open.shop.join(), product)
  const month = monthOf(Date.now())
  const sheet = await seller.call(getBalance, {})
  expect(sheet).toMatchObject({
    ...{
      available: '0.00',
      pending: '17.90',
      pendingSales: 2,
      paidOut: '0.00',
      firstMonth: month,
      presentMonth: month,
    },
    terms: { feePercent: '10', fixedFee: '0.05', holdDays: 7 },
  })
  expect(Date.parse(sheet.pendingUntil!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  expect(Date.parse(sheet.pendingUntil!) - Date.now()).toBeLessThan(7.1 * 86_400_000)
  await endHolds()
  expect(await seller.call(getBalance, {})).toMatchObject({ available: '17.90', pending: '0.00', pendingUntil: null })
  await inTransaction(db(), (tx) => payOut(tx, seller.id, 1790))
  await refund(order.id, 400)
  // negative, because the refund followed the payout; later sales offset it
  expect(await seller.call(getBalance, {})).toMatchObject({ available: '-3.58', pending: '0.00', paidOut: '17.90' })
  const statement = await seller.call(getStatement, {})
  expect(statement).toMatchObject({ month, opening: '0.00', closing: '-3.58', isSummedUp: false })
  expect(
    statement.movements.map(({ kind, title, count, amount, balance }) => [kind, title, count, amount, balance]),
  ).toEqual([
    ['sale', 'Night Trains', 2, '20.00', '20.00'],
    ['fee', null, 2, '-2.10', '17.90'],
    ['refund', 'Night Trains', 1, '-4.00', '13.90'],
    ['fee_returned', null, 1, '0.42', '14.32'],
    ['payout', null, 1, '-17.90', '-3.58'],
  ])
  expect(statement.movements[2]).toMatchObject({ orderId: order.id })
  expect(await brokenRules()).toEqual([])
  // another member has a separate balance
  expect(await (await open.shop.join()).call(getStatement, { month })).toMatchObject({ closing: '0.00', movements: [] })
})

test.each([['money'], ['credit']])(
  'partial refunds of an order paid by %s bring the balances of sellers, fees and buyer to zero',
  async (way) => {
    const [first, second] = [
      await addProduct(open.shop, { price: '3.33' }),
      await addProduct(open.shop, { price: '6.67' }),
    ]
    const buyer = await open.shop.join()
    const items = [first, second].map(({ id, price }) => ({ productId: id, quantity: 1, price }))
    if (way === 'credit') await give(open.shop, buyer, 1000)
    else await giveWallet(buyer)
    const order = await buyer.call(placeOrder, {
      ...{
        items,
        total: '10.00',
        source: 'product',
        paymentMethod: METHOD,
        paymentId: `${METHOD}_${crypto.randomUUID()}`,
      },
    })
    expect(order.status).toBe('completed')
    const sellers = [await ownerOf(first.id), await ownerOf(second.id)]
    // the fee is 10 % rounded down, plus 5 cents
    expect(await Promise.all(sellers.map(({ id }) => ledgerCents(id)))).toEqual([333 - 38, 667 - 71])
    for (const cents of [1, 7, 250, 1]) {
      await refund(order.id, cents)
      expect(await brokenRules()).toEqual([])
    }
    await refund(order.id)
    expect(await Promise.all(sellers.map(({ id }) => ledgerCents(id)))).toEqual([0, 0])
    const { rows } = await pool().query(
      `SELECT account FROM ledger_entries WHERE payment_id IN (SELECT id FROM payments WHERE order_id = $1)
     GROUP BY account HAVING sum(amount_cents) <> 0 AND account NOT LIKE 'credit:%'`,
      [order.id],
    )
    expect(rows).toEqual([])
    expect(await brokenRules()).toEqual([])
  },
)

test('20 payouts at once, concurrent with refunds, never exceed the available balance', async () => {
  const product = await addProduct(open.shop, { price: '10.00' })
  const seller = await ownerOf(product.id)
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 5000)
  const orders: string[] = []
  for (let i = 0; i < 5; i++) orders.push(await buyByCredit(buyer, [product]))
  await endHolds()
  // 44.75 are available: eight payouts of 5.00, or fewer where refunds come first
  await savePayPal(seller)
  const asked = await Promise.allSettled([
    ...Array.from({ length: 20 }, () => seller.call(requestPayout, { amount: '5.00' })),
    ...orders.slice(0, 2).map((id) => refund(id, 500)),
  ])
  const refused = asked.filter((one) => one.status === 'rejected').map((one) => one.reason as unknown)
  for (const reason of refused) expect(reason).toMatchObject({ status: 409 })
  const { rows } = await pool().query<{ is_payout: boolean; after: number }>(
    `SELECT payment_id IS NULL AS is_payout, -sum(amount_cents) OVER (ORDER BY id)::bigint AS after
     FROM ledger_entries WHERE account = $1 ORDER BY id`,
    [sellerAccount(seller.id)],
  )
  const paid = rows.filter((row) => row.is_payout)
  expect(paid.length).toBeGreaterThan(5)
  // in the order of the ledger, no payout makes the balance negative
  expect(Math.min(...paid.map(({ after }) => after))).toBeGreaterThanOrEqual(0)
  expect(refused).toHaveLength(20 - paid.length)
})

test('a payout waits for a refund in progress and cannot exceed the remaining balance', async () => {
  const product = await addProduct(open.shop, { price: '10.00' })
  const seller = await ownerOf(product.id)
  const buyer = await open.shop.join()
  await give(open.shop, buyer, 1000)
  const order = await buyByCredit(buyer, [product])
  await endHolds()
  await savePayPal(seller)
  const [stage, owner] = [await openStage(open.shop.shopUrl), await openStage(open.shop.databaseUrl)]
  onTestFinished(async () => {
    await owner.clear()
    await stage.clear()
  })
  const release = await owner.hold(lockTable('earning_returns', 'EXCLUSIVE'))
  const refunding = refund(order, 500)
  await stage.standing(1, 'earning_returns')
  const asking = seller.call(requestPayout, { amount: '8.95' }).catch((error: unknown) => error)
  await stage.standing(1, 'pg_advisory_xact_lock')
  await release()
  await refunding
  expect(await asking).toMatchObject({ status: 409, code: 'above_available' })
})

test('a statement begins with the balance of the months before and sums up a long month by day', async () => {
  const product = await addProduct(open.shop, { price: '10.00', title: 'Старые поезда, 雨 𐎀' })
  const seller = await ownerOf(product.id)
  const order = await buy(open.shop, await open.shop.join(), product)
  await open.shop.asOwner(`ALTER TABLE ledger_entries DISABLE TRIGGER ledger_append_only;
    UPDATE ledger_entries SET created_at = '2026-02-28T23:59:59Z' WHERE account = '${sellerAccount(seller.id)}';
    UPDATE earnings SET earned_at = '2026-02-28T23:59:59Z' WHERE seller_id = '${seller.id}';
    ALTER TABLE ledger_entries ENABLE TRIGGER ledger_append_only`)
  await refund(order.id)
  const read = (month: string) => seller.call(getStatement, { month })
  expect(await read('2026-02')).toMatchObject({
    opening: '0.00',
    closing: '8.95',
    movements: [{ day: '2026-02-28' }, {}],
  })
  expect(await read('2026-03')).toMatchObject({ opening: '8.95', closing: '8.95', movements: [] })
  expect(await read(monthOf(Date.now()))).toMatchObject({ opening: '8.95', closing: '0.00' })
  expect(await seller.call(getBalance, {})).toMatchObject({ firstMonth: '2026-02' })
  const summed = await readStatement(pool(), { sellerId: seller.id, month: '2026-02', most: 0 })
  expect(summed).toMatchObject({
    isSummedUp: true,
    closing: '8.95',
    movements: [{ kind: 'sale', title: null }, { kind: 'fee' }],
  })
  const file = async (kind: 'csv' | 'pdf', month: string) => {
    const answer = await fetch(open.shop.url + statementFile(kind, month), { headers: { cookie: seller.cookie } })
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const csv = await file('csv', '2026-02')
  expect(csv.bytes.toString()).toContain('2026-02-28,"Старые поезда, 雨 𐎀",1 copy,10.00,10.00\r\n')
  expect(csv.answer.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-02.csv"')
  const pdf = await file('pdf', '2026-02')
  expect(pdf.answer.headers.get('content-type')).toBe('application/pdf')
  const { problems, text } = readTaggedPdf(pdf.bytes)
  expect(problems).toEqual([])
  for (const part of [
    'Statement, February 2026',
    'Старые поезда, 雨 ?',
    '+$10.00',
    '$8.95',
    'shown as a question mark',
  ])
    expect(text.join('\n')).toContain(part)
  for (const { answer } of [csv, pdf]) expect(answer.headers.get('cache-control')).toBe('private, no-store')
  expect((await file('csv', '2026-13')).answer.status).toBe(400)
  await expect(read('2026-1')).rejects.toMatchObject({ status: 400 })
})

async function savePayPal(seller: Person) {
  await seller.call(savePayoutDetails, { details: { method: 'paypal', email: `seller-${seller.id}@mail.example` } })
  await passPayoutWait(open.shop, seller.id)
}

async function giveWallet({ id, email }: Person) {
  await saveWallet(db(), {
    userId: id,
    provider: METHOD,
    mode: 'sandbox',
    ...(await saveSandboxWallet(db(), { email })),
  })
}

async function buyByCredit(buyer: Person, products: { id: string; price: string }[], quantity = 1): Promise<string> {
  const total = products.reduce((sum, { price }) => sum + signedCents(price) * quantity, 0)
  const { id } = await buyer.call(placeOrder, {
    items: products.map(({ id: productId, price }) => ({ productId, quantity, price })),
    ...{ total: toDecimal(total), source: 'product', paymentMethod: METHOD, paymentId: `x_${crypto.randomUUID()}` },
  })
  return id
}

type Step =
  | { kind: 'sale'; goods: number[]; quantity: number }
  | { kind: 'refund'; order: number; part: number }
  | { kind: 'fee'; basisPoints: number; fixedCents: number }
  | { kind: 'hold' }
  | { kind: 'payout' | 'return'; seller: number; part: number }

const part = fc.double({ min: 0, max: 1, noNaN: true })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sale' as const),
      goods: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('refund' as const), order: fc.nat(20), part }) },
  fc.record({ kind: fc.constant('fee' as const), basisPoints: fc.nat(10_000), fixedCents: fc.nat(300) }),
  fc.record({ kind: fc.constant('hold' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('payout' as const, 'return' as const), seller: fc.nat(2), part }),
  },
)

test('a refund of one line shows its title, and a refund of the order shows one title and a count', async () => {
  const [first, second] = [
    await addProduct(open.shop, { price: '10.00', title: 'Night Trains' }),
    await addProduct(open.shop, { price: '6.00', title: 'Salt' }),
  ]
  const seller = await ownerOf(first.id)
  await pool().query('UPDATE products SET seller_id = $1 WHERE id = $2', [seller.id, second.id])
  const goods = [{ product: first }, { product: second }]
  const orders = [
    await buyMany(open.shop, await open.shop.join(), goods),
    await buyMany(open.shop, await open.shop.join(), goods),
  ]
  const [one, whole] = orders as [(typeof orders)[0], (typeof orders)[0]]
  const lines = [{ orderLineId: one.lines[1]!.id, quantity: 1 }]
  const { id } = await refundOrder(open.shop.checkout, one.id, 'a page is missing', 600, { lines })
  await runRefund(open.shop.checkout, id)
  await refund(whole.id)
  const { movements } = await seller.call(getStatement, {})
  const titleOf = (orderId: string) => movements.find((one) => one.kind === 'refund' && one.orderId === orderId)?.title
  expect([titleOf(one.id), titleOf(whole.id)]).toEqual([
    'Salt',
    expect.stringMatching(/^(Night Trains|Salt) and 1 more$/),
  ])
})

test(
  'any sequence of sales, refunds, fees, holds and payouts: each statement sums to the ledger',
  { timeout: 120_000 },
  async () => {
    const goods = [
      await addProduct(open.shop, { price: '0.07' }),
      await addProduct(open.shop, { price: '3.33' }),
      await addProduct(open.shop, { price: '19.99' }),
    ]
    const sellers = await Promise.all(goods.map(({ id }) => ownerOf(id)))
    for (const seller of sellers) await savePayPal(seller)
    const { config } = open.shop.checkout
    const before = { ...config.fee }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const buyer = await open.shop.join()
        await give(open.shop, buyer, 10_000_000)
        const orders: { id: string; leftCents: number }[] = []
        for (const one of steps) {
          if (one.kind === 'sale') {
            const bought = one.goods.map((n) => goods[n]!)
            const id = await buyByCredit(buyer, bought, one.quantity)
            orders.push({
              id,
              leftCents: bought.reduce((sum, { price }) => sum + signedCents(price) * one.quantity, 0),
            })
          } else if (one.kind === 'refund') {
            const order = orders[one.order % (orders.length || 1)]
            if (!order?.leftCents) continue
            const cents = Math.max(1, Math.round(order.leftCents * one.part))
            await refund(order.id, cents)
            order.leftCents -= cents
          } else if (one.kind === 'fee') Object.assign(config.fee, one)
          else if (one.kind === 'hold') await endHolds()
          else {
            const seller = sellers[one.seller]!
            if (one.kind === 'payout') {
              const most = Math.max(0, (await readBalance(db(), seller.id)).availableCents)
              const cents = Math.round(most * one.part)
              if (cents > 0) await seller.call(requestPayout, { amount: toDecimal(cents) })
              const tooMuch = toDecimal(most - cents + 1)
              await expect(seller.call(requestPayout, { amount: tooMuch })).rejects.toMatchObject({ status: 409 })
            } else {
              const waiting = (await seller.call(getPayouts, {})).payouts.find(({ state }) => state === 'requested')
              const failed = { state: 'failed', cause: 'shop', reason: 'x' } as const
              if (waiting)
                await inTransaction(db(), (tx) => settleIn(tx, open.shop.checkout.payouts, waiting.id, failed))
            }
          }
          for (const { id: sellerId } of sellers) {
            const owed = await ledgerCents(sellerId)
            const { pendingCents, availableCents } = await readBalance(db(), sellerId)
            expect(pendingCents + availableCents).toBe(owed)
            expect(pendingCents).toBeGreaterThanOrEqual(0)
            for (const most of [0, null]) {
              const { closing } = await readStatement(pool(), { sellerId, month: monthOf(Date.now()), most })
              expect(signedCents(closing)).toBe(owed)
            }
          }
        }
        expect(await brokenRules()).toEqual([])
        const { rows } = await sql<{
          cents: number
        }>`SELECT sum(amount_cents)::bigint AS cents FROM ledger_entries`.execute(db())
        expect(rows).toEqual([{ cents: 0 }])
      }),
      { numRuns: 12 },
    )
    Object.assign(config.fee, before)
  },
)
