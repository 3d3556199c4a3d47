import { expect, onTestFinished, test } from 'vitest'
import { buy as buyOne } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { openTestShop, type TestShop } from '../../test/shop.ts'
import { addToCart } from '../../src/cart/cart.contract.ts'
import { capturePayment, startPayment } from '../../src/checkout/checkout.contract.ts'
import { revealCodes } from '../../src/delivery/codes/codes.contract.ts'
import { getOrder } from '../../src/purchases/orders.contract.ts'
import { terminal } from './run.test.help.ts'

async function openShop({ hasJobs = false, ...env }: { hasJobs?: boolean; REFUND_APPROVAL_ABOVE?: string } = {}) {
  const shop = await openTestShop({}, { hasJobs })
  onTestFinished(() => shop.close())
  const run = terminal({ NODE_ENV: 'test', DATABASE_URL: shop.databaseUrl, DATA_DIR: shop.dataDir, ...env })
  return { shop, run }
}

async function buy(shop: TestShop) {
  const product = await addProduct(shop)
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await provider(shop).approve(id)
  const { orderId } = await buyer.call(capturePayment, { id })
  return { orderId, readStatus: async () => (await buyer.call(getOrder, { id: orderId })).status }
}

test('refunds an order in part and in full through the running shop', async () => {
  const { shop, run } = await openShop({ hasJobs: true })
  const { orderId, readStatus } = await buy(shop)
  const part = await run(`refund ${orderId} --amount 2.50 --reason 'two pages are missing'`)
  expect(part).toMatchObject({ code: 0, err: [], out: [expect.stringMatching(/of \$2\.50 is complete\.$/)] })
  expect(await readStatus()).toBe('completed')
  expect((await run(`refund ${orderId} --amount 7.51 --reason more`)).err).toEqual([
    'More than was paid cannot be given back.',
  ])
  expect((await run(`refund ${orderId} --reason 'all pages are missing'`)).out[0]).toMatch(/of \$7\.50 is complete\.$/)
  expect(await readStatus()).toBe('refunded')
  expect((await provider(shop).captures())[0]).toMatchObject({ refunded: '10.00' })
  expect((await run(`refund ${orderId} --reason again`)).err).toEqual(['There is no money to give back.'])
})

test('enqueues a refund only once while no shop is running', async () => {
  const { shop, run } = await openShop()
  const { orderId, readStatus } = await buy(shop)
  const asked = await run(`refund ${orderId} --reason 'the book is torn'`)
  expect(asked).toMatchObject({ code: 0, out: [expect.stringContaining('is requested and not complete yet')] })
  expect(asked.out[0]).toContain('No shop is running: its next start makes the refund.')
  expect((await run(`refund ${orderId} --reason 'the book is torn'`)).err).toEqual(['All of it is given back already.'])
  expect(await readStatus()).toBe('completed')
  const { rows } = await shop.database.pool.query(
    "SELECT task_identifier FROM graphile_worker.jobs WHERE task_identifier = 'refund'",
  )
  expect(rows).toHaveLength(1)
})

test('a refund above the limit waits for approval by staff', async () => {
  const { shop, run } = await openShop({ REFUND_APPROVAL_ABOVE: '5.00' })
  const { orderId } = await buy(shop)
  const asked = await run(`refund ${orderId} --reason 'the book is torn'`)
  expect(asked).toMatchObject({ code: 0, out: [expect.stringMatching(/^\$10\.00 waits: .*\/admin\/orders\//)] })
  const { rows } = await shop.database.pool.query('SELECT asked_by, state FROM refund_approvals')
  expect(rows).toEqual([{ asked_by: null, state: 'waiting' }])
  expect((await shop.database.pool.query('SELECT FROM refunds')).rowCount).toBe(0)
})

test('rejects a refund without an order, a reason or a valid amount', async () => {
  const { run } = await openShop()
  const unknown = crypto.randomUUID()
  for (const number of [unknown, '17', '00000000']) {
    const { code, err } = await run(`refund ${number} --reason x`)
    expect({ code, err }).toEqual({ code: 1, err: [expect.stringMatching(`^There is no order ${number}\\.`)] })
    expect(err[0]).toMatch(/email address or product, open http:\S+\/admin\/orders\.$/)
  }
  expect((await run(`refund ${unknown}`)).err[0]).toContain('--reason: say why')
  for (const amount of ['0', '0.00', '-1', '1.234', 'all', '1e3'])
    expect((await run(`refund ${unknown} --reason x --amount=${amount}`)).err[0]).toContain('--amount: give dollars')
})

test('accepts the short order number if no other order ends in it', async () => {
  const { shop, run } = await openShop({ hasJobs: true })
  const { orderId, readStatus } = await buy(shop)
  const short = orderId.slice(-8)
  expect((await run(`refund ${short} --amount 2.50 --reason x`)).out[0]).toMatch(/of \$2\.50 is complete\.$/)
  const twin = `${crypto.randomUUID().slice(0, -8)}${short}`
  await shop.database.pool.query(
    `INSERT INTO orders (id, user_id, checkout_key, request_hash, source, status, total_cents, expires_at)
      SELECT $1, user_id, 'twin', request_hash, source, 'pending', total_cents, expires_at FROM orders WHERE id = $2`,
    [twin, orderId],
  )
  const asked = await run(`refund ${short} --reason x`)
  expect(asked).toMatchObject({ code: 1, err: [expect.stringContaining(`2 orders end in ${short}`)] })
  expect(asked.err[0]).toContain('Run it again with the whole number')
  const today = new Date().toISOString().slice(0, 10)
  for (const id of [orderId, twin]) expect(asked.err[0]).toMatch(`${id}  ${today}  $10.00  person`)
  expect(await readStatus()).toBe('completed')
})

test('refunds an order with revealed codes only with --codes-seen', async () => {
  const { shop, run } = await openShop({ hasJobs: true })
  const buyer = await shop.join()
  const order = await buyOne(shop, buyer, await addProduct(shop, { codes: ['SEEN'] }))
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  expect((await run(`refund ${order.id} --reason x`)).err[0]).toContain('Add --codes-seen')
  expect((await run(`refund ${order.id} --reason x --codes-seen`)).out[0]).toMatch(/of \$10\.00 is complete\.$/)
})

test('refunds an unused second payment first and reports it', async () => {
  const { shop, run } = await openShop()
  const { orderId, readStatus } = await buy(shop)
  await shop.database.pool.query(
    `WITH unused AS (
       INSERT INTO payments (order_id, provider, mode, status, amount_cents)
       SELECT order_id, provider, mode, 'mismatched', amount_cents FROM payments WHERE order_id = $1 RETURNING id)
     INSERT INTO refunds (payment_id, amount_cents, reason, status) SELECT id, 1000, 'paid twice', 'failed' FROM unused`,
    [orderId],
  )
  const asked = await run(`refund ${orderId} --reason 'paid twice'`)
  expect(asked).toMatchObject({
    code: 0,
    out: [expect.stringContaining('bought no goods'), expect.stringContaining('is requested')],
  })
  expect((await run(`refund ${orderId} --reason 'not wanted'`)).out).toEqual([expect.stringContaining('is requested')])
  expect(await readStatus()).toBe('completed')
})
