import { expect, test } from 'vitest'
import { readConfig, Settings } from './config.server.ts'

const LIVE = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_ENVIRONMENT: 'live' }

test('an address for customers asks for production: only there are mails kept to themselves', () => {
  expect(() => readConfig({ PUBLIC_URL: 'https://shop.example' })).toThrow(
    'NODE_ENV: PUBLIC_URL is for customers, so set NODE_ENV=production.',
  )
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000'])
    expect(readConfig({ PUBLIC_URL: `http://${host}` }).mode).toBe('development')
  expect(readConfig({ PUBLIC_URL: 'https://shop.example', NODE_ENV: 'production' }).mode).toBe('production')
})

test.each([
  ['PAYPAL_CLIENT_SECRET', { PAYPAL_CLIENT_ID: 'id' }],
  ['PAYPAL_CLIENT_ID', { PAYPAL_CLIENT_SECRET: 'secret' }],
  ['PAYPAL_CLIENT_SECRET', { PAYPAL_CLIENT_ID: 'id', PAYMENTS_SANDBOX: '1' }],
  ['PAYPAL_CLIENT_SECRET', { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: '' }],
  ['PAYPAL_WEBHOOK_ID', LIVE],
])('half a provider is refused: %s is missing', (name, env) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name}: not set`))
})

test('a whole provider is taken, live only with its webhook', () => {
  expect(readConfig({ ...LIVE, PAYPAL_WEBHOOK_ID: 'w' })).toMatchObject({
    isSandboxOn: false,
    paypal: { environment: 'live', webhookId: 'w' },
  })
  expect(readConfig({ ...LIVE, PAYPAL_ENVIRONMENT: 'sandbox' }).isSandboxOn).toBe(false)
})

test.each(Object.keys(Settings.shape))('a wrong %s says what is allowed', (name) => {
  const { description } = Settings.shape[name as keyof typeof Settings.shape]
  expect(description).toMatch(/^.{10,}$/)
  // no setting takes it
  expect(() => readConfig({ [name]: {} as never })).toThrow(`${name}: `)
  expect(() => readConfig({ [name]: {} as never })).toThrow(`is not allowed; give ${description}.`)
})

test('a mistyped choice is answered by the choices', () => {
  expect(() => readConfig({ NODE_ENV: 'prod' })).toThrow(
    'NODE_ENV: "prod" is not allowed; give development, production or test.',
  )
})
