import { createVerify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type Delivery,
  openTestSandbox,
  orderBody,
  savingSource,
  serveSandbox,
  type TestSandbox,
  until,
} from '../../test/sandbox.ts'
import { createTestDatabase } from '../../test/database.ts'

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

async function order(body: unknown = orderBody(paymentId), on = sandbox) {
  const { body: order } = await on.call('POST', '/v2/checkout/orders', body)
  return order.id as string
}
const press = (door: string, id: string, on = sandbox) =>
  fetch(`${on.base}/test/orders/${id}/${door}`, { method: 'POST' })
const capture = (id: string) => sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {})
const typesOf = ({ deliveries } = sandbox) => deliveries.map(({ event }) => event.event_type).sort()

async function pay(body?: unknown) {
  const id = await order(body)
  await press('approve', id)
  const answer = await capture(id)
  const [unit] = answer.body.purchase_units as { payments: { captures: { id: string }[] } }[]
  return { id, captureId: unit!.payments.captures[0]!.id }
}

const verify = (delivery: Delivery, event = delivery.raw, change: Record<string, unknown> = {}) => {
  const claims = {
    auth_algo: delivery.headers('paypal-auth-algo'),
    cert_url: delivery.headers('paypal-cert-url'),
    transmission_id: delivery.headers('paypal-transmission-id'),
    transmission_sig: delivery.headers('paypal-transmission-sig'),
    transmission_time: delivery.headers('paypal-transmission-time'),
    webhook_id: sandbox.sandbox.credentials.webhookId,
    ...change,
  }
  return sandbox.call(
    'POST',
    '/v1/notifications/verify-webhook-signature',
    `${JSON.stringify(claims).slice(0, -1)},"webhook_event":${event}}`,
  )
}
const SUCCESS = { verification_status: 'SUCCESS' }
const FAILURE = { verification_status: 'FAILURE' }

test('the shop hears of the approval and of the money', async () => {
  const { id, captureId } = await pay()
  await until(() => sandbox.deliveries.length === 2)
  const [approved, completed] = ['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.COMPLETED'].map((type) =>
    sandbox.deliveries.find(({ event }) => event.event_type === type),
  )
  expect(approved!.event).toMatchObject({
    id: expect.stringMatching(/^WH-\w{17}-\w{17}$/),
    event_version: '1.0',
    resource_type: 'checkout-order',
    resource_version: '2.0',
    resource: { id, status: 'APPROVED', purchase_units: [{ custom_id: paymentId }] },
    links: [{ rel: 'self' }, { rel: 'resend' }],
  })
  expect(completed!.event).toMatchObject({
    resource_type: 'capture',
    resource: {
      id: captureId,
      status: 'COMPLETED',
      custom_id: paymentId,
      supplementary_data: { related_ids: { order_id: id } },
    },
  })
})

test('the shop hears of declines, refunds and saved wallets', async () => {
  const id = await order()
  await press('decline', id)
  await capture(id)
  await until(() => sandbox.deliveries.length === 2)
  expect(typesOf()).toEqual(['CHECKOUT.ORDER.APPROVED', 'PAYMENT.CAPTURE.DENIED'])
  sandbox.deliveries.length = 0

  const { captureId } = await pay(orderBody(crypto.randomUUID(), savingSource('customer_9')))
  await sandbox.call('POST', `/v2/payments/captures/${captureId}/refund`, {})
  const { body } = await sandbox.call('GET', '/v3/vault/payment-tokens?customer_id=customer_9')
  const [token] = body.payment_tokens as { id: string }[]
  await sandbox.call('DELETE', `/v3/vault/payment-tokens/${token!.id}`)
  await until(() => sandbox.deliveries.length === 5)
  expect(typesOf()).toEqual([
    'CHECKOUT.ORDER.APPROVED',
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.REFUNDED',
    'VAULT.PAYMENT-TOKEN.CREATED',
    'VAULT.PAYMENT-TOKEN.DELETED',
  ])
})

test('a signature is checked with the certificate and nothing else', async () => {
  await pay()
  await until(() => sandbox.deliveries.length === 2)
  const { headers, raw } = sandbox.deliveries[0]!
  expect(headers('paypal-auth-algo')).toBe('SHA256withRSA')
  const pem = await (await fetch(headers('paypal-cert-url'))).text()
  const certificate = new X509Certificate(pem)
  expect(certificate.subject).toBe('CN=Primo payment sandbox')
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.validFromDate < new Date() && certificate.validToDate > new Date()).toBe(true)
  const isSigned = (body: string) =>
    createVerify('sha256')
      .update(
        [
          headers('paypal-transmission-id'),
          headers('paypal-transmission-time'),
          sandbox.sandbox.credentials.webhookId,
          crc32(body),
        ].join('|'),
      )
      .verify(certificate.publicKey, headers('paypal-transmission-sig'), 'base64')
  expect(isSigned(raw)).toBe(true)
  expect(isSigned(raw.replace('44.99', '0.01'))).toBe(false)
})

test('the verification call knows its own events and no others', async () => {
  await pay()
  await until(() => sandbox.deliveries.length === 2)
  const delivery = sandbox.deliveries.find(({ raw }) => raw.includes('Caf'))!
  expect((await verify(delivery)).body).toEqual(SUCCESS)
  expect((await verify(delivery, `  ${delivery.raw}\n`)).body).toEqual(SUCCESS)
  expect((await verify(delivery, delivery.raw.replace('44.99', '44.98'))).body).toEqual(FAILURE)
  // the event holds an escaped é, so parsing and writing it anew changes its bytes
  expect((await verify(delivery, JSON.stringify(JSON.parse(delivery.raw)))).body).toEqual(FAILURE)
  const lies = {
    auth_algo: 'SHA1withRSA',
    cert_url: 'https://evil.example/cert.pem',
    transmission_id: crypto.randomUUID(),
    transmission_sig: Buffer.alloc(256, 7).toString('base64'),
    transmission_time: '2020-01-01T00:00:00Z',
    webhook_id: 'another',
  }
  for (const [name, value] of Object.entries(lies)) {
    expect((await verify(delivery, delivery.raw, { [name]: value })).body, name).toEqual(FAILURE)
    expect(await verify(delivery, delivery.raw, { [name]: undefined })).toMatchObject({
      status: 400,
      body: { details: [{ issue: 'MISSING_REQUIRED_PARAMETER', field: `/${name}` }] },
    })
  }
})

test('an event that the shop did not take is sent again until it does', async () => {
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

test('events are listed newest first, found by their resource and sent again on request', async () => {
  const since = new Date().toISOString()
  const { captureId } = await pay()
  await until(() => sandbox.deliveries.length === 2)
  const list = async (query: string) =>
    (await sandbox.call('GET', `/v1/notifications/webhooks-events?${query}`)).body as {
      events: { id: string; event_type: string; resource: { id: string } }[]
      count: number
      links: { rel: string; href: string }[]
    }
  const listed = await list(`start_time=${since}`)
  expect(listed.events.map(({ event_type: type }) => type)).toEqual([
    'PAYMENT.CAPTURE.COMPLETED',
    'CHECKOUT.ORDER.APPROVED',
  ])
  const [found, ...others] = (await list(`transaction_id=${captureId}`)).events
  expect(others).toEqual([])
  expect((await list(`end_time=${since}&start_time=${since}`)).count).toBe(0)
  const page = await list(`start_time=${since}&page_size=1`)
  const next = page.links.find(({ rel }) => rel === 'next')!.href.slice(sandbox.base.length)
  expect((await sandbox.call('GET', next)).body).toMatchObject({ events: [{ event_type: 'CHECKOUT.ORDER.APPROVED' }] })
  expect(await sandbox.call('GET', '/v1/notifications/webhooks-events?start_time=soon')).toMatchObject({ status: 400 })

  const resent = await sandbox.call('POST', `/v1/notifications/webhooks-events/${found!.id}/resend`, {})
  expect(resent).toMatchObject({ status: 202, body: { id: found!.id, resource: { id: captureId } } })
  await until(() => sandbox.deliveries.filter(({ event }) => event.id === found!.id).length === 2)
})

test('an event outlives the process that wrote it', async () => {
  const { url, drop } = await createTestDatabase()
  const first = await serveSandbox(url)
  first.shop.status = 500
  await press('approve', await order(orderBody(paymentId), first), first)
  await until(() => first.deliveries.length === 1)
  // as after a kill: the row stays due, whoever had taken it
  await first.close()
  const next = await serveSandbox(url)
  await until(() => next.deliveries.length === 1)
  expect(next.deliveries[0]!.raw).toBe(first.deliveries[0]!.raw)
  await next.close()
  await drop()
})
