import { beforeEach, expect, test } from 'vitest'
import { provider } from '../../test/provider.ts'
import { openShopForTests, openTestShop } from '../../test/shop.ts'
import type { Provider } from '../payments/provider.ts'
import { createProbe } from './integrations.server.ts'
import { listIntegrations, listWebhookEvents, listWebhooks, sendTestEvent } from './integrations.contract.ts'
import { createPaypal } from './paypal/paypal.server.ts'

const open = openShopForTests()
beforeEach(() => provider(open.shop).setFaults({ rate: 0, kinds: [] }))

test('lists PayPal, Stripe and saved wallets as active and crypto as not set up', async () => {
  const member = await open.shop.join()
  const integrations = await member.call(listIntegrations, {})
  expect(integrations.map(({ name, state, isSandbox }) => [name, state, isSandbox])).toEqual([
    ['PayPal', 'active', true],
    ['Stripe', 'active', true],
    ['Saved wallet', 'active', true],
    ['Crypto', 'setup', false],
  ])
})

const probe = (baseUrl: string) => {
  const credentials = { clientId: 'x', clientSecret: 'x', webhookId: undefined, certificates: [] }
  const shop = { storeName: 'Primo', publicUrl: 'http://localhost' }
  const browser = { hosts: { scripts: [], connects: [], frames: [] }, scriptUrl: '/script' }
  return createProbe([createPaypal({ baseUrl, mode: 'sandbox', ...credentials, ...shop, ...browser })])
}

test.each([
  ['refuses our credentials', () => `${open.shop.url}/sandbox/paypal`],
  ['is not there', () => 'http://127.0.0.1:9'],
])('lists no active provider when it %s', async (_, baseUrl) => {
  expect((await probe(baseUrl())()).map(({ state }) => state)).toEqual(['away', 'away', 'setup'])
})

test('probes the provider at most once a minute', async () => {
  let asked = 0
  let clock = 0
  const probe: Provider['probe'] = async () => (asked++, 'ready')
  const ask = createProbe([{ name: 'p', label: 'P', mode: 'sandbox', probe }], () => clock)
  await Promise.all([ask(), ask()])
  await ask()
  expect(asked).toBe(1)
  clock = 60_001
  await ask()
  expect(asked).toBe(2)
})

test('shows the webhook address to members and events to staff only', async () => {
  const member = await open.shop.join()
  const [webhook] = await member.call(listWebhooks, {})
  expect(webhook).toEqual({
    provider: 'paypal',
    name: 'PayPal',
    url: `${open.shop.url}/api/payments/paypal/webhook`,
    canVerify: true,
    canTest: true,
  })
  await expect(member.call(listWebhookEvents, {})).rejects.toMatchObject({ status: 403 })
  await expect(member.call(sendTestEvent, {})).rejects.toMatchObject({ status: 403 })
})

test('sends, verifies and logs a signed test event', async () => {
  const admin = await open.shop.join({ isAdmin: true })
  await provider(open.shop).setFaults({ rate: 1, kinds: ['webhook_lost'] })
  const sent = await admin.call(sendTestEvent, {})
  expect(sent).toEqual({ eventId: expect.stringMatching(/^WH-/), answer: '200', isStored: true })
  const [event] = await admin.call(listWebhookEvents, {})
  expect(event).toMatchObject({ id: sent.eventId, eventType: 'CHECKOUT.ORDER.APPROVED', timesReceived: 1 })
})

test('finds a stored test event older than a page of newer events', async () => {
  const admin = await open.shop.join({ isAdmin: true })
  await open.shop.database.pool.query(
    `INSERT INTO webhook_events (provider, event_id, event_type, body, received_at)
      SELECT 'paypal', 'NEWER-' || n, 'TEST', '{}', now() + interval '1 hour' FROM generate_series(1, 20) n`,
  )
  expect(await admin.call(sendTestEvent, {})).toMatchObject({ isStored: true })
})

test('rejects test events and verification with a real provider that has no webhook id', async () => {
  const shop = await openTestShop({ PAYPAL_CLIENT_ID: 'x', PAYPAL_CLIENT_SECRET: 'x' })
  const admin = await shop.join({ isAdmin: true })
  expect(await admin.call(listWebhooks, {})).toMatchObject([{ canVerify: false, canTest: false }])
  await expect(admin.call(sendTestEvent, {})).rejects.toMatchObject({ status: 409 })
  await shop.close()
})
