import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buy } from '../../../test/buy.ts'
import { wrongBooks } from '../../../test/credit.ts'
import { captureOf, dispute } from '../../../test/dispute.ts'
import { addProduct } from '../../../test/goods.ts'
import { buyMany, runRefunds } from '../../../test/order.ts'
import { handleRefund, refundAtDashboard } from '../../../test/payment.ts'
import { provider } from '../../../test/provider.ts'
import { openShopForTests, openTestShop, type Person, type TestShop } from '../../../test/shop.ts'
import { readOrderFile } from '../../admin/orders/adminOrders.contract.ts'
import { revealCodes } from '../../delivery/codes/codes.contract.ts'
import { grantDownload } from '../../delivery/files/files.contract.ts'
import { getOrder, type Order } from '../../purchases/orders.contract.ts'
import { failRefund } from '../../payments/refunds.store.server.ts'
import { getRefundOffer, takeRefund } from './selfRefund.contract.ts'
import { MAX_SELF_REFUNDS } from './selfRefund.rules.ts'

const open = openShopForTests({ BONUS_PERCENT: '0', DATABASE_POOL: '25' })

async function bought({ codes, price = '10.00' }: { codes?: string[]; price?: string } = {}) {
  const buyer = await open.shop.join()
  const product = await addProduct(open.shop, { price, ...(codes && { codes }) })
  return { buyer, product, order: await buy(open.shop, buyer, product) }
}

const offerOf = (buyer: Person, { id }: Order) => buyer.call(getRefundOffer, { id })
const take = (buyer: Person, order: Order, { total = order.total, lines = order.lines } = {}) =>
  buyer.call(takeRefund, { id: order.id, lineIds: lines.map(({ id }) => id), reason: 'mistake', note: 'twice', total })
const reread = (buyer: Person, { id }: Order) => buyer.call(getOrder, { id })
const grant = (buyer: Person, { id, lines }: Order) => buyer.call(grantDownload, { id, lineId: lines[0]!.id })
const fetchFile = async ({ url }: TestShop, buyer: Person, path: string) =>
  (await fetch(url + path, { headers: { cookie: buyer.cookie } })).status

test('refunds unopened goods at once with the reason, and revokes them', async () => {
  const { buyer, order } = await bought()
  expect(await offerOf(buyer, order)).toMatchObject({
    ...{ paid: '10.00', left: '10.00', days: 14 },
    lines: [{ id: order.lines[0]!.id, amount: '10.00', whyNot: null }],
  })
  const taken = await take(buyer, order)
  expect(taken).toMatchObject({ status: 'requested', total: '10.00' })
  // a second press returns the same refund
  expect(await take(buyer, order)).toEqual(taken)
  await expect(grant(buyer, order)).rejects.toMatchObject({ status: 409, code: 'refund_under_way' })
  await runRefunds(open.shop)
  expect(await reread(buyer, order)).toMatchObject({
    status: 'refunded',
    refunds: [{ amount: '10.00' }],
    lines: [{ delivery: null, refundRequest: { state: 'granted' } }],
  })
  const staff = await open.shop.join({ isAdmin: true })
  const file = await staff.call(readOrderFile, { id: order.id })
  expect(file).toMatchObject({
    refunds: [{ status: 'completed', isByBuyer: true, reason: 'Bought by mistake' }],
    requests: [{ reason: 'mistake', note: 'twice', state: 'granted' }],
    mails: [{}, { subject: expect.stringMatching(/^Refund of \$10\.00/) as string }],
  })
  const { captureId } = await captureOf(open.shop, order.id)
  expect((await provider(open.shop).captures()).find(({ id }) => id === captureId)!.refunded).toBe('10.00')
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('sells a code again if the buyer has not seen it', async () => {
  const { buyer, product, order } = await bought({ codes: [crypto.randomUUID()] })
  await take(buyer, order)
  await runRefunds(open.shop)
  const { rows } = await open.shop.database.pool.query('SELECT state FROM codes WHERE product_id = $1', [product.id])
  expect(rows).toEqual([{ state: 'free' }])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('never sells a code again that was seen after its refund failed', async () => {
  const { buyer, product, order } = await bought({ codes: [crypto.randomUUID()] })
  const { id } = await take(buyer, order)
  await failRefund(open.shop.database.db, id, 'REFUND_FAILED_INSUFFICIENT_FUNDS')
  await buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  // the provider completes the failed refund
  const { captureId } = await captureOf(open.shop, order.id)
  await handleRefund(open.shop, captureId, await refundAtDashboard(open.shop, captureId, null, id))
  expect((await reread(buyer, order)).status).toBe('refunded')
  const { rows } = await open.shop.database.pool.query('SELECT state FROM codes WHERE product_id = $1', [product.id])
  expect(rows).toEqual([{ state: 'void' }])
})

test('refunds the unopened line at once and sends the opened line to staff', async () => {
  const buyer = await open.shop.join()
  const goods = [{ product: await addProduct(open.shop) }, { product: await addProduct(open.shop, { price: '4.00' }) }]
  const order = await buyMany(open.shop, buyer, goods)
  expect(await fetchFile(open.shop, buyer, (await grant(buyer, order)).url)).toBe(200)
  const { lines } = await offerOf(buyer, order)
  expect(order.lines.map((line) => lines.find(({ id }) => id === line.id)!.whyNot)).toEqual(['used', null])
  await expect(take(buyer, order)).rejects.toMatchObject({ status: 409, code: 'not_at_once' })
  await take(buyer, order, { total: '4.00', lines: order.lines.slice(1) })
  await runRefunds(open.shop)
  const opens = (await reread(buyer, order)).lines.filter(({ delivery }) => delivery !== null)
  expect(opens.map(({ id }) => id)).toEqual([order.lines[0]!.id])
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('does not count an unused link as opened, and rejects it after the refund', async () => {
  const { buyer, order } = await bought()
  const { url } = await grant(buyer, order)
  await take(buyer, order)
  expect(await fetchFile(open.shop, buyer, url)).toBe(403)
})

test('sends a revealed code, an old, a large and a disputed order to staff', async () => {
  const { pool } = open.shop.database
  const seen = await bought({ codes: [crypto.randomUUID()] })
  await seen.buyer.call(revealCodes, { id: seen.order.id, lineId: seen.order.lines[0]!.id })
  const old = await bought()
  await pool.query(`UPDATE orders SET completed_at = completed_at - interval '14 days 1 minute' WHERE id = $1`, [
    old.order.id,
  ])
  const large = await bought({ price: '501.00' })
  const whyNots = await Promise.all(
    [seen, old, large].map(async ({ buyer, order }) => (await offerOf(buyer, order)).lines[0]!.whyNot),
  )
  expect(whyNots).toEqual(['used', 'late', 'look'])
  for (const { buyer, order } of [seen, old, large])
    await expect(take(buyer, order)).rejects.toMatchObject({ status: 409, code: 'not_at_once' })
  const disputed = await bought()
  await dispute(open.shop, disputed.order.id)
  await expect(take(disputed.buyer, disputed.order)).rejects.toMatchObject({ status: 409, code: 'disputed' })
})

test('sends lines to staff that are small alone but large together', async () => {
  const buyer = await open.shop.join()
  const goods = await Promise.all(
    [1, 2].map(async () => ({ product: await addProduct(open.shop, { price: '300.00' }) })),
  )
  const order = await buyMany(open.shop, buyer, goods)
  expect((await offerOf(buyer, order)).lines.map(({ whyNot }) => whyNot)).toEqual([null, null])
  await expect(take(buyer, order)).rejects.toMatchObject({ status: 409, code: 'not_at_once' })
  await take(buyer, order, { total: '300.00', lines: order.lines.slice(1) })
  // refunding one after the other reaches the same limit
  await expect(take(buyer, order, { total: '300.00', lines: order.lines.slice(0, 1) })).rejects.toMatchObject({
    code: 'not_at_once',
  })
})

test('applies the limit of a buyer to concurrent orders by one lock', async () => {
  const buyer = await open.shop.join()
  const orders: Order[] = []
  for (let n = 0; n < MAX_SELF_REFUNDS + 2; n++)
    orders.push(await buy(open.shop, buyer, await addProduct(open.shop, { price: '1.00' })))
  const taken = await Promise.allSettled(orders.map((order) => take(buyer, order)))
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(MAX_SELF_REFUNDS)
  const refused = taken.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  expect(refused.reason).toMatchObject({ status: 409, code: 'not_at_once' })
})

test('rejects a sum that the buyer did not see, foreign orders and foreign lines', async () => {
  const [{ buyer, order }, other] = [await bought(), await bought()]
  await expect(take(buyer, order, { total: '9.99' })).rejects.toMatchObject({ status: 409, code: 'refund_changed' })
  await expect(take(other.buyer, order)).rejects.toMatchObject({ status: 404 })
  await expect(take(buyer, order, { lines: other.order.lines })).rejects.toMatchObject({ status: 404 })
  await expect(offerOf(other.buyer, order)).rejects.toMatchObject({ status: 404 })
})

test('lets exactly one of a concurrent download and refund win, in 20 races', { timeout: 60_000 }, async () => {
  let refunds = 0
  for (let race = 0; race < 20; race++) {
    const { buyer, order } = await bought()
    const { url } = await grant(buyer, order)
    const starts = [
      () => fetchFile(open.shop, buyer, url).then((status) => status === 200),
      () =>
        take(buyer, order).then(
          () => true,
          (error: { status: number }) => error.status !== 409,
        ),
    ]
    // alternates the order; on a busy machine a download needs a longer head start
    const tries = race % 2 === 0 ? starts : starts.toReversed()
    const won = await Promise.all(tries.map((start, i) => pause(i * race).then(start)))
    expect(won.filter(Boolean)).toHaveLength(1)
    if (won[race % 2 === 0 ? 1 : 0]) refunds++
  }
  // both outcomes must occur, otherwise the test races nothing
  expect(refunds).toBeGreaterThan(0)
  expect(refunds).toBeLessThan(20)
  await runRefunds(open.shop)
  expect(await wrongBooks(open.shop)).toEqual([])
})

test('sends every refund to staff with SELF_REFUND_DAYS=0', async () => {
  const shop = await openTestShop({ SELF_REFUND_DAYS: '0' })
  try {
    const buyer = await shop.join()
    const order = await buy(shop, buyer, await addProduct(shop))
    expect((await offerOf(buyer, order)).lines[0]!.whyNot).toBe('off')
    await expect(take(buyer, order)).rejects.toMatchObject({ status: 409, code: 'not_at_once' })
    const page = await (await fetch(`${shop.url}/refunds`)).text()
    expect(page).not.toMatch(/For \d+ days you can refund/)
  } finally {
    await shop.close()
  }
})

test('shows the same number of days on the refund page and in the help article', async () => {
  const [page, article] = await Promise.all(
    ['/refunds', '/help/refunds'].map(async (path) => (await fetch(open.shop.url + path)).text()),
  )
  for (const text of [page, article]) expect(text).toContain('For 14 days you can refund')
})
