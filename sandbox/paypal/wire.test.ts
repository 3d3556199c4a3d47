// Over 300 lines: the provider's whole wire, call by call and refusal by refusal, on one sandbox.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestSandbox, orderBody, savingSource, type TestSandbox, usd } from '../../test/sandbox.ts'
import { openSandbox } from './sandbox.server.ts'
import { createToken } from './tokens.server.ts'

let sandbox: Omit<TestSandbox, 'close'> & { close: () => Promise<void> }
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

let paymentId = ''
beforeEach(() => {
  paymentId = crypto.randomUUID()
})

const full = { prefer: 'return=representation' }
const issueOf = ({ body }: { body: Record<string, unknown> }) => (body.details as { issue: string }[])[0]?.issue
const create = async (body: unknown = orderBody(paymentId)) =>
  (await sandbox.call('POST', '/v2/checkout/orders', body)).body.id as string
const press = (door: string, id: string) => fetch(`${sandbox.base}/test/orders/${id}/${door}`, { method: 'POST' })
const capture = (id: string, headers: Record<string, string> = {}) =>
  sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {}, headers)
async function pay() {
  const id = await create()
  await press('approve', id)
  const { body } = await capture(id)
  const [unit] = body.purchase_units as { payments: { captures: { id: string }[] } }[]
  return { id, captureId: unit!.payments.captures[0]!.id }
}
const refund = (captureId: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  sandbox.call('POST', `/v2/payments/captures/${captureId}/refund`, body, headers)

// --- tokens

const askToken = async (fields: Record<string, string>, authorization = sandbox.basic) => {
  const response = await fetch(`${sandbox.base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(fields),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('the token call answers a server token and, when asked, a token for the browser', async () => {
  const server = await askToken({ grant_type: 'client_credentials' })
  expect(server).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 32400 } })
  expect(server.body.access_token).toMatch(/^A21AA/)
  const client = await askToken({ grant_type: 'client_credentials', response_type: 'client_token', intent: 'sdk_init' })
  expect(client).toMatchObject({ status: 200, body: { expires_in: 900 } })
  expect(client.body.access_token).toMatch(/^eyJ/)
})

test('wrong credentials are refused in the shape of the token call', async () => {
  const wrong = `Basic ${Buffer.from('sandbox-client:guess').toString('base64')}`
  for (const authorization of [wrong, 'Basic', 'Bearer x', '']) {
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

test('a call needs a server token that has not expired', async () => {
  const { rows } = await sandbox.database.pool.query<{ value: string }>(
    `SELECT value FROM sandbox.keys WHERE name = 'token_secret'`,
  )
  const secret = rows[0]!.value
  const as = async (authorization: string) =>
    sandbox.call('GET', '/v2/checkout/orders/5O190127TN364715T', undefined, { authorization })
  const good = createToken(secret, 'server')
  const tampered = good.slice(0, -2) + (good.endsWith('AA') ? 'BB' : 'AA')
  for (const token of [
    '',
    'A21AA',
    'A21AAx.y',
    createToken(secret, 'server', -1),
    createToken('x', 'server'),
    tampered,
  ]) {
    expect(await as(`Bearer ${token}`)).toMatchObject({ status: 401, body: { name: 'AUTHENTICATION_FAILURE' } })
  }
  expect((await as(`Bearer ${good}`)).status).toBe(404)
  const client = await as(`Bearer ${await sandbox.fetchToken({ response_type: 'client_token' })}`)
  expect(client.body).toMatchObject({ name: 'NOT_AUTHORIZED', details: [{ issue: 'PERMISSION_DENIED' }] })
  expect(client.status).toBe(403)
})

// --- orders

test('an order is answered in short, or in full when the caller prefers that', async () => {
  const short = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId))
  const id = short.body.id as string
  expect(short.status).toBe(201)
  expect(short.headers.get('paypal-debug-id')).toMatch(/^[0-9a-f]{13}$/)
  expect(short.body).toEqual({
    id: expect.stringMatching(/^[0-9A-Z]{17}$/),
    status: 'PAYER_ACTION_REQUIRED',
    links: [
      { href: `${sandbox.base}/v2/checkout/orders/${id}`, rel: 'self', method: 'GET' },
      { href: `${sandbox.base}/checkoutnow?token=${id}`, rel: 'payer-action', method: 'GET' },
    ],
  })
  const long = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId), full)
  expect(long.body).toMatchObject({
    intent: 'CAPTURE',
    status: 'PAYER_ACTION_REQUIRED',
    payment_source: { paypal: {} },
    purchase_units: [{ custom_id: paymentId, invoice_id: paymentId, amount: usd('44.99'), payee: {} }],
    create_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  })
  const { payment_source: _, ...bare } = orderBody(paymentId)
  const created = await sandbox.call('POST', '/v2/checkout/orders', bare)
  expect(created.body).toMatchObject({ status: 'CREATED', links: [{ rel: 'self' }, { rel: 'approve' }] })
})

test('shows an approved order without an id for the usual buyer, and with the payer that a script names', async () => {
  const id = await create()
  const read = async () => (await sandbox.call('GET', `/v2/checkout/orders/${id}`)).body
  expect(await read()).not.toHaveProperty('payer')
  expect((await press('approve', id)).status).toBe(204)
  const usual = await read()
  expect(usual).toMatchObject({
    status: 'APPROVED',
    payer: { email_address: 'buyer@sandbox.example' },
    links: [{ rel: 'self' }, { rel: 'capture', method: 'POST' }],
  })
  expect(JSON.stringify(usual)).not.toMatch(/payer_id|account_id|account_status|country_code/)
  expect((await press('approve?payer=PERSON1&country=DE&unverified=1', id)).status).toBe(204)
  expect(await read()).toMatchObject({
    payer: { payer_id: 'PERSON1', address: { country_code: 'DE' } },
    payment_source: { paypal: { account_id: 'PERSON1', account_status: 'UNVERIFIED' } },
  })
})

test('a capture takes the money and the order shows it', async () => {
  const id = await create()
  await press('approve', id)
  const { status, body } = await capture(id)
  expect(status).toBe(201)
  expect(body).toMatchObject({ id, status: 'COMPLETED', payment_source: { paypal: {} }, payer: {} })
  expect(body).not.toHaveProperty('intent')
  const [unit] = body.purchase_units as { payments: { captures: Record<string, unknown>[] } }[]
  const [taken] = unit!.payments.captures
  expect(taken).toEqual({
    id: expect.stringMatching(/^[0-9A-Z]{17}$/),
    status: 'COMPLETED',
    amount: usd('44.99'),
    final_capture: true,
    seller_protection: { status: 'NOT_ELIGIBLE' },
    seller_receivable_breakdown: { gross_amount: usd('44.99'), paypal_fee: usd('2.06'), net_amount: usd('42.93') },
    custom_id: paymentId,
    invoice_id: paymentId,
    create_time: expect.any(String),
    update_time: expect.any(String),
    links: [
      expect.objectContaining({ rel: 'self' }),
      expect.objectContaining({ rel: 'refund' }),
      expect.objectContaining({ rel: 'up' }),
    ],
  })
  const order = await sandbox.call('GET', `/v2/checkout/orders/${id}`)
  expect(order.body).toMatchObject({
    status: 'COMPLETED',
    intent: 'CAPTURE',
    purchase_units: [{ payments: { captures: [taken] } }],
  })
  const alone = await sandbox.call('GET', `/v2/payments/captures/${taken!.id}`)
  expect(alone.body).toMatchObject({ ...taken, supplementary_data: { related_ids: { order_id: id } } })
})

test('money is not taken before the payer approves, nor twice', async () => {
  const id = await create()
  const early = await capture(id)
  expect(early).toMatchObject({ status: 422, body: { name: 'UNPROCESSABLE_ENTITY', debug_id: expect.any(String) } })
  expect(issueOf(early)).toBe('ORDER_NOT_APPROVED')
  await press('approve', id)
  await capture(id)
  expect(issueOf(await capture(id))).toBe('ORDER_ALREADY_CAPTURED')
})

test('a declined payment can be approved again and paid', async () => {
  const id = await create()
  await press('decline', id)
  for (let i = 0; i < 2; i++) {
    const declined = await capture(id, { 'paypal-request-id': `cap-${paymentId}` })
    expect(declined.status).toBe(422)
    expect(issueOf(declined)).toBe('INSTRUMENT_DECLINED')
    expect(declined.body.links).toContainEqual({
      href: `${sandbox.base}/checkoutnow?token=${id}`,
      rel: 'redirect',
      method: 'GET',
    })
  }
  expect((await sandbox.call('GET', `/v2/checkout/orders/${id}`)).body.purchase_units).toEqual([
    expect.not.objectContaining({ payments: expect.anything() }),
  ])
  await press('approve', id)
  expect((await capture(id, { 'paypal-request-id': `cap-${paymentId}` })).body.status).toBe('COMPLETED')
})

test('canceling changes nothing at the provider', async () => {
  const id = await create()
  expect((await press('cancel', id)).status).toBe(204)
  expect(issueOf(await capture(id))).toBe('ORDER_NOT_APPROVED')
  expect((await press('approve', 'NOSUCHORDER000000')).status).toBe(404)
})

test('an invoice is paid once', async () => {
  const [one, other] = [await create(), await create()]
  await Promise.all([one, other].map((id) => press('approve', id)))
  expect((await capture(one)).status).toBe(201)
  expect(issueOf(await capture(other))).toBe('DUPLICATE_INVOICE_ID')
})

test('an order that nobody pays is forgotten after three hours', async () => {
  const id = await create()
  await sandbox.database.pool.query(
    `UPDATE sandbox.records SET body = jsonb_set(body::jsonb, '{createTime}', '"2020-01-01T00:00:00Z"')::json
     WHERE kind = 'order' AND id = $1`,
    [id],
  )
  expect(await sandbox.call('GET', `/v2/checkout/orders/${id}`)).toMatchObject({
    status: 404,
    body: { name: 'RESOURCE_NOT_FOUND' },
  })
  expect((await press('approve', id)).status).toBe(404)
})

test('what is not known is a 404', async () => {
  for (const path of [
    '/v2/checkout/orders/X',
    '/v2/payments/captures/X',
    '/v2/payments/refunds/X',
    '/v3/vault/payment-tokens/X',
    '/v3/vault/setup-tokens/X',
    '/v1/notifications/webhooks-events/X',
  ]) {
    const answer = await sandbox.call('GET', path)
    expect(answer, path).toMatchObject({ status: 404, body: { name: 'RESOURCE_NOT_FOUND' } })
    expect(issueOf(answer)).toBe('INVALID_RESOURCE_ID')
  }
  expect((await capture('X')).status).toBe(404)
  expect((await refund('X')).status).toBe(404)
})

// --- what is malformed or does not add up

const unit = (change: Record<string, unknown>) => orderBody('p', {}, change)
const amount = (value: unknown, currency: unknown = 'USD') => ({
  items: undefined,
  amount: { currency_code: currency, value },
})

test.each<[string, unknown, number, string, string]>([
  ['broken JSON', '{', 400, 'MALFORMED_REQUEST_JSON', ''],
  ['a list', '[]', 400, 'MALFORMED_REQUEST_JSON', ''],
  ['no intent', orderBody('p', { intent: undefined }), 400, 'MISSING_REQUIRED_PARAMETER', '/intent'],
  ['an intent we do not know', orderBody('p', { intent: 'STEAL' }), 400, 'INVALID_PARAMETER_VALUE', '/intent'],
  ['no purchase unit', orderBody('p', { purchase_units: [] }), 400, 'INVALID_ARRAY_MIN_ITEMS', '/purchase_units'],
  ['no amount', unit({ amount: undefined }), 400, 'MISSING_REQUIRED_PARAMETER', '/purchase_units/0/amount'],
  ['no value', unit(amount(undefined)), 400, 'MISSING_REQUIRED_PARAMETER', '/purchase_units/0/amount/value'],
  ['a number for a value', unit(amount(44.99)), 400, 'INVALID_PARAMETER_SYNTAX', '/purchase_units/0/amount/value'],
  ['words for a value', unit(amount('much')), 400, 'INVALID_PARAMETER_SYNTAX', '/purchase_units/0/amount/value'],
  ['an exponent', unit(amount('1e3')), 400, 'INVALID_PARAMETER_SYNTAX', '/purchase_units/0/amount/value'],
  [
    'a currency in small letters',
    unit(amount('1.00', 'usd')),
    400,
    'INVALID_PARAMETER_SYNTAX',
    '/purchase_units/0/amount/currency_code',
  ],
  [
    'a long invoice id',
    unit({ invoice_id: 'i'.repeat(128) }),
    400,
    'INVALID_STRING_LENGTH',
    '/purchase_units/0/invoice_id',
  ],
  [
    'a quantity of nothing',
    unit({ items: [{ name: 'a', quantity: '0', unit_amount: usd('1.00') }] }),
    400,
    'INVALID_PARAMETER_SYNTAX',
    '/purchase_units/0/items/0/quantity',
  ],
  ['three decimals', unit(amount('44.999')), 422, 'DECIMAL_PRECISION', '/purchase_units/0/amount/value'],
  ['zero', unit(amount('0.00')), 422, 'CANNOT_BE_ZERO_OR_NEGATIVE', '/purchase_units/0/amount/value'],
  ['less than zero', unit(amount('-1.00')), 422, 'CANNOT_BE_ZERO_OR_NEGATIVE', '/purchase_units/0/amount/value'],
  ['a fortune', unit(amount('99999999999999.00')), 422, 'MAX_VALUE_EXCEEDED', '/purchase_units/0/amount/value'],
  [
    'a currency nobody takes',
    unit(amount('1.00', 'XAU')),
    422,
    'CURRENCY_NOT_SUPPORTED',
    '/purchase_units/0/amount/currency_code',
  ],
  [
    'items without their total',
    unit({ amount: usd('44.99') }),
    422,
    'ITEM_TOTAL_REQUIRED',
    '/purchase_units/0/amount/breakdown/item_total',
  ],
  [
    'items that do not add up',
    unit({ amount: { ...usd('44.98'), breakdown: { item_total: usd('44.98') } } }),
    422,
    'ITEM_TOTAL_MISMATCH',
    '/purchase_units/0/amount/breakdown/item_total/value',
  ],
  [
    'a breakdown that does not add up',
    unit({ amount: { ...usd('44.99'), breakdown: { item_total: usd('44.99'), tax_total: usd('1.00') } } }),
    422,
    'AMOUNT_MISMATCH',
    '/purchase_units/0/amount/value',
  ],
  [
    'two currencies',
    unit({
      items: undefined,
      amount: { ...usd('1.00'), breakdown: { item_total: { currency_code: 'EUR', value: '1.00' } } },
    }),
    422,
    'CURRENCY_MISMATCH',
    '/purchase_units/0/amount/breakdown/item_total/currency_code',
  ],
  [
    'a wallet nobody saved',
    orderBody('p', { payment_source: { paypal: { vault_id: 'nosuch' } } }),
    422,
    'TOKEN_ID_NOT_FOUND',
    '/payment_source/paypal/vault_id',
  ],
])('an order of %s is refused', async (_, body, status, issue, field) => {
  const answer = await sandbox.call('POST', '/v2/checkout/orders', body, { 'paypal-request-id': crypto.randomUUID() })
  expect(answer.status).toBe(status)
  expect(answer.body).toMatchObject({
    name: status === 400 ? 'INVALID_REQUEST' : 'UNPROCESSABLE_ENTITY',
    message: expect.any(String),
    debug_id: expect.any(String),
    details: [{ issue, description: expect.any(String), ...(field && { field, location: 'body' }) }],
    links: [{ rel: 'information_link' }],
  })
})

test('discounts are taken off and short decimals are filled up', async () => {
  const breakdown = { item_total: usd('44.99'), shipping: usd('.5'), discount: usd('5') }
  const answer = await sandbox.call(
    'POST',
    '/v2/checkout/orders',
    unit({ amount: { ...usd('40.49'), breakdown } }),
    full,
  )
  expect(answer.body).toMatchObject({ purchase_units: [{ amount: usd('40.49') }] })
  const { body } = await sandbox.call('POST', '/v2/checkout/orders', unit(amount('44.9')), full)
  expect(body).toMatchObject({ purchase_units: [{ amount: usd('44.90') }] })
})

test('a form where JSON belongs is a 415', async () => {
  const answer = await sandbox.call('POST', '/v2/checkout/orders', 'intent=CAPTURE', {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(answer).toMatchObject({ status: 415, body: { name: 'UNSUPPORTED_MEDIA_TYPE' } })
})

test('a request id of 109 characters is refused', async () => {
  const answer = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId), {
    'paypal-request-id': 'r'.repeat(109),
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { details: [{ issue: 'INVALID_STRING_LENGTH', location: 'header' }] },
  })
})

test.each([
  ['INSTRUMENT_DECLINED', 422, 'UNPROCESSABLE_ENTITY'],
  ['PAYER_ACCOUNT_RESTRICTED', 422, 'UNPROCESSABLE_ENTITY'],
  ['MISSING_REQUIRED_PARAMETER', 400, 'INVALID_REQUEST'],
  ['INTERNAL_SERVER_ERROR', 500, 'INTERNAL_SERVER_ERROR'],
  ['RATE_LIMIT_REACHED', 429, 'RATE_LIMIT_REACHED'],
])('a mock of %s is answered with %i and has no effect', async (code, status, name) => {
  const id = await create()
  await press('approve', id)
  const mocked = await capture(id, { 'paypal-mock-response': JSON.stringify({ mock_application_codes: code }) })
  expect(mocked).toMatchObject({ status, body: { name } })
  expect((await capture(id)).status).toBe(201)
})

// --- refunds

test('a capture is refunded in parts, never beyond what was taken', async () => {
  const { id, captureId } = await pay()
  const part = { amount: usd('10.00'), custom_id: 'c', invoice_id: 'i', note_to_payer: 'Sorry.' }
  const first = await refund(captureId, part, full)
  expect(first.status).toBe(201)
  expect(first.body).toMatchObject({
    status: 'COMPLETED',
    amount: usd('10.00'),
    custom_id: 'c',
    invoice_id: 'i',
    seller_payable_breakdown: {
      gross_amount: usd('10.00'),
      net_amount: usd('10.00'),
      total_refunded_amount: usd('10.00'),
    },
    links: [{ rel: 'self' }, { rel: 'up', href: `${sandbox.base}/v2/payments/captures/${captureId}` }],
  })
  expect((await sandbox.call('GET', `/v2/payments/refunds/${first.body.id as string}`)).body).toEqual(first.body)
  expect((await sandbox.call('GET', `/v2/payments/captures/${captureId}`)).body.status).toBe('PARTIALLY_REFUNDED')
  expect(issueOf(await refund(captureId, { amount: usd('35.00') }))).toBe('REFUND_AMOUNT_EXCEEDED')
  expect(issueOf(await refund(captureId, { amount: { currency_code: 'EUR', value: '1.00' } }))).toBe(
    'REFUND_CAPTURE_CURRENCY_MISMATCH',
  )
  expect(issueOf(await refund(captureId, { amount: usd('1.001') }))).toBe('DECIMAL_PRECISION')
  const rest = await refund(captureId)
  expect(Object.keys(rest.body)).toEqual(['id', 'status', 'links'])
  expect(issueOf(await refund(captureId))).toBe('CAPTURE_FULLY_REFUNDED')
  const order = await sandbox.call('GET', `/v2/checkout/orders/${id}`)
  expect(order.body).toMatchObject({
    status: 'COMPLETED',
    purchase_units: [
      {
        payments: { captures: [{ status: 'REFUNDED' }], refunds: [{ amount: usd('10.00') }, { amount: usd('34.99') }] },
      },
    ],
  })
})

// --- saved wallets

test('a wallet is saved on its own and charged in one step', async () => {
  const setup = await sandbox.call('POST', '/v3/vault/setup-tokens', {
    customer: { id: 'customer_1' },
    payment_source: {
      paypal: {
        usage_type: 'MERCHANT',
        experience_context: {
          return_url: 'https://shop.example/settings',
          cancel_url: 'https://shop.example/settings',
        },
      },
    },
  })
  const setupId = setup.body.id as string
  expect(setup).toMatchObject({
    status: 201,
    body: {
      status: 'PAYER_ACTION_REQUIRED',
      customer: { id: 'customer_1' },
      links: [
        { rel: 'approve', href: `${sandbox.base}/agreements/approve?approval_session_id=${setupId}` },
        { rel: 'self' },
      ],
    },
  })
  const exchange = () =>
    sandbox.call('POST', '/v3/vault/payment-tokens', {
      payment_source: { token: { id: setupId, type: 'SETUP_TOKEN' } },
    })
  expect(issueOf(await exchange())).toBe('PAYER_ACTION_REQUIRED')
  await fetch(`${sandbox.base}/agreements/approve`, {
    method: 'POST',
    body: new URLSearchParams({ approval_session_id: setupId, choice: 'pay' }),
  })
  expect((await sandbox.call('GET', `/v3/vault/setup-tokens/${setupId}`)).body.status).toBe('APPROVED')
  const token = await exchange()
  const vaultId = token.body.id as string
  expect(token).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^[0-9a-z]{8}$/),
      customer: { id: 'customer_1' },
      payment_source: { paypal: { email_address: 'buyer@sandbox.example' } },
      links: [{ rel: 'self' }, { rel: 'delete' }],
    },
  })
  expect(issueOf(await exchange())).toBe('SETUP_TOKEN_ALREADY_TOKENIZED')
  expect((await sandbox.call('GET', '/v3/vault/payment-tokens?customer_id=customer_1')).body).toMatchObject({
    payment_tokens: [{ id: vaultId }],
  })

  const oneClick = orderBody(paymentId, { payment_source: { paypal: { vault_id: vaultId } } })
  expect(await sandbox.call('POST', '/v2/checkout/orders', oneClick)).toMatchObject({
    status: 400,
    body: { details: [{ issue: 'PAYPAL_REQUEST_ID_REQUIRED' }] },
  })
  const id = { 'paypal-request-id': `one-${paymentId}` }
  const charged = await sandbox.call('POST', '/v2/checkout/orders', oneClick, id)
  expect(charged).toMatchObject({
    status: 201,
    body: {
      status: 'COMPLETED',
      purchase_units: [{ payments: { captures: [{ status: 'COMPLETED', amount: usd('44.99') }] } }],
    },
  })
  const again = await sandbox.call('POST', '/v2/checkout/orders', oneClick, id)
  expect(again).toMatchObject({ status: 200, text: charged.text })

  expect((await sandbox.call('DELETE', `/v3/vault/payment-tokens/${vaultId}`)).status).toBe(204)
  expect((await sandbox.call('DELETE', `/v3/vault/payment-tokens/${vaultId}`)).status).toBe(404)
  expect(issueOf(await sandbox.call('POST', '/v2/checkout/orders', oneClick, { 'paypal-request-id': 'other' }))).toBe(
    'TOKEN_ID_NOT_FOUND',
  )
})

test('a wallet is saved with a payment when the shop asks and the payer agrees', async () => {
  const id = await create(orderBody(paymentId, savingSource('customer_2')))
  await press('approve', id)
  const { body } = await capture(id)
  expect(body).toMatchObject({
    payment_source: {
      paypal: { attributes: { vault: { id: expect.any(String), status: 'VAULTED', customer: { id: 'customer_2' } } } },
    },
  })
  const tokens = await sandbox.call('GET', '/v3/vault/payment-tokens?customer_id=customer_2')
  expect(tokens.body).toMatchObject({ total_items: 1 })

  const unsaved = await create(orderBody(crypto.randomUUID(), savingSource('customer_3')))
  await fetch(`${sandbox.base}/checkoutnow`, {
    method: 'POST',
    body: new URLSearchParams({ token: unsaved, choice: 'pay' }),
  })
  const { text } = await capture(unsaved)
  expect(text).not.toContain('VAULTED')
  expect((await sandbox.call('GET', '/v3/vault/payment-tokens?customer_id=customer_3')).body).toMatchObject({
    total_items: 0,
  })
})

test('nothing that a caller sends is our fault', async () => {
  const odd = ['%00', '%F0%9F%8E%B5', "'--", 'a'.repeat(290), '..%2f..']
  const paths = odd.flatMap((text) => [
    `/v2/checkout/orders/${text}`,
    `/v2/payments/captures/${text}`,
    `/v3/vault/payment-tokens?customer_id=${text}`,
    `/v1/notifications/webhooks-events/${text}`,
    `/v1/notifications/webhooks-events?transaction_id=${text}&after=${text}&event_type=${text}`,
    `/v1/notifications/webhooks-events?page_size=${text}&start_time=${text}`,
    `/v1/notifications/certs/${text}`,
    `/checkoutnow?token=${text}&mode=${text}`,
    `/agreements/approve?approval_session_id=${text}`,
  ])
  paths.push(
    '/v1/notifications/webhooks-events?start_time=%2B275760-01-01',
    '/v1/notifications/webhooks-events?page_size=-1',
  )
  for (const path of paths) {
    const { status } = await fetch(sandbox.base + path, {
      headers: { authorization: `Bearer ${await sandbox.fetchToken()}` },
    })
    expect(status, path).toBeLessThan(500)
  }
  for (const text of odd) {
    for (const page of ['checkoutnow', 'agreements/approve']) {
      const body = `token=${text}&approval_session_id=${text}&choice=pay&keep=${text}`
      const { status } = await fetch(`${sandbox.base}/${page}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(status, `${page} ${body}`).toBeLessThan(500)
    }
    expect((await press('approve', text)).status).toBeLessThan(500)
    const source = { payment_source: { paypal: { vault_id: decodeURIComponent(text) } } }
    const order = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId, source), {
      'paypal-request-id': paymentId,
    })
    expect(order.status).toBeLessThan(500)
  }
  const accents = `Basic ${Buffer.from('sandbox-client:é' + 'x'.repeat(42), 'latin1').toString('base64')}`
  expect((await askToken({ grant_type: 'client_credentials' }, accents)).status).toBe(401)
  expect(
    (
      await sandbox.call('GET', '/v2/checkout/orders/X', undefined, {
        authorization: `Bearer A21AAx.${'é'.repeat(43)}`,
      })
    ).status,
  ).toBe(401)
})

// --- where it may not be

test.each([
  [
    'beside live credentials',
    { isSandboxOn: true, paypal: { clientId: 'a', clientSecret: 'b', webhookId: 'c', environment: 'live' as const } },
  ],
  ['where it is switched off', { isSandboxOn: false, paypal: undefined }],
])('the sandbox refuses to open %s', async (_, config) => {
  const open = openSandbox({
    config: { mode: 'production', storeName: 'Primo', ...config },
    database: sandbox.database,
    publicUrl: sandbox.url,
    webhookUrl: sandbox.url,
  })
  await expect(open).rejects.toThrow('PAYMENTS_SANDBOX')
})
