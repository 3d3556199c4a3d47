import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { addProduct } from '../../test/goods.ts'
import { openTestShop } from '../../test/shop.ts'
import { addToCart } from '../cart/cart.contract.ts'
import { capturePayment, startPayment } from '../checkout/checkout.contract.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { selfUrlOf } from '../kit/kit.module.ts'

/** Sends a request as a proxy does: to another address than the one in the Host header. */
const fetchAs =
  (host: string, port: number): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const path = String(input).replace(/^https?:\/\/[^/]+/, '')
      const headers = { ...(init.headers as Record<string, string>), host }
      const sent = request({ host: '127.0.0.1', port, path, method: init.method ?? 'GET', headers }, async (answer) => {
        const chunks = await answer.toArray()
        const status = answer.statusCode!
        resolve(new Response(status === 204 ? null : Buffer.concat(chunks as Buffer[]), { status }))
      })
      sent.once('error', reject).end(init.body)
    })

test('accepts a payment from the built-in sandbox in a shop with a public address', async () => {
  const shop = await openTestShop({ PUBLIC_URL: 'https://shop.example' }, { hasJobs: true })
  onTestFinished(() => shop.close())
  const via = { fetch: fetchAs('shop.example', shop.server.port) }
  const product = await addProduct(shop)
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 }, via)
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' }, via)
  const approved = await via.fetch(`/sandbox/paypal/test/orders/${id}/approve`, { method: 'POST' })
  expect(approved.status).toBe(204)
  const { order } = await buyer.call(capturePayment, { id }, via)
  expect(order.status).toBe('completed')
  const countEvents = () => shop.database.pool.query('SELECT event_type FROM webhook_events')
  await expect.poll(async () => (await countEvents()).rowCount, { timeout: 20_000 }).toBeGreaterThan(0)

  const here = fetchAs('127.0.0.1', shop.server.port)
  expect((await here('/api/products')).status).toBe(421)
  expect((await here('/sandbox/paypal/v1/oauth2/token', { method: 'POST' })).status).toBe(401)
})

test("serves metrics and version at a node's own address, metrics only with the token", async () => {
  const shop = await openTestShop({ PUBLIC_URL: 'https://shop.example', METRICS_TOKEN: 'a token of sixteen or more' })
  onTestFinished(() => shop.close())
  const node = fetchAs('10.0.0.7:3000', shop.server.port)
  const headers = { authorization: 'Bearer a token of sixteen or more' }
  expect((await node('/metrics', { headers })).status).toBe(200)
  expect((await node('/metrics')).status).toBe(401)
  expect((await node('/version')).status).toBe(200)
  expect((await node('/api/products', { headers })).status).toBe(421)
})

test('without a token, /metrics reports the setting that enables it', async () => {
  const shop = await openTestShop({ PUBLIC_URL: 'https://shop.example' })
  onTestFinished(() => shop.close())
  const answer = await fetchAs('10.0.0.7:3000', shop.server.port)('/metrics')
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('METRICS_TOKEN')])
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['::', 'http://127.0.0.1:80'],
  ['localhost', 'http://127.0.0.1:80'],
  ['192.168.1.9', 'http://192.168.1.9:80'],
  ['fd00::9', 'http://[fd00::9]:80'],
])('listens on %s and calls itself at %s', (host, url) => expect(selfUrlOf(host, 80)).toBe(url))

test('stops while a client has paused a download', async () => {
  const shop = await openTestShop({}, { hasJobs: true })
  const product = await addProduct(shop)
  const buyer = await shop.join()
  await buyer.call(addToCart, { productId: product.id, quantity: 1 })
  const { id } = await buyer.call(startPayment, { amount: '10.00', currency: 'USD', intent: 'capture' })
  await fetch(`${shop.url}/sandbox/paypal/test/orders/${id}/approve`, { method: 'POST' })
  const { order } = await buyer.call(capturePayment, { id })
  // Larger than the kernel's buffers for a client that does not read.
  await growFile(shop, product.id)
  const { url } = await buyer.call(grantDownload, { id: order.id, lineId: order.lines[0]!.id })
  const socket = connect(shop.server.port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${url} HTTP/1.1\r\nhost: localhost\r\ncookie: ${buyer.cookie}\r\n\r\n`)
  const [head] = (await new Promise((done) => socket.once('data', (chunk) => done([chunk])))) as [Buffer]
  expect(head.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK')
  socket.pause()
  await shop.close({ withinMs: 300 })
})

async function growFile(shop: Awaited<ReturnType<typeof openTestShop>>, productId: string) {
  const sizeBytes = 64 * 1024 * 1024
  const { rows } = await shop.database.pool.query<{ object_id: string }>(
    'UPDATE product_files SET size_bytes = $1 WHERE product_id = $2 RETURNING object_id',
    [sizeBytes, productId],
  )
  const { Readable } = await import('node:stream')
  await shop.storage.put(rows[0]!.object_id, Readable.from([Buffer.alloc(sizeBytes)]))
}

test('caches one reply for equivalent addresses and rejects a very long address', async () => {
  const shop = await openTestShop()
  onTestFinished(() => shop.close())
  const etagOf = async (query: string) => {
    const { status, headers } = await fetch(`${shop.url}/api/products?${query}`)
    return status === 200 ? headers.get('etag') : status
  }
  const before = shop.cache.count().entries
  const etags = await Promise.all(
    ['limit=5&sort=title', 'sort=title&limit=5', 'sort=%74itle&limit=5', 'sort=title&limit=05'].map(etagOf),
  )
  expect(new Set(etags).size).toBe(1)
  expect(shop.cache.count().entries).toBe(before + 1)
  expect(await etagOf(`q=${'x'.repeat(2100)}`)).toBe(400)
})
