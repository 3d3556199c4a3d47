import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestSandbox, orderBody, savingSource, type TestSandbox, usd } from '../../test/sandbox.ts'
import { openSandbox } from './sandbox.server.ts'
import { createToken } from './tokens.server.ts'
import { saveSandboxWallet } from './wallets.server.ts'

// Tests the part of the provider's wire format that the shop's client uses.

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

let paymentId = ''
beforeEach(() => {
  paymentId = crypto.randomUUID()
})

type Answer = Awaited<ReturnType<TestSandbox['call']>>
const issueOf = ({ body }: Answer) => (body.details as { issue: string }[])[0]?.issue
const create = async (body: unknown = orderBody(paymentId)) =>
  (await sandbox.call('POST', '/v2/checkout/orders', body)).body.id as string
const read = async (path: string) => (await sandbox.call('GET', path)).body
const press = (choice: string, id: string) => fetch(`${sandbox.base}/test/orders/${id}/${choice}`, { method: 'POST' })
const capture = (id: string, requestId: string = crypto.randomUUID()) =>
  sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {}, { 'paypal-request-id': requestId })
async function pay() {
  const id = await create()
  await press('approve', id)
  const { body } = await capture(id)
  const [unit] = body.purchase_units as { payments: { captures: { id: string }[] } }[]
  return { id, captureId: unit!.payments.captures[0]!.id }
}
const refund = (captureId: string, body: unknown = {}) =>
  sandbox.call('POST', `/v2/payments/captures/${captureId}/refund`, body)

const askToken = async (fields: Record<string, string>, authorization = sandbox.basic) => {
  const response = await fetch(`${sandbox.base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(fields),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('issues a token for the server, or one for the browser on request', async () => {
  const server = await askToken({ grant_type: 'client_credentials' })
  expect(server).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 32400 } })
  expect(server.body.access_token).toMatch(/^A21AA/)
  const client = await askToken({ grant_type: 'client_credentials', response_type: 'client_token', intent: 'sdk_init' })
  expect(client).toMatchObject({ status: 200, body: { expires_in: 900 } })
  expect(client.body.access_token).toMatch(/^eyJ/)
})

test('rejects wrong credentials and other grant types with an OAuth error', async () => {
  const encoded = (text: string) => `Basic ${Buffer.from(text, 'latin1').toString('base64')}`
  const wrong = [encoded('sandbox-client:guess'), encoded(`sandbox-client:é${'x'.repeat(42)}`), 'Basic', 'Bearer x', '']
  for (const authorization of wrong) {
    expect(await askToken({ grant_type: 'client_credentials' }, authorization)).toEqual({
      status: 401,
      body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
    })
  }
  expect(await askToken({ grant_type: 'password' })).toMatchObject({
    status: 400,
    body: { error: 'unsupported_grant_type' },
  })
})

test('rejects a call whose token is missing, forged, expired or issued for a browser', async () => {
  const { rows } = await sandbox.database.pool.query<{ value: string }>(
    `SELECT value FROM sandbox.keys WHERE name = 'token_secret'`,
  )
  const secret = rows[0]!.value
  const ask = (token: string) =>
    sandbox.call('GET', '/v2/checkout/orders/5O190127TN364715T', undefined, { authorization: `Bearer ${token}` })
  const good = createToken(secret, 'server')
  const forged = good.slice(0, -2) + (good.endsWith('AA') ? 'BB' : 'AA')
  const expired = createToken(secret, 'server', -1)
  for (const token of [
    '',
    'A21AA',
    'A21AAx.y',
    `A21AAx.${'é'.repeat(43)}`,
    expired,
    createToken('x', 'server'),
    forged,
  ])
    expect(await ask(token)).toMatchObject({ status: 401, body: { name: 'AUTHENTICATION_FAILURE' } })
  expect((await ask(good)).status).toBe(404)
  expect(await ask(await sandbox.fetchToken({ response_type: 'client_token' }))).toMatchObject({
    status: 403,
    body: { name: 'NOT_AUTHORIZED', details: [{ issue: 'PERMISSION_DENIED' }] },
  })
})

test('creates an order that waits for its payer', async () => {
  const created = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId))
  const id = created.body.id as string
  expect(created.status).toBe(201)
  expect(created.headers.get('paypal-debug-id')).toMatch(/^[0-9a-f]{13}$/)
  expect(created.body).toEqual({
    id: expect.stringMatching(/^[0-9A-Z]{17}$/),
    intent: 'CAPTURE',
    status: 'PAYER_ACTION_REQUIRED',
    payment_source: { paypal: {} },
    purchase_units: [
      expect.objectContaining({
        custom_id: paymentId,
        invoice_id: paymentId,
        amount: expect.objectContaining(usd('44.99')),
      }),
    ],
    create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    links: [
      { href: `${sandbox.base}/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
      { href: `${sandbox.base}/checkoutnow?token=${id}`, rel: 'payer-action', method: 'GET' },
    ],
  })
  expect(await read(`/v2/checkout/orders/${id}`)).toEqual(created.body)
})

test('shows an approved order without a payer id, unless a script named the payer', async () => {
  const id = await create()
  expect((await press('approve', id)).status).toBe(204)
  const usual = await read(`/v2/checkout/orders/${id}`)
  expect(usual).toMatchObject({
    status: 'APPROVED',
    payer: { email_address: 'buyer@sandbox.example' },
    links: [{ rel: 'self' }, { rel: 'capture', method: 'POST' }],
  })
  expect(JSON.stringify(usual)).not.toMatch(/payer_id|account_id|account_status|country_code/)
  expect((await press('approve?payer=PERSON1&country=DE&unverified=1', id)).status).toBe(204)
  expect(await read(`/v2/checkout/orders/${id}`)).toMatchObject({
    payer: { payer_id: 'PERSON1', address: { country_code: 'DE' } },
    payment_source: { paypal: { account_id: 'PERSON1', account_status: 'UNVERIFIED' } },
  })
  expect((await press('approve?payer=nobody', id)).status).toBe(400)
})

test('captures an approved order and shows the capture in it', async () => {
  const id = await create()
  await press('approve', id)
  const { status, body } = await capture(id)
  expect(status).toBe(201)
  const [unit] = body.purchase_units as { payments: { captures: Record<string, unknown>[] } }[]
  const [taken] = unit!.payments.captures
  expect(taken).toEqual({
    id: expect.stringMatching(/^[0-9A-Z]{17}$/),
    status: 'COMPLETED',
    amount: usd('44.99'),
    final_capture: true,
    custom_id: paymentId,
    invoice_id: paymentId,
    create_time: expect.any(String),
    supplementary_data: { related_ids: { order_id: id } },
    links: [
      expect.objectContaining({ rel: 'self' }),
      expect.objectContaining({ rel: 'refund' }),
      expect.objectContaining({ rel: 'up' }),
    ],
  })
  expect(body).toMatchObject({ id, status: 'COMPLETED', payer: { email_address: 'buyer@sandbox.example' } })
  expect(await read(`/v2/checkout/orders/${id}`)).toEqual(body)
  expect(await read(`/v2/payments/captures/${taken!.id as string}`)).toEqual(taken)
})

test('rejects a capture before the approval, after a cancellation and after a capture', async () => {
  const id = await create()
  expect(issueOf(await capture(id))).toBe('ORDER_NOT_APPROVED')
  expect((await press('cancel', id)).status).toBe(204)
  expect(issueOf(await capture(id))).toBe('ORDER_NOT_APPROVED')
  await press('approve', id)
  await capture(id)
  expect(issueOf(await capture(id))).toBe('ORDER_ALREADY_CAPTURED')
  expect((await press('approve', id)).status).toBe(409)
})

test('declines a captured order until the payer approves it again', async () => {
  const id = await create()
  await press('decline', id)
  for (let i = 0; i < 2; i++) {
    const declined = await capture(id, `cap-${paymentId}`)
    expect(declined.status).toBe(422)
    expect(issueOf(declined)).toBe('INSTRUMENT_DECLINED')
    const again = { href: `${sandbox.base}/checkoutnow?token=${id}`, rel: 'redirect', method: 'GET' }
    expect(declined.body.links).toContainEqual(again)
  }
  expect(JSON.stringify(await read(`/v2/checkout/orders/${id}`))).not.toContain('captures')
  await press('approve', id)
  expect((await capture(id, `cap-${paymentId}`)).body.status).toBe('COMPLETED')
})

test('captures only one order per invoice', async () => {
  const [one, other] = [await create(), await create()]
  await Promise.all([one, other].map((id) => press('approve', id)))
  expect((await capture(one)).status).toBe(201)
  expect(issueOf(await capture(other))).toBe('DUPLICATE_INVOICE_ID')
})

test('expires an unpaid order after three hours', async () => {
  const id = await create()
  await sandbox.database.pool.query(
    `UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{createTime}', '"2020-01-01T00:00:00Z"')::json
     WHERE kind = 'order' AND id = $1`,
    [id],
  )
  expect((await sandbox.call('GET', `/v2/checkout/orders/${id}`)).status).toBe(404)
  expect((await press('approve', id)).status).toBe(404)
})

test('answers 404 for an unknown id', async () => {
  const paths = ['/v2/checkout/orders/X', '/v2/payments/captures/X', '/v2/payments/refunds/X']
  for (const path of [...paths, '/v3/vault/payment-tokens/X']) {
    const answer = await sandbox.call('GET', path)
    expect(answer, path).toMatchObject({ status: 404, body: { name: 'RESOURCE_NOT_FOUND' } })
    expect(issueOf(answer)).toBe('INVALID_RESOURCE_ID')
  }
  expect((await capture('X')).status).toBe(404)
  expect((await refund('X')).status).toBe(404)
  const choices = ['payouts/X/claim', 'payouts/X/release', 'payouts/X/return', 'captures/X/dispute', 'disputes/X/win']
  for (const choice of [...choices, 'disputes/X/lose', 'orders/X/approve'])
    expect((await fetch(`${sandbox.base}/test/${choice}`, { method: 'POST' })).status, choice).toBe(404)
})

const unit = (change: Record<string, unknown>) => orderBody('p', {}, change)
const value = (given: unknown, currency = 'USD') =>
  unit({ amount: { currency_code: currency, value: given, breakdown: { item_total: usd('44.99') } } })
const UNIT = '/purchase_units/0'

test.each<[string, unknown, number, string, string]>([
  ['broken JSON', '{', 400, 'MALFORMED_REQUEST_JSON', ''],
  ['no intent', orderBody('p', { intent: undefined }), 400, 'MISSING_REQUIRED_PARAMETER', '/intent'],
  ['an unknown intent', orderBody('p', { intent: 'STEAL' }), 400, 'INVALID_PARAMETER_SYNTAX', '/intent'],
  ['no amount', unit({ amount: undefined }), 400, 'MISSING_REQUIRED_PARAMETER', `${UNIT}/amount`],
  ['a number for a value', value(44.99), 400, 'INVALID_PARAMETER_SYNTAX', `${UNIT}/amount/value`],
  ['three decimals', value('44.999'), 400, 'INVALID_PARAMETER_SYNTAX', `${UNIT}/amount/value`],
  ['a negative value', value('-1.00'), 400, 'INVALID_PARAMETER_SYNTAX', `${UNIT}/amount/value`],
  ['a lower-case currency', value('44.99', 'usd'), 400, 'INVALID_PARAMETER_SYNTAX', `${UNIT}/amount/currency_code`],
  ['a long invoice id', unit({ invoice_id: 'i'.repeat(128) }), 400, 'INVALID_PARAMETER_SYNTAX', `${UNIT}/invoice_id`],
  ['nothing to pay', value('0.00'), 422, 'CANNOT_BE_ZERO_OR_NEGATIVE', `${UNIT}/amount/value`],
  ['two currencies', value('44.99', 'EUR'), 422, 'CURRENCY_MISMATCH', `${UNIT}/amount/breakdown`],
  [
    'items that do not sum up',
    unit({ amount: { ...usd('44.98'), breakdown: { item_total: usd('44.98') } } }),
    422,
    'ITEM_TOTAL_MISMATCH',
    `${UNIT}/amount/breakdown/item_total/value`,
  ],
  ['a breakdown that does not sum up', value('43.99'), 422, 'AMOUNT_MISMATCH', `${UNIT}/amount/value`],
  [
    'an unknown wallet',
    orderBody('p', { payment_source: { paypal: { vault_id: 'nosuch' } } }),
    422,
    'TOKEN_ID_NOT_FOUND',
    '/payment_source/paypal/vault_id',
  ],
])('rejects an order with %s', async (_, body, status, issue, field) => {
  const answer = await sandbox.call('POST', '/v2/checkout/orders', body, { 'paypal-request-id': crypto.randomUUID() })
  expect(answer).toMatchObject({
    status,
    body: {
      name: status === 400 ? 'INVALID_REQUEST' : 'UNPROCESSABLE_ENTITY',
      message: expect.any(String),
      debug_id: expect.any(String),
      details: [{ issue, description: expect.any(String), ...(field && { field, location: 'body' }) }],
      links: [{ rel: 'information_link' }],
    },
  })
})

test('subtracts a discount from the items', async () => {
  const breakdown = { item_total: usd('44.99'), discount: usd('5.00') }
  const answer = await sandbox.call('POST', '/v2/checkout/orders', unit({ amount: { ...usd('39.99'), breakdown } }))
  expect(answer.body).toMatchObject({ purchase_units: [{ amount: usd('39.99') }] })
})

test('refunds a capture in parts, up to its amount', async () => {
  const { id, captureId } = await pay()
  const first = await refund(captureId, { amount: usd('10.00'), custom_id: 'c', invoice_id: 'i' })
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    status: 'COMPLETED',
    amount: usd('10.00'),
    custom_id: 'c',
    invoice_id: 'i',
    seller_payable_breakdown: { total_refunded_amount: usd('10.00') },
    links: [{ rel: 'self' }, { rel: 'up', href: `${sandbox.base}/v2/payments/captures/${captureId}` }],
  })
  expect(await read(`/v2/payments/refunds/${first.body.id as string}`)).toEqual(first.body)
  expect((await read(`/v2/payments/captures/${captureId}`)).status).toBe('PARTIALLY_REFUNDED')
  expect(issueOf(await refund(captureId, { amount: usd('35.00') }))).toBe('REFUND_AMOUNT_EXCEEDED')
  expect(issueOf(await refund(captureId, { amount: usd('0.00') }))).toBe('CANNOT_BE_ZERO_OR_NEGATIVE')
  const euro = { amount: { currency_code: 'EUR', value: '1.00' } }
  expect(issueOf(await refund(captureId, euro))).toBe('REFUND_CAPTURE_CURRENCY_MISMATCH')
  expect((await refund(captureId)).body).toMatchObject({ amount: usd('34.99') })
  expect(issueOf(await refund(captureId))).toBe('CAPTURE_FULLY_REFUNDED')
  const refunds = [{ amount: usd('10.00') }, { amount: usd('34.99') }]
  expect(await read(`/v2/checkout/orders/${id}`)).toMatchObject({
    status: 'COMPLETED',
    purchase_units: [{ payments: { captures: [{ status: 'REFUNDED' }], refunds } }],
  })
})

test('saves a wallet if the shop asks and the payer agrees, charges it in one step and deletes it', async () => {
  const id = await create(orderBody(paymentId, savingSource()))
  await press('approve', id)
  const { body } = await capture(id)
  const { vault } = (body.payment_source as { paypal: { attributes: { vault: { id: string; status: string } } } })
    .paypal.attributes
  expect(vault).toEqual({ id: expect.stringMatching(/^[0-9a-z]{8}$/), status: 'VAULTED' })
  expect(await read(`/v3/vault/payment-tokens/${vault.id}`)).toMatchObject({
    id: vault.id,
    payment_source: { paypal: { email_address: 'buyer@sandbox.example' } },
    links: [{ rel: 'self' }, { rel: 'delete' }],
  })

  const charge = orderBody(crypto.randomUUID(), { payment_source: { paypal: { vault_id: vault.id } } })
  const send = (headers: Record<string, string>) => sandbox.call('POST', '/v2/checkout/orders', charge, headers)
  expect(issueOf(await send({}))).toBe('PAYPAL_REQUEST_ID_REQUIRED')
  const requestId = { 'paypal-request-id': `one-${paymentId}` }
  const charged = await send(requestId)
  expect(charged).toMatchObject({
    status: 201,
    body: {
      status: 'COMPLETED',
      purchase_units: [{ payments: { captures: [{ status: 'COMPLETED', amount: usd('44.99') }] } }],
    },
  })
  expect(await send(requestId)).toMatchObject({ status: 200, text: charged.text })

  const forget = () => sandbox.call('DELETE', `/v3/vault/payment-tokens/${vault.id}`)
  expect((await forget()).status).toBe(204)
  expect((await forget()).status).toBe(404)
  expect(issueOf(await send({ 'paypal-request-id': 'other' }))).toBe('TOKEN_ID_NOT_FOUND')

  const refused = await create(orderBody(crypto.randomUUID(), savingSource()))
  const fields = new URLSearchParams({ token: refused, choice: 'pay' })
  await fetch(`${sandbox.base}/checkoutnow`, { method: 'POST', body: fields })
  expect((await capture(refused)).text).not.toContain('VAULTED')
})

test('gives the same e-mail address the same wallet', async () => {
  const { db } = sandbox.database
  const wallet = await saveSandboxWallet(db, { email: 'shopper@example.com' })
  expect(wallet.label).toBe('shopper@example.com')
  expect(await saveSandboxWallet(db, { email: 'Shopper@example.com' })).toMatchObject({ vaultId: wallet.vaultId })
})

test('never answers 5xx to malformed input', async () => {
  const odd = ['%00', '%F0%9F%8E%B5', "'--", 'a'.repeat(290), '..%2f..']
  const events = '/v1/notifications/webhooks-events?event_type='
  const times = 'start_time=2020-01-01T00:00:00Z&end_time=2030-01-01T00:00:00Z'
  const paths = odd.flatMap((text) => [
    `/v2/checkout/orders/${text}`,
    `/v2/payments/captures/${text}`,
    `${events}${text}&${times}&after=${text}`,
    `${events}X&${times}&page_size=${text}`,
    `${events}X&start_time=${text}`,
    `/v1/notifications/certs/${text}`,
    `/checkoutnow?token=${text}&mode=${text}`,
  ])
  for (const path of paths) expect((await fetch(sandbox.base + path)).status, path).toBeLessThan(500)
  for (const path of paths.filter((path) => /^.v[12]/.test(path) && !path.includes('certs'))) {
    const authorization = `Bearer ${await sandbox.fetchToken()}`
    expect((await fetch(sandbox.base + path, { headers: { authorization } })).status, path).toBeLessThan(500)
  }
  for (const text of odd) {
    const body = new URLSearchParams(`token=${text}&choice=pay&keep=${text}`)
    expect((await fetch(`${sandbox.base}/checkoutnow`, { method: 'POST', body })).status).toBeLessThan(500)
    expect((await press('approve', text)).status).toBeLessThan(500)
    expect((await capture(text, 'r'.repeat(5000))).status).toBeLessThan(500)
    const source = { payment_source: { paypal: { vault_id: decodeURIComponent(text) } } }
    expect((await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId, source))).status).toBeLessThan(500)
  }
})

test.each([
  [
    'beside live credentials',
    { isSandboxOn: true, paypal: { clientId: 'a', clientSecret: 'b', webhookId: 'c', environment: 'live' as const } },
  ],
  ['where the settings switch it off', { isSandboxOn: false, paypal: undefined }],
])('does not open %s', async (_, config) => {
  const opening = openSandbox({
    config: { mode: 'production', storeName: 'Primo', ...config },
    database: sandbox.database,
    publicUrl: sandbox.url,
    webhookUrl: sandbox.url,
  })
  await expect(opening).rejects.toThrow('PAYMENTS_SANDBOX')
})
