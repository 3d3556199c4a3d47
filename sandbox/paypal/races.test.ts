import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { openTestSandbox, orderBody, serveSandbox, type TestSandbox, usd } from '../../test/sandbox.ts'
import { saveSandboxWallet } from './wallets.server.ts'

let sandbox: TestSandbox & { databaseUrl: string }
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

let paymentId = ''
beforeEach(() => {
  paymentId = crypto.randomUUID()
})

type Capture = { id: string; orderId: string; customId: string; amount: string; status: string; refunded: string }
const captures = async (of: TestSandbox = sandbox) => {
  const all = (await (await fetch(`${of.base}/test/captures`)).json()) as Capture[]
  return all.filter(({ customId }) => customId === paymentId)
}
const create = async (headers: Record<string, string> = {}) =>
  (await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId), headers)).body.id as string
const approve = (id: string) => fetch(`${sandbox.base}/test/orders/${id}/approve`, { method: 'POST' })
const capture = (id: string, requestId: string) =>
  sandbox.call('POST', `/v2/checkout/orders/${id}/capture`, {}, { 'paypal-request-id': requestId })
const twenty = <T>(work: (i: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, i) => work(i)))
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('answers a repeated request id with the first answer, even if the body differs', async () => {
  const first = await sandbox.call('POST', '/v2/checkout/orders', orderBody(paymentId), {
    'paypal-request-id': paymentId,
  })
  const again = await sandbox.call('POST', '/v2/checkout/orders', { other: 'body' }, { 'paypal-request-id': paymentId })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(again.text).toBe(first.text)
})

test('accepts the same request id for two paths', async () => {
  const [one, other] = [await create(), await create()]
  await Promise.all([approve(one), approve(other)])
  expect((await capture(one, paymentId)).body.id).toBe(one)
  expect((await capture(other, paymentId)).status).toBe(422)
})

test('stores a request id with the full path of its call', async () => {
  const id = await create()
  await approve(id)
  await capture(id, paymentId)
  const { rows } = await sandbox.database.pool.query('SELECT path FROM sandbox.replays WHERE request_id = $1', [
    paymentId,
  ])
  expect(rows).toEqual([{ path: `/sandbox/paypal/v2/checkout/orders/${id}/capture` }])
})

test('does not store a refusal for its request id', async () => {
  const id = await create()
  expect((await capture(id, paymentId)).status).toBe(422)
  await approve(id)
  expect((await capture(id, paymentId)).status).toBe(201)
})

test('expires a request id after six hours', async () => {
  const first = await create({ 'paypal-request-id': paymentId })
  await sandbox.database.pool.query(
    `UPDATE sandbox.replays SET created_at = now() - interval '6 hours 1 minute' WHERE request_id = $1`,
    [paymentId],
  )
  expect(await create({ 'paypal-request-id': paymentId })).not.toBe(first)
})

test('captures once for twenty requests with one id and returns the same answer to each', async () => {
  const id = await create()
  await approve(id)
  const answers = await twenty(() => capture(id, `cap-${paymentId}`))
  expect(statuses(answers)).toEqual([...Array<number>(19).fill(200), 201])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await captures()).toHaveLength(1)
})

test('captures once for twenty requests with different ids', async () => {
  const id = await create()
  await approve(id)
  const answers = await twenty((i) => capture(id, `cap-${paymentId}-${i}`))
  expect(statuses(answers)).toEqual([201, ...Array<number>(19).fill(422)])
  expect(answers.filter(({ text }) => text.includes('ORDER_ALREADY_CAPTURED'))).toHaveLength(19)
  expect(await captures()).toEqual([
    expect.objectContaining({ orderId: id, amount: '44.99', status: 'COMPLETED', refunded: '0.00' }),
  ])
})

test('captures once on two nodes of one database', async () => {
  const other = await serveSandbox(sandbox.databaseUrl)
  const id = await create()
  await approve(id)
  const answers = await twenty((i) =>
    (i % 2 ? sandbox : other).call('POST', `/v2/checkout/orders/${id}/capture`, {}, { 'paypal-request-id': paymentId }),
  )
  expect(statuses(answers)).toEqual([...Array<number>(19).fill(200), 201])
  expect(await captures(other)).toHaveLength(1)
  await other.close()
})

test('creates the tables once if two nodes open at the same time', async () => {
  const { url, drop } = await createTestDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DROP SCHEMA sandbox CASCADE')
  await client.end()
  const nodes = await Promise.all([serveSandbox(url), serveSandbox(url)])
  const [one, other] = nodes.map((node) => node.sandbox.credentials)
  expect(one).toEqual(other)
  for (const node of nodes) await node.close()
  await drop()
})

test('captures only one of twenty orders for an invoice', async () => {
  const ids = await twenty(() => create())
  await Promise.all(ids.map(approve))
  const answers = await Promise.all(ids.map((id) => capture(id, `cap-${id}`)))
  expect(statuses(answers)).toEqual([201, ...Array<number>(19).fill(422)])
})

test('charges a saved wallet once for a request id', async () => {
  const { vaultId } = await saveSandboxWallet(sandbox.database.db, { email: 'shopper@example.com' })
  const body = orderBody(paymentId, { payment_source: { paypal: { vault_id: vaultId } } })
  const answers = await twenty(() =>
    sandbox.call('POST', '/v2/checkout/orders', body, { 'paypal-request-id': paymentId }),
  )
  expect(statuses(answers)).toEqual([...Array<number>(19).fill(200), 201])
  expect(answers[0]!.body).toMatchObject({ payer: { email_address: 'shopper@example.com' } })
  expect(await captures()).toHaveLength(1)
})

test('never refunds more than the capture under parallel requests', async () => {
  const id = await create()
  await approve(id)
  await capture(id, paymentId)
  const [taken] = await captures()
  const answers = await twenty((i) =>
    sandbox.call(
      'POST',
      `/v2/payments/captures/${taken!.id}/refund`,
      { amount: usd('10.00') },
      { 'paypal-request-id': `rf-${paymentId}-${i}` },
    ),
  )
  expect(statuses(answers)).toEqual([...Array<number>(4).fill(201), ...Array<number>(16).fill(422)])
  expect(await captures()).toMatchObject([{ refunded: '40.00', status: 'PARTIALLY_REFUNDED' }])
  const same = await twenty(() =>
    sandbox.call('POST', `/v2/payments/captures/${taken!.id}/refund`, {}, { 'paypal-request-id': `rest-${paymentId}` }),
  )
  expect(new Set(same.map(({ text }) => text)).size).toBe(1)
  expect(await captures()).toMatchObject([{ refunded: '44.99', status: 'REFUNDED' }])
})

test('restores captures, request ids and credentials after a restart', async () => {
  const id = await create({ 'paypal-request-id': paymentId })
  await approve(id)
  const taken = await capture(id, `cap-${paymentId}`)
  const token = await sandbox.fetchToken()
  const next = await serveSandbox(sandbox.databaseUrl)
  expect(next.sandbox.credentials).toEqual(sandbox.sandbox.credentials)
  const headers = { authorization: `Bearer ${token}`, 'paypal-request-id': `cap-${paymentId}` }
  const again = await next.call('POST', `/v2/checkout/orders/${id}/capture`, {}, headers)
  expect(again).toMatchObject({ status: 200, text: taken.text })
  expect(await captures(next)).toHaveLength(1)
  await next.close()
})
