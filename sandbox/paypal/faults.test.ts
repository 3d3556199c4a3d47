import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestSandbox, orderBody, serveSandbox, type TestSandbox, until } from '../../test/sandbox.ts'

let sandbox: TestSandbox & { databaseUrl: string }
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

let paymentId = ''
beforeEach(() => {
  paymentId = crypto.randomUUID()
})
afterEach(() => setFaults({ rate: 0 }))

const setFaults = async (
  faults: Record<string, unknown>,
  headers: Record<string, string> = {},
  on: TestSandbox = sandbox,
) =>
  fetch(`${on.base}/test/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(faults),
  })
type Capture = { id: string; customId: string; amount: string }
const captures = async () => {
  const all = (await (await fetch(`${sandbox.base}/test/captures`)).json()) as Capture[]
  return all.filter(({ customId }) => customId === paymentId)
}
async function approved() {
  const { body } = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId))
  await fetch(`${sandbox.base}/test/orders/${body.id as string}/approve`, { method: 'POST' })
  return body.id as string
}
const capture = (id: string) =>
  sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {}, { 'paypal-request-id': `cap-${paymentId}` })

test('error: fails before any effect', async () => {
  const id = await approved()
  await setFaults({ rate: 1, kinds: ['error'] })
  const answer = await capture(id)
  expect([500, 503]).toContain(answer.status)
  expect(answer.body.name).toMatch(/^(INTERNAL_SERVER_ERROR|SERVICE_UNAVAILABLE)$/)
  await setFaults({ rate: 0 })
  expect(await captures()).toEqual([])
})

test('lost: applies the effect but drops the answer, and answers a repeat', async () => {
  const id = await approved()
  await setFaults({ rate: 1, kinds: ['lost'] })
  await expect(capture(id)).rejects.toThrow('fetch failed')
  await setFaults({ rate: 0 })
  expect(await captures()).toHaveLength(1)
  expect(await capture(id)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } })
})

test('under_way: answers a write with 409 and applies no effect', async () => {
  const id = await approved()
  await setFaults({ rate: 1, kinds: ['under_way'] })
  expect(await capture(id)).toMatchObject({
    status: 409,
    body: { name: 'RESOURCE_CONFLICT', details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }] },
  })
  // Reads are not affected.
  expect(await sandbox.call('GET', `/v2/checkout/orders/${id}`)).toMatchObject({ status: 200 })
  await setFaults({ rate: 0 })
  expect(await captures()).toEqual([])
})

test('hang: answers after the delay', async () => {
  const id = await approved()
  await setFaults({ rate: 1, kinds: ['hang'], latencyMs: 300 })
  const start = performance.now()
  expect((await capture(id)).status).toBe(201)
  expect(performance.now() - start).toBeGreaterThan(290)
})

test('amount: captures a cent less and shows it everywhere', async () => {
  const id = await approved()
  await setFaults({ rate: 1, kinds: ['amount'] })
  const { body } = await capture(id)
  await setFaults({ rate: 0 })
  expect(body).toMatchObject({ purchase_units: [{ payments: { captures: [{ amount: { value: '44.98' } }] } }] })
  expect(await captures()).toMatchObject([{ amount: '44.98' }])
  const order = await sandbox.call('GET', `/v2/checkout/orders/${id}`)
  expect(order.body).toMatchObject({
    purchase_units: [{ amount: { value: '44.99' }, payments: { captures: [{ amount: { value: '44.98' } }] } }],
  })
})

test('decline: captures no money', async () => {
  const id = await approved()
  await setFaults({ rate: 1, kinds: ['decline'] })
  expect(await capture(id)).toMatchObject({ status: 422, body: { details: [{ issue: 'INSTRUMENT_DECLINED' }] } })
  await setFaults({ rate: 0 })
  expect(await captures()).toEqual([])
  expect((await capture(id)).status).toBe(201)
})

const heard = () => sandbox.deliveries.filter(({ raw }) => raw.includes(paymentId))

test('webhook_double: delivers an event twice', async () => {
  await setFaults({ rate: 1, kinds: ['webhook_double'] })
  await approved()
  await until(() => heard().length === 2)
  const [one, other] = heard()
  expect(one!.event.id).toBe(other!.event.id)
})

test('webhook_late: delivers an event after the delay', async () => {
  await setFaults({ rate: 1, kinds: ['webhook_late'], latencyMs: 700 })
  const start = performance.now()
  await approved()
  await until(() => heard().length === 1)
  expect(performance.now() - start).toBeGreaterThan(690)
})

test('webhook_lost: stores an event without delivering it', async () => {
  await setFaults({ rate: 1, kinds: ['webhook_lost'] })
  const id = await approved()
  await setFaults({ rate: 0 })
  const { rows } = await sandbox.database.pool.query<{ deliveries_left: number; attempts: number }>(
    'SELECT deliveries_left, attempts FROM sandbox.events WHERE resource_id = $1',
    [id],
  )
  expect(rows).toEqual([{ deliveries_left: 0, attempts: 0 }])
})

test('fails the given share of the calls', async () => {
  await setFaults({ rate: 0.3, kinds: ['error'] })
  const answers = await Promise.all(Array.from({ length: 400 }, () => sandbox.call('GET', '/v2/checkout/orders/X')))
  const failed = answers.filter(({ status }) => status >= 500).length
  // 120 are expected. The limits allow five standard deviations (46).
  expect(failed).toBeGreaterThan(74)
  expect(failed).toBeLessThan(166)
})

test('captures each of two hundred payments exactly once under faults', async () => {
  await setFaults({ rate: 0.3, kinds: ['error', 'lost', 'webhook_lost', 'webhook_double'] })
  const insist = async (work: () => Promise<{ status: number; body: Record<string, unknown> }>) => {
    for (;;) {
      const answer = await work().catch(() => null)
      if (answer && answer.status < 300) return answer
    }
  }
  const ids = Array.from({ length: 200 }, (): string => crypto.randomUUID())
  const waiting = [...ids]
  const payOne = async (id: string) => {
    const order = await insist(() =>
      sandbox.call('POST', '/v2/checkout/orders', orderBody(id), { 'paypal-request-id': `co-${id}` }),
    )
    const orderId = order.body.id as string
    await fetch(`${sandbox.base}/test/orders/${orderId}/approve`, { method: 'POST' })
    const capturePath = `/v2/checkout/orders/${orderId}/capture`
    await insist(() => sandbox.call('POST', capturePath, {}, { 'paypal-request-id': `cap-${id}` }))
  }
  const shopper = async () => {
    for (let id = waiting.pop(); id; id = waiting.pop()) await payOne(id)
  }
  await Promise.all(Array.from({ length: 20 }, shopper))
  await setFaults({ rate: 0 })
  const all = (await (await fetch(`${sandbox.base}/test/captures`)).json()) as Capture[]
  const known = new Set(ids)
  const taken = all.map(({ customId }) => customId).filter((id) => known.has(id))
  expect(taken.sort()).toEqual(ids.sort())
})

test('restores the faults after a restart', async () => {
  await setFaults({ rate: 1, kinds: ['error'] })
  const next = await serveSandbox(sandbox.databaseUrl)
  const answer = await next.call('GET', '/v2/checkout/orders/X')
  expect(answer.status).toBeGreaterThanOrEqual(500)
  await setFaults({ rate: 0 })
  await next.close()
})

test.each([
  { rate: 2 },
  { rate: -1 },
  {},
  { rate: 1, kinds: ['fire'] },
  { rate: 1, latencyMs: -1 },
  { rate: 1, other: true },
])('rejects the faults %j', async (faults) => {
  expect((await setFaults(faults)).status).toBe(400)
})

test('requires credentials in production for setting faults and for listing captures', async () => {
  const shop = await serveSandbox(sandbox.databaseUrl, { isProduction: true })
  expect((await fetch(`${shop.base}/test/captures`)).status).toBe(401)
  expect((await setFaults({ rate: 0 }, {}, shop)).status).toBe(401)
  expect((await setFaults({ rate: 0 }, { authorization: shop.basic }, shop)).status).toBe(200)
  expect((await fetch(`${shop.base}/test/captures`, { headers: { authorization: shop.basic } })).status).toBe(200)
  await shop.close()
})

test('rejects choices and faults from a page of another site', async () => {
  const id = await approved()
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  for (const choice of ['approve', 'decline', 'cancel']) {
    const answer = await fetch(`${sandbox.base}/test/orders/${id}/${choice}`, { method: 'POST', headers })
    expect(answer.status).toBe(403)
  }
  expect((await setFaults({ rate: 1, kinds: ['error'] }, headers)).status).toBe(403)
  const window = await fetch(`${sandbox.base}/checkoutnow`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token: id, choice: 'pay' }),
  })
  expect(window.status).toBe(403)
})
