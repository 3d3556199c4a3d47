import { expect, onTestFinished, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { createFake } from '../../test/fakeProvider/fakeProvider.ts'
import { addProduct } from '../../test/goods.ts'
import { openTestShop } from '../../test/shop.ts'
import { refundOrder, runRefund } from '../../src/aftersale/refunds/refund.server.ts'
import { capturePayment, startPayment } from '../../src/checkout/checkout.contract.ts'
import { addDays } from '../../src/audit/reports/reconcile.rules.ts'
import { reconcileDay } from '../../src/audit/reports/reconcile.server.ts'
import { terminal } from './run.test.help.ts'

const today = () => new Date().toISOString().slice(0, 10)

async function openShop() {
  const shop = await openTestShop({ BONUS_PERCENT: '0' })
  onTestFinished(() => shop.close())
  const { port } = new URL(shop.url)
  const run = terminal({ NODE_ENV: 'test', PORT: port, DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataDir })
  return { shop, run }
}

test(
  'prints balances, rules and the day of a provider, and fails for each kind of difference',
  { timeout: 60_000 },
  async () => {
    const { shop, run } = await openShop()
    const { pool } = shop.database
    const product = await addProduct(shop)
    const orders = [await buy(shop, await shop.join(), product), await buy(shop, await shop.join(), product)]
    const { id } = await refundOrder(shop.checkout, orders[1]!.id, 'asked for', 300)
    await runRefund(shop.checkout, id)
    const day = today()
    const good = await run(`ledger --day ${day}`)
    expect(good).toMatchObject({ code: 0, err: [] })
    expect(good.out.join('\n')).toMatch(/provider:paypal:sandbox +\$17\.00\n/)
    expect(good.out.join('\n')).toMatch(/seller +−\$16\.15\n/)
    expect(good.out.join('\n')).toContain(`PayPal, ${day}: 2 payments, 1 refund; no difference`)
    expect((await run(`ledger --day ${addDays(day, -9)}`)).out.join('\n')).toContain(
      `PayPal, ${addDays(day, -9)}: nothing moved; no difference`,
    )

    await pool.query(`UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{cents}', '999') WHERE kind = 'refund'`)
    await pool.query(
      `UPDATE sandbox.records SET id = 'ELSEWHERE', body = jsonb_set(body::jsonb, '{id}', '"ELSEWHERE"') WHERE kind = 'capture' AND id = $1`,
      [orders[0]!.paymentId],
    )
    await shop.asOwner(`UPDATE earnings SET fee_cents = fee_cents + 1 WHERE order_id = '${orders[0]!.id}'`)
    const bad = await run(`ledger --day ${day}`)
    expect(bad).toMatchObject({
      code: 1,
      err: [expect.stringMatching(/^\d broken rules?, 3 differences to PayPal\.$/)],
    })
    const text = bad.out.join('\n')
    for (const part of [
      ...['only at the provider: payment ELSEWHERE, $10.00 USD', `only here: payment ${orders[0]!.paymentId}, $10.00`],
      ...['$9.99 USD there and $3.00 here', 'EARNINGS: seller:'],
    ])
      expect(text).toContain(part)
    const { out } = await run(`ledger --day ${day} --json`)
    const books = JSON.parse(out.join('\n')) as { breaches: string[]; providers: { differences: { kind: string }[] }[] }
    expect(
      books.providers
        .flatMap(({ differences }) => differences)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['only_here', 'only_there', 'other_amount'])
    expect(books.breaches.length).toBeGreaterThan(0)
  },
)

test('rejects an invalid day and reports an unreadable report', async () => {
  const { shop, run } = await openShop()
  for (const day of ['2026-02-30', 'x', addDays(today(), 1)])
    expect(await run(`ledger --day ${day}`)).toMatchObject({ code: 1, err: [expect.stringContaining('--day')] })
  const away = terminal({ NODE_ENV: 'test', PORT: '1', DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataDir })
  const { code, err, out } = await away(`ledger`)
  expect([code, err[0]]).toEqual([1, expect.stringContaining('the report of PayPal is not read')])
  expect(out.join('\n')).toContain('the report is not read')
})

test('compares another provider, and payouts, with the ledger', async () => {
  const fake = createFake()
  const shop = await openTestShop({ BONUS_PERCENT: '0' }, { providers: [fake.opening] })
  onTestFinished(() => shop.close())
  const product = await addProduct(shop)
  const buyer = await shop.join()
  const items = [{ productId: product.id, quantity: 1 }]
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture', items })
  fake.payments.get(id)!.state = 'approved'
  const { order } = await buyer.call(capturePayment, { id })
  expect(order.status).toBe('completed')
  const provider = (await fake.opening({} as never))!.provider
  const look = () => reconcileDay(shop.database.pool, provider, today())
  expect(await look()).toMatchObject({ kind: 'compared', differences: [] })
  // A dispute holds money for some time.
  for (const cents of [-1000, 1000])
    await shop.asOwner(
      `INSERT INTO ledger_entries (transfer_id, account, amount_cents, payment_id, created_at)
       SELECT '${crypto.randomUUID()}', account, cents, p.id, now() + interval '1 second' FROM payments p,
         (VALUES ('provider:fake:sandbox', ${cents}), ('disputed', ${-cents})) AS entry (account, cents)`,
    )
  expect(await look()).toMatchObject({ kind: 'compared', differences: [] })
  fake.payments.get(id)!.amountCents = 900
  expect(await look()).toMatchObject({ differences: [{ kind: 'other_amount' }] })
  fake.payments.get(id)!.capturedAt = new Date(0)
  expect(await look()).toMatchObject({ differences: [{ kind: 'only_here' }] })
  fake.faults.next = 'away'
  expect(await look()).toMatchObject({ kind: 'unread' })
  const { report: _, ...silent } = provider
  expect(await reconcileDay(shop.database.pool, silent, today())).toMatchObject({ kind: 'none' })
})
