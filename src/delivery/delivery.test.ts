import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addFile, addProduct } from '../../test/goods.ts'
import { provider } from '../../test/provider.ts'
import { type Person, openShopForTests } from '../../test/shop.ts'
import { addToCart } from '../cart/cart.contract.ts'
import { KINDS, ONE_IS_ENOUGH } from '../catalogue/kinds.rules.ts'
import { capturePayment, startPayment } from '../checkout/checkout.contract.ts'
import { refundOrder, runRefund } from '../aftersale/refunds/refund.server.ts'
import { getOrder, type Order } from '../purchases/orders.contract.ts'
import { lockOrder } from '../orders/orders.store.server.ts'
import { insertRefund } from '../payments/refunds.store.server.ts'
import { inTransaction } from '../kit/database.server.ts'
import { revealCodes } from './codes/codes.contract.ts'
import { grantDownload } from './files/files.contract.ts'
import { isOneEnough } from './kinds.server.ts'

const open = openShopForTests()
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function buy(
  codes?: string[],
): Promise<{ buyer: Person; order: Order; product: Awaited<ReturnType<typeof addProduct>> }> {
  const product = await addProduct(open.shop, codes ? { codes } : {})
  const buyer = await open.shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: codes?.length ?? 1 })
  const amount = codes ? `${codes.length * 10}.00` : '10.00'
  const { id } = await buyer.call(startPayment, { amount, currency: 'USD', intent: 'capture' })
  await provider(open.shop).approve(id)
  const { order } = await buyer.call(capturePayment, { id })
  return { buyer, order, product }
}

const grant = (buyer: Person, order: Order) => buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
const fetchAs = (buyer: Person, path: string, headers: Record<string, string> = {}) =>
  fetch(open.shop.url + path, { headers: { cookie: buyer.cookie, ...headers } })

test('serves the exact bytes to the buyer, whole or in ranges', async () => {
  const { buyer, order, product } = await buy()
  const { url, expiresAt } = await grant(buyer, order)
  expect(new Date(expiresAt).getTime() - Date.now()).toBeLessThanOrEqual(60_000)
  const whole = await fetchAs(buyer, url)
  expect(whole.headers.get('content-disposition')).toContain('attachment; filename="book.txt"')
  expect(whole.headers.get('content-security-policy')).toContain('sandbox')
  expect(sha256(await whole.bytes())).toBe(product.sha256)
  const first = await fetchAs(buyer, url, { range: 'bytes=0-99' })
  const rest = await fetchAs(buyer, url, { range: 'bytes=100-', 'if-range': first.headers.get('etag')! })
  expect([first.status, rest.status]).toEqual([206, 206])
  expect(rest.headers.get('content-range')).toBe(`bytes 100-${product.bytes.length - 1}/${product.bytes.length}`)
  expect(sha256(Buffer.concat([await first.bytes(), await rest.bytes()]))).toBe(product.sha256)
  expect((await fetchAs(buyer, url, { range: 'bytes=999999999-' })).status).toBe(416)
  expect((await fetchAs(buyer, url, { range: 'bytes=0-', 'if-range': '"another"' })).status).toBe(200)
})

test('accepts an unchanged download link from its buyer only', async () => {
  const { buyer, order } = await buy()
  const { url } = await grant(buyer, order)
  const other = await open.shop.join()
  expect((await fetchAs(other, url)).status).toBe(404)
  expect((await fetch(open.shop.url + url)).status).toBe(401)
  expect((await fetchAs(buyer, url.replace(/expires=\d+/, 'expires=9999999999999'))).status).toBe(404)
  const changed = url.replace(/signature=(.)/, (_, first) => `signature=${first === '_' ? 'A' : '_'}`)
  expect((await fetchAs(buyer, changed)).status).toBe(404)
  await expect(other.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })).rejects.toMatchObject({
    status: 404,
  })
})

test('expires an unused link and lets a started download resume', async () => {
  const { buyer, order } = await buy()
  const { url: late } = await grant(buyer, order)
  const { url: early } = await grant(buyer, order)
  await (await fetchAs(buyer, early)).bytes()
  await sql`UPDATE download_grants SET start_by = now() - interval '1 second'`.execute(open.shop.database.db)
  expect((await fetchAs(buyer, late)).status).toBe(403)
  expect((await fetchAs(buyer, early, { range: 'bytes=10-' })).status).toBe(206)
  await sql`UPDATE download_grants SET expires_at = now() - interval '1 second'`.execute(open.shop.database.db)
  expect((await fetchAs(buyer, early, { range: 'bytes=10-' })).status).toBe(403)
})

test.each(['pending', 'failed', 'refunded'] as const)('delivers nothing of an order that is %s', async (status) => {
  const { buyer, order } = await buy()
  const { url } = await grant(buyer, order)
  const isDone = status === 'refunded'
  await sql`UPDATE orders SET status = ${status}, completed_at = ${isDone ? new Date() : null} WHERE id = ${order.id}::uuid`.execute(
    open.shop.database.db,
  )
  await expect(grant(buyer, order)).rejects.toMatchObject({ status: 404 })
  expect((await fetchAs(buyer, url)).status).toBe(403)
})

test('ends a started download after a refund', async () => {
  const { buyer, order } = await buy()
  const { url } = await grant(buyer, order)
  await (await fetchAs(buyer, url)).bytes()
  const refund = await refundOrder(open.shop.checkout, order.id, 'asked for')
  await runRefund(open.shop.checkout, refund.id)
  expect((await fetchAs(buyer, url, { range: 'bytes=1-' })).status).toBe(403)
})

test('serves the bought version after the seller replaces the file', async () => {
  const { buyer, order, product } = await buy()
  const bytes = Buffer.from('the second edition')
  const { sellerId } = await open.shop.database.db
    .selectFrom('products')
    .select('sellerId')
    .where('id', '=', product.id)
    .executeTakeFirstOrThrow()
  await addFile(
    { db: open.shop.database.db, storage: open.shop.storage },
    { productId: product.id, userId: sellerId, bytes, sha256: sha256(bytes) },
  )
  const { url } = await grant(buyer, order)
  expect(sha256(await (await fetchAs(buyer, url)).bytes())).toBe(product.sha256)
})

test('records a download once a day, and every reveal', async () => {
  const { buyer, order } = await buy()
  for (let i = 0; i < 3; i++) await (await fetchAs(buyer, (await grant(buyer, order)).url)).bytes()
  const events = await open.shop.database.db
    .selectFrom('deliveryEvents')
    .selectAll()
    .where('userId', '=', buyer.id)
    .execute()
  expect(events).toMatchObject([{ kind: 'download' }])
})

test('shows codes to their buyer only, and encrypts them in the database', async () => {
  const { buyer, order, product } = await buy(['ALPHA-1', 'BETA-2'])
  expect(order.lines[0]!.delivery).toMatchObject({ kind: 'code', count: 2, reports: [] })
  const line = { id: order.id, lineId: order.lines[0]!.id }
  const { codes } = await buyer.call(revealCodes, line)
  expect(codes.map(({ code }) => code)).toEqual(['ALPHA-1', 'BETA-2'])
  await expect((await open.shop.join()).call(revealCodes, line)).rejects.toMatchObject({ status: 404 })
  const rows = await open.shop.database.db.selectFrom('codes').selectAll().where('productId', '=', product.id).execute()
  for (const row of rows) expect(row.ciphertext.toString('latin1')).not.toMatch(/ALPHA|BETA/)
  await expect(buyer.call(grantDownload, line)).rejects.toMatchObject({ status: 404 })
  expect(await buyer.call(getOrder, { id: order.id })).toMatchObject({ status: 'completed' })
})

const refuseRefunds = (orderId: string) =>
  sql`UPDATE refunds SET status = 'failed', refusal = 'REFUND_NOT_ALLOWED'
    WHERE payment_id IN (SELECT id FROM payments WHERE order_id = ${orderId}::uuid)`.execute(open.shop.database.db)
const GOING_BACK = { status: 409, code: 'refund_under_way', message: expect.stringContaining('on its way') as string }

test('hides codes during a full refund and shows them again if the provider refuses it', async () => {
  const { buyer, order } = await buy(['GAMMA-3'])
  const reveal = () => buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  await refundOrder(open.shop.checkout, order.id, 'not needed', 400)
  const rest = await refundOrder(open.shop.checkout, order.id, 'not needed at all')
  await expect(reveal()).rejects.toMatchObject(GOING_BACK)
  const seen = open.shop.database.db.selectFrom('deliveryEvents').select('kind').where('userId', '=', buyer.id)
  expect(await seen.execute()).toEqual([])
  // other accounts do not learn about the refund
  const other = (await open.shop.join()).call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  await expect(other).rejects.toMatchObject({ status: 404 })
  await refuseRefunds(order.id)
  await runRefund(open.shop.checkout, rest.id)
  expect((await reveal()).codes).toMatchObject([{ code: 'GAMMA-3' }])
})

test('shows the codes of a partly refunded order', async () => {
  const { buyer, order } = await buy(['DELTA-4'])
  const part = await refundOrder(open.shop.checkout, order.id, 'a little late', 999)
  const reveal = () => buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })
  expect((await reveal()).codes).toMatchObject([{ code: 'DELTA-4' }])
  await runRefund(open.shop.checkout, part.id)
  expect((await reveal()).codes).toMatchObject([{ code: 'DELTA-4' }])
})

test('denies grants and file ranges while a full refund is in progress, and allows them if the provider refuses it', async () => {
  const { buyer, order } = await buy()
  const { url } = await grant(buyer, order)
  await (await fetchAs(buyer, url)).bytes()
  await refundOrder(open.shop.checkout, order.id, 'asked for')
  await expect(grant(buyer, order)).rejects.toMatchObject(GOING_BACK)
  expect((await fetchAs(buyer, url, { range: 'bytes=1-' })).status).toBe(403)
  await refuseRefunds(order.id)
  expect((await fetchAs(buyer, (await grant(buyer, order)).url)).status).toBe(200)
  expect((await fetchAs(buyer, url, { range: 'bytes=1-' })).status).toBe(206)
})

test('never reveals a code while its refund as unseen is requested', async () => {
  const { buyer, order } = await buy(['EPSILON-5'])
  const { db } = open.shop.database
  const revealed = await inTransaction(db, async (tx) => {
    await lockOrder(tx, order.id)
    const payment = await tx
      .selectFrom('payments')
      .select('id')
      .where('orderId', '=', order.id)
      .executeTakeFirstOrThrow()
    const reveal = Promise.allSettled([buyer.call(revealCodes, { id: order.id, lineId: order.lines[0]!.id })])
    const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
    await expect.poll(async () => (await waiting.execute(tx)).rows.length).toBe(1)
    await insertRefund(tx, { paymentId: payment.id, amountCents: 1000, reason: 'not seen' })
    return { reveal }
  })
  expect(await revealed.reveal).toMatchObject([{ status: 'rejected', reason: GOING_BACK }])
})

test('needs one copy only of kinds whose copies cannot be set aside for a gift', () => {
  const kinds = KINDS.filter((kind) => kind !== 'bundle')
  expect(kinds.filter((delivery) => isOneEnough({ delivery }))).toEqual(ONE_IS_ENOUGH)
})
