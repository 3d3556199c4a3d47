import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestSandbox, type TestSandbox, until } from '../../test/sandbox.ts'
import { paymentRef } from '../../test/payment.ts'
import { createPaypal } from '../../src/providers/paypal/paypal.server.ts'
import { type Charge, Unanswered } from '../../src/payments/outcome.ts'
import type { EventRequest, Provider } from '../../src/payments/provider.ts'
import { createSignatureCheck } from '../../src/providers/paypal/signature.server.ts'

// Tests the shop's PayPal client against the sandbox.

const PAYPAL_IP = '203.0.113.1'

let sandbox: TestSandbox
let paypal: Provider
let charge: Charge
const certificatesOf = ({ base }: TestSandbox) => {
  const folder = `${base}/v1/notifications/certs/`
  return { named: folder, reached: folder }
}
beforeAll(async () => {
  sandbox = await openTestSandbox()
  paypal = createPaypal({
    ...sandbox.sandbox.credentials,
    certificates: [certificatesOf(sandbox)],
    baseUrl: sandbox.base,
    scriptUrl: '/script',
    hosts: { scripts: [], connects: [], frames: [] },
    mode: 'sandbox',
    storeName: 'Primo',
    publicUrl: 'https://shop.example',
  })
})
afterAll(() => sandbox.close())
beforeEach(() => {
  charge = {
    ...paymentRef({ amountCents: 4499 }),
    lines: [
      { productId: crypto.randomUUID(), title: 'Corner Café Gift Card', priceCents: 1250, quantity: 2 },
      { productId: crypto.randomUUID(), title: 'Night Trains', priceCents: 1999, quantity: 1 },
    ],
  }
})

const press = (choice: string, id: string) => fetch(`${sandbox.base}/test/orders/${id}/${choice}`, { method: 'POST' })

test('gets a client token that is valid for fifteen minutes', async () => {
  const { clientToken, expiresAt } = await paypal.setup!()
  expect(clientToken).toMatch(/^eyJ/)
  expect(Math.round((expiresAt.getTime() - Date.now()) / 60_000)).toBe(15)
})

async function receiveEvent() {
  const { ref } = await paypal.start({ ...charge, isKeepable: false })
  await press('approve', ref)
  const received = () => sandbox.deliveries.find((delivery) => delivery.raw.includes(charge.id))
  await until(received)
  return received()!
}

test('accepts a signed event, but rejects it with a changed letter or without headers', async () => {
  const { headers, raw } = await receiveEvent()
  const changed = raw.replace('44.99', '44.98')
  const read = (header: typeof headers | (() => undefined), text: string) =>
    paypal.readEvent({ header, body: Buffer.from(text), ip: PAYPAL_IP })
  expect(await read(headers, raw)).toMatchObject({ type: 'CHECKOUT.ORDER.APPROVED' })
  expect(await read(headers, changed)).toBe('forged')
  expect(await read(() => undefined, raw)).toBe('forged')
})

/** Starts a proxy for the sandbox's certificates that counts requests and can fail. */
async function openCertificates() {
  const proxy = { asked: 0, status: 200 }
  const server = createServer((request, response) => {
    proxy.asked++
    if (proxy.status !== 200) return response.writeHead(proxy.status).end()
    fetch(`${sandbox.base}/v1/notifications/certs${request.url}`).then(async (found) =>
      response.writeHead(found.status).end(await found.text()),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const reached = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const isGenuine = createSignatureCheck(
    [{ named: certificatesOf(sandbox).named, reached }],
    sandbox.sandbox.credentials.webhookId,
  )
  const check = (header: EventRequest['header'], body: Uint8Array, ip = PAYPAL_IP) => isGenuine({ header, body, ip })
  return { proxy, check, close: () => server.close() }
}

test('fetches the certificate once for many simultaneous events', async () => {
  const { headers, raw } = await receiveEvent()
  const { proxy, check, close } = await openCertificates()
  const checks = await Promise.all(Array.from({ length: 20 }, () => check(headers, Buffer.from(raw))))
  expect(checks).toEqual(checks.map(() => true))
  expect(proxy.asked).toBe(1)
  proxy.status = 503
  expect(await check(headers, Buffer.from(raw)), 'with the provider away').toBe(true)
  close()
})

test('throws Unanswered while the certificate cannot be fetched', async () => {
  const { headers, raw } = await receiveEvent()
  const { proxy, check, close } = await openCertificates()
  proxy.status = 503
  await expect(check(headers, Buffer.from(raw))).rejects.toThrow(Unanswered)
  proxy.status = 200
  expect(await check(headers, Buffer.from(raw))).toBe(true)
  close()
  const { check: dead } = await openCertificates().then((opened) => (opened.close(), opened))
  await expect(dead(headers, Buffer.from(raw))).rejects.toThrow(Unanswered)
})

test('fetches no certificate from other hosts, and at most 20 from the provider, for forged events', async () => {
  const { headers, raw } = await receiveEvent()
  const { proxy, check, close } = await openCertificates()
  const naming = (url: string) => (name: string) => (name === 'paypal-cert-url' ? url : headers(name))
  const folder = certificatesOf(sandbox).named
  const foreign = [
    'https://evil.example/v1/notifications/certs/x',
    `${folder}../../v2/checkout/orders`,
    `${folder}%2e%2e/x`,
    `${folder}a?b`,
    folder,
    '',
  ]
  for (const url of foreign) expect(await check(naming(url), Buffer.from(raw)), url).toBe(false)
  expect(proxy.asked).toBe(0)
  const many = Array.from({ length: 100 }, (_, i) => check(naming(`${folder}made-up-${i}`), Buffer.from(raw)))
  const refused = await Promise.allSettled(many)
  expect(refused.some((answer) => answer.status === 'fulfilled' && answer.value)).toBe(false)
  expect(proxy.asked).toBeLessThanOrEqual(20)
  close()
})

test('verifies a genuine event while another address sends made-up certificate names', async () => {
  const { headers, raw } = await receiveEvent()
  const { check, close } = await openCertificates()
  const folder = certificatesOf(sandbox).named
  const madeUp = (i: number) => (name: string) => (name === 'paypal-cert-url' ? `${folder}made-up-${i}` : headers(name))
  for (let i = 0; i < 25; i++) await check(madeUp(i), Buffer.from(raw), '198.51.100.7').catch(() => undefined)
  expect(await check(headers, Buffer.from(raw))).toBe(true)
  close()
})

describe('evidence of a dispute', () => {
  const send = (part: string, size: number) => {
    const form = new FormData()
    const input = { evidences: [{ evidence_type: 'PROOF_OF_FULFILLMENT', notes: 'Delivered.' }] }
    form.set('input', new Blob([JSON.stringify(input)], { type: 'application/json' }))
    form.append(part, new Blob([new Uint8Array(size)], { type: 'application/pdf' }), 'use.pdf')
    return fetch(`${sandbox.base}/v1/customer/disputes/PP-D-0/provide-evidence`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
  }
  let token = ''
  beforeAll(async () => {
    const { clientId, clientSecret } = sandbox.sandbox.credentials
    const answer = await fetch(`${sandbox.base}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    token = ((await answer.json()) as { access_token: string }).access_token
  })

  test('accepts files only in the documented parts', async () => {
    // the dispute does not exist
    expect((await send('evidence-file', 9)).status).toBe(404)
    expect((await send('file1', 9)).status).toBe(400)
  })

  test('reads at most 6 MB, because the token is checked after the body', async () => {
    expect((await send('evidence-file', 5 * 1024 * 1024)).status).toBe(404)
    // the server may end the connection before the client has sent everything
    const large = await send('evidence-file', 7 * 1024 * 1024).then(
      ({ status }) => status,
      () => 413,
    )
    expect(large).toBe(413)
  })
})
