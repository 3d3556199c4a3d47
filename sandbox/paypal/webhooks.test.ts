import { createVerify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openTestSandbox, orderBody, savingSource, serveSandbox, type TestSandbox, until } from '../../test/sandbox.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

let paymentId = ''
beforeEach(() => {
  paymentId = crypto.randomUUID()
  sandbox.deliveries.length = 0
  sandbox.shop.status = 200
})

const order = async (body: unknown = orderBody(paymentId), on = sandbox) =>
  (await on.call('POST', '/v2/checkout/orders', body)).body.id as string
const press = (choice: string, id: string, on = sandbox) =>
  fetch(`${on.base}/test/orders/${id}/${choice}`, { method: 'POST' })
const capture = (id: string) => sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {})
const heard = async (count: number) => {
  await until(() => sandbox.deliveries.length === count)
  return sandbox.deliveries.map(({ event }) => event.event_type as string).sort()
}

async function pay(body?: unknown) {
  const id = await order(body)
  await press('approve', id)
  const answer = await capture(id)
  const [unit] = answer.body.purchase_units as { payments: { captures: { id: string }[] } }[]
  return { id, captureId: unit!.payments.captures[0]!.id, text: answer.text }
}

test('sends an event for an approval and for a capture', async () => {
  const { id, captureId } = await pay()
  await heard(2)
  const eventOf = (type: string) => sandbox.deliveries.find(({ event }) => event.event_type === type)!.event
  expect(eventOf('CHECKOUT.ORDER.APPROVED')).toMatchObject({
    id: expect.stringMatching(/^WH-\w{17}-\w{17}$/),
    event_version: '1.0',
    resource_type: 'checkout-order',
    resource_version: '2.0',
    resource: { id, status: 'APPROVED', purchase_units: [{ custom_id: paymentId }] },
  })
  expect(eventOf('PAYMENT.CAPTURE.COMPLETED')).toMatchObject({
    resource_type: 'capture',
    resource: {
      id: captureId,
      status: 'COMPLETED',
      custom_id: paymentId,
      supplementary_data: { related_ids: { order_id: id } },
    },
  })
})

test('sends an event for a decline, a refund and a saved wallet', async () => {
  const id = await order()
  await press('decline', id)
  await capture(id)
  expect(await heard(2)).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.DENIED'])
  sandbox.deliveries.length = 0
  const { captureId, text } = await pay(orderBody(crypto.randomUUID(), savingSource()))
  await sandbox.call('POST', `/v2/payments/captures/${captureId}/refund`, {})
  await sandbox.call('DELETE', `/v3/vault/payment-tokens/${/"vault":\{"id":"(\w+)"/.exec(text)![1]}`)
  expect(await heard(5)).toEqual([
    'CHECKOUT.ORDER.APPROVED',
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.REFUNDED',
    'VAULT.PAYMENT-TOKEN.CREATED',
    'VAULT.PAYMENT-TOKEN.DELETED',
  ])
})

test('signs the bytes of an event with the key of its certificate', async () => {
  await press('approve', await order())
  await heard(1)
  const { headers, raw } = sandbox.deliveries[0]!
  expect(headers('paypal-auth-algo')).toBe('SHA256withRSA')
  const certificate = new X509Certificate(await (await fetch(headers('paypal-cert-url'))).text())
  // The certificate is valid for machines with a wrong clock too.
  expect(certificate.validFromDate).toEqual(new Date('2026-01-01'))
  expect(certificate.validToDate > new Date('2046-01-01')).toBe(true)
  const { webhookId } = sandbox.sandbox.credentials
  const [id, time] = [headers('paypal-transmission-id'), headers('paypal-transmission-time')]
  const isSigned = (body: string) =>
    createVerify('sha256')
      .update([id, time, webhookId, crc32(body)].join('|'))
      .verify(certificate.publicKey, headers('paypal-transmission-sig'), 'base64')
  expect(isSigned(raw)).toBe(true)
  expect(isSigned(raw.replace('44.99', '0.01'))).toBe(false)
  // The event contains an escaped é.
  expect(isSigned(JSON.stringify(JSON.parse(raw)))).toBe(false)
})

test('retries an event until the shop accepts it', async () => {
  sandbox.shop.status = 503
  await press('approve', await order())
  await until(() => sandbox.deliveries.length === 1)
  sandbox.shop.status = 200
  await until(() => sandbox.deliveries.length === 2)
  const [first, second] = sandbox.deliveries
  expect(second!.raw).toBe(first!.raw)
  expect(second!.headers('paypal-transmission-id')).not.toBe(first!.headers('paypal-transmission-id'))
  await until(async () => {
    const { rows } = await sandbox.database.pool.query<{ is_done: boolean }>(
      `SELECT deliveries_left = 0 AND last_answer = '200' AS is_done FROM sandbox.events WHERE id = $1`,
      [first!.event.id],
    )
    return rows[0]!.is_done
  })
})

test('lists the events of a type page by page, newest first', async () => {
  const since = new Date().toISOString()
  // The database stores fractions of a millisecond.
  const later = new Date(Date.now() + 60_000).toISOString()
  const [older, newer] = [await order(), await order()]
  for (const id of [older, newer]) await press('approve', id)
  const list = async (change: Record<string, string> = {}) => {
    const query = { event_type: 'CHECKOUT.ORDER.APPROVED', start_time: since, end_time: later }
    const path = `/v1/notifications/webhooks-events?${new URLSearchParams({ ...query, ...change })}`
    return sandbox.call('GET', path)
  }
  const idsOf = ({ body }: { body: Record<string, unknown> }) =>
    (body.events as { resource: { id: string } }[]).map(({ resource }) => resource.id)
  expect(idsOf(await list())).toEqual([newer, older])
  expect(idsOf(await list({ end_time: since }))).toEqual([])
  expect(idsOf(await list({ event_type: 'PAYMENT.CAPTURE.COMPLETED' }))).toEqual([])
  const page = await list({ page_size: '1' })
  expect(idsOf(page)).toEqual([newer])
  const [next] = page.body.links as { rel: string; href: string }[]
  expect(next!.rel).toBe('next')
  expect(idsOf(await sandbox.call('GET', next!.href.slice(sandbox.base.length)))).toEqual([older])
  expect((await list({ start_time: 'soon' })).status).toBe(400)
})

test('delivers an event after the process that created it has ended', async () => {
  const { url, drop } = await createTestDatabase()
  const first = await serveSandbox(url)
  first.shop.status = 500
  await press('approve', await order(orderBody(paymentId), first), first)
  await until(() => first.deliveries.length === 1)
  await first.close()
  const next = await serveSandbox(url)
  await until(() => next.deliveries.length === 1)
  expect(next.deliveries[0]!.raw).toBe(first.deliveries[0]!.raw)
  await next.close()
  await drop()
})
