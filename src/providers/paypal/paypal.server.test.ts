import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createPaypal } from './paypal.server.ts'

// Tests replies of PayPal that the sandbox never sends.

type Answered = { status?: number; body: unknown }
/** Keyed by method and path. */
let answers: Record<string, Answered> = {}
const asked: string[] = []

const server = createServer((request, response) => {
  const line = `${request.method} ${request.url!.split('?')[0]}`
  asked.push(line)
  const token: Answered | false = line.endsWith('/oauth2/token') && {
    body: { access_token: 'token', expires_in: 3600 },
  }
  const { status = 200, body } = token || (answers[line] ?? refusal('RESOURCE_NOT_FOUND', 404))
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
beforeAll(() => new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready)))
afterAll(() => server.close())
beforeEach(() => {
  answers = {}
  asked.length = 0
})

const open = () =>
  createPaypal({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ clientId: 'id', clientSecret: 'secret', webhookId: undefined, certificates: [], scriptUrl: '/sdk' },
    ...{
      mode: 'sandbox',
      hosts: { scripts: [], connects: [], frames: [] },
      storeName: 'Primo',
      publicUrl: 'http://shop',
    },
  })
const refusal = (issue: string, status = 422): Answered => ({ status, body: { details: [{ issue }] } })
const payment = {
  ...{ id: 'payment-1', providerOrderId: 'ORDER-1', providerCaptureId: null, amountCents: 1000, currency: 'USD' },
  ...{ declines: 0, ageMinutes: 1, sentMinutes: null, lines: [] },
}
const order = (id: string, status: string, value = '10.00') => ({
  id,
  status: 'COMPLETED',
  purchase_units: [
    {
      custom_id: payment.id,
      payments: { captures: [{ id: `CAPTURE-${id}`, status, amount: { currency_code: 'USD', value } }] },
    },
  ],
})

test.each(['ORDER_COMPLETION_IN_PROGRESS', 'ORDER_ALREADY_CAPTURED', 'DUPLICATE_INVOICE_ID'])(
  'returns unknown, not declined, for %s of a charge or a capture',
  async (issue) => {
    answers['POST /v2/checkout/orders'] = refusal(issue)
    answers['POST /v2/checkout/orders/ORDER-1/capture'] = refusal(issue)
    const paypal = open()
    expect(await paypal.saved!.charge(payment, 'vault-1')).toMatchObject({ kind: 'unknown', isAway: false })
    expect(await paypal.capture(payment)).toMatchObject({ kind: 'unknown', isAway: false })
  },
)

test.each(['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED'])('returns declined for %s of a charge', async (issue) => {
  answers['POST /v2/checkout/orders'] = refusal(issue)
  expect(await open().saved!.charge(payment, 'vault-1')).toMatchObject({ kind: 'declined', reason: issue })
})

test.each(['ten', '', '10.001', '-10.00', '1e3'])('returns unknown for the malformed amount %j', async (value) => {
  answers['POST /v2/checkout/orders/ORDER-1/capture'] = { body: order('ORDER-1', 'COMPLETED', value) }
  answers['GET /v2/checkout/orders/ORDER-1'] = { body: order('ORDER-1', 'COMPLETED', value) }
  answers['POST /v2/payments/captures/CAPTURE-1/refund'] = {
    body: { id: 'REFUND-1', status: 'COMPLETED', amount: { currency_code: 'USD', value } },
  }
  const paypal = open()
  const sent = { ...payment, sentMinutes: 1 }
  expect(await paypal.capture(payment)).toMatchObject({ kind: 'unknown' })
  expect(await paypal.find(sent)).toMatchObject({ kind: 'unknown' })
  const asking = { id: 'refund-1', amountCents: 1000, providerRefundId: null, ageMinutes: 1 }
  const refunded = await paypal.refund({ ...asking, payment: { ...payment, providerCaptureId: 'CAPTURE-1' } })
  expect(refunded).toMatchObject({ kind: 'unknown' })
})

test('reads the order of the event, not the stored order of the payment', async () => {
  answers['GET /v2/checkout/orders/ORDER-2'] = { body: order('ORDER-2', 'COMPLETED') }
  answers['GET /v2/checkout/orders/ORDER-1'] = { body: { id: 'ORDER-1', status: 'APPROVED' } }
  const seen = { ref: 'ORDER-2', captureRef: 'CAPTURE-ORDER-2' }
  expect(await open().find({ ...payment, sentMinutes: 1 }, seen)).toMatchObject({ kind: 'captured', ref: 'ORDER-2' })
  expect(asked).not.toContain('GET /v2/checkout/orders/ORDER-1')
})

test('gives a request with files more time', async () => {
  answers['POST /v1/customer/disputes/PP-D-1/provide-evidence'] = { body: { links: [] } }
  const limits = vi.spyOn(AbortSignal, 'timeout')
  onTestFinished(() => limits.mockRestore())
  const evidence = {
    ...{ id: 'evidence-1', buyerName: 'Ada', buyerEmail: 'ada@example.com', ip: null, country: null, note: '' },
    ...{ boughtAt: new Date(), productDescription: 'A book', deliveryLog: [], refundPolicy: 'Within 14 days' },
    files: [{ shows: 'use' as const, fileName: 'use.pdf', contentType: 'application/pdf', bytes: new Uint8Array(9) }],
  }
  expect(await open().disputes!.submit('PP-D-1', evidence)).toEqual({ kind: 'sent' })
  expect(limits.mock.calls).toEqual([[8_000], [60_000]])
})
