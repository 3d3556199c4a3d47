import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findMisspelt } from '../kit/config.server.ts'
import { readConfig, SETTINGS } from './settings.server.ts'

const LIVE = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_ENVIRONMENT: 'live' }

test('rejects a public address in development, because everyone could read the mails', () => {
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
])('rejects incomplete PayPal credentials: %s is missing', (name, env) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name}: not set`))
})

test('accepts complete PayPal credentials, but live ones only with a webhook', () => {
  expect(readConfig({ ...LIVE, PAYPAL_WEBHOOK_ID: 'w' })).toMatchObject({
    isSandboxOn: false,
    paypal: { environment: 'live', webhookId: 'w' },
  })
  expect(readConfig({ ...LIVE, PAYPAL_ENVIRONMENT: 'sandbox' }).isSandboxOn).toBe(false)
})

const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

test.each([
  ['STRIPE_WEBHOOK_SECRET: not set', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  ['STRIPE_SECRET_KEY: not set', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
  ['STRIPE_SECRET_KEY', { ...STRIPE, STRIPE_SECRET_KEY: 'pk_live_1' }],
  ['STRIPE_WEBHOOK_SECRET', { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'secret' }],
  ['PAYMENTS_SANDBOX', { ...STRIPE, PAYMENTS_SANDBOX: '1' }],
])('rejects incomplete or invalid settings of Stripe: %s', (says, env) => {
  expect(() => readConfig(env)).toThrow(new RegExp(`^${says}`))
})

test('starts no sandbox if Stripe keys are set, and reads the mode from the key', () => {
  expect(readConfig(STRIPE)).toMatchObject({ isSandboxOn: false, stripe: { mode: 'live' } })
  expect(readConfig({ ...STRIPE, STRIPE_SECRET_KEY: 'rk_test_1' }).stripe?.mode).toBe('sandbox')
  expect(readConfig({})).toMatchObject({ isSandboxOn: true, stripe: undefined })
})

const AI = { AI_URL: 'https://model.example/v1/', AI_KEY: 'key', AI_MODEL: 'small-1' }

test.each([
  ['AI_URL', { AI_URL: '' }],
  ['AI_KEY', { AI_KEY: '' }],
  ['AI_MODEL', { AI_MODEL: '' }],
  ['AI_URL', { AI_URL: '', AI_KEY: '' }],
])('rejects an incomplete model: %s is missing', (name, without) => {
  expect(() => readConfig({ ...AI, ...without })).toThrow(new RegExp(`^${name}: not set; give it beside AI_`))
})

test('accepts a complete model, and plain http only on this machine or a container network', () => {
  expect(readConfig({}).ai).toBeUndefined()
  const ai = { url: 'https://model.example/v1', key: 'key', model: 'small-1', patienceMs: 20_000 }
  expect(readConfig(AI).ai).toMatchObject(ai)
  expect(readConfig({ ...AI, AI_TIMEOUT_SECONDS: '5' }).ai?.patienceMs).toBe(5000)
  for (const url of ['http://localhost:11434/v1', 'http://[::1]:11434/v1', 'http://ollama:11434/v1'])
    expect(readConfig({ ...AI, AI_URL: url }).ai?.url).toBe(url)
  for (const url of ['http://model.example/v1', 'http://192.0.2.7/v1', 'http://[2001:db8::7]/v1'])
    expect(() => readConfig({ ...AI, AI_URL: url })).toThrow('AI_URL: give an https address')
  for (const url of [
    'https://user:word@model.example/v1',
    'https://model.example/v1?key=hidden',
    'ftp://model.example',
  ])
    expect(() => readConfig({ ...AI, AI_URL: url })).toThrow(/^AI_URL: the value is not allowed; give an address/)
  expect(() => readConfig({ ...AI, AI_KEY: 'hidden key' })).toThrow(/^AI_KEY: the value is not allowed/)
})

test('has default addresses of OpenAI and Anthropic, which AI_URL can replace', () => {
  const named = { AI_KEY: 'key', AI_MODEL: 'small-1' }
  const ai = (provider: string, url = '') => readConfig({ ...named, AI_PROVIDER: provider, AI_URL: url }).ai
  expect(ai('openai')).toMatchObject({ provider: 'openai', url: 'https://api.openai.com/v1' })
  expect(ai('anthropic')).toMatchObject({ provider: 'anthropic', url: 'https://api.anthropic.com/v1' })
  expect(ai('anthropic', AI.AI_URL)?.url).toBe('https://model.example/v1')
  expect(() => ai('compatible')).toThrow(/^AI_URL: not set/)
})

test.each(Object.keys(SETTINGS))('reports the allowed values for an invalid %s', (name) => {
  const { description } = SETTINGS[name as keyof typeof SETTINGS]
  expect(description).toMatch(/^.{10,}$/)
  // no setting accepts an object
  expect(() => readConfig({ [name]: {} as never })).toThrow(`${name}: `)
  expect(() => readConfig({ [name]: {} as never })).toThrow(`is not allowed; give ${description}.`)
})

test('reports the choices for a mistyped one', () => {
  expect(() => readConfig({ NODE_ENV: 'prod' })).toThrow(
    'NODE_ENV: "prod" is not allowed; give development, production or test.',
  )
})

test.each([
  ['BONUS_PERCENT', ['-1', '101', '1.5', 'all']],
  ['BONUS_CAP', ['-1', '15.005', '$15', '1e3']],
  ['FEE_PERCENT', ['-1', '100.01', '101', '1.555', '5%', 'all']],
  ['FEE_CENTS', ['-1', '1.5', '10001', 'all']],
  ['PAYOUT_HOLD_DAYS', ['-1', '366', '1.5', 'week']],
])('%s rejects an invalid rule for money', (name, wrong) => {
  for (const value of wrong) expect(() => readConfig({ [name]: value })).toThrow(`${name}: "${value}" is not allowed`)
})

test('reads the bonus rules, by default 15 % up to $15.00', () => {
  expect(readConfig({}).bonus).toEqual({ percent: 15, capCents: 1500 })
  expect(readConfig({ BONUS_PERCENT: '20', BONUS_CAP: '7.5' }).bonus).toEqual({ percent: 20, capCents: 750 })
})

test('reads the terms of a sale, by default 5 % and a hold of 7 days', () => {
  expect(readConfig({})).toMatchObject({ fee: { basisPoints: 500, fixedCents: 0 }, payoutHoldDays: 7 })
  const own = readConfig({ FEE_PERCENT: '2.75', FEE_CENTS: '30', PAYOUT_HOLD_DAYS: '0' })
  expect(own).toMatchObject({ fee: { basisPoints: 275, fixedCents: 30 }, payoutHoldDays: 0 })
})

test('reads a secret from a file, and rejects a missing file or two values', () => {
  const folder = mkdtempSync(join(tmpdir(), 'primo-secret-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  const secret = 'a secret of thirty-two characters or more'
  writeFileSync(path, `${secret}\n`)
  expect(readConfig({ SECRET_FILE: path }).givenSecret).toBe(secret)
  expect(() => readConfig({ SECRET_FILE: path, SECRET: secret })).toThrow(/^SECRET: given twice/)
  expect(() => readConfig({ SECRET_FILE: join(folder, 'none') })).toThrow(
    /^SECRET_FILE: the file cannot be read \(ENOENT\)/,
  )
  // Only secret settings can come from a file.
  expect(readConfig({ STORE_NAME_FILE: path }).storeName).toBe('Primo')
})

test('reports settings that are probably misspelt, and ignores names of other programs', () => {
  const env = {
    FEE_PERCENTT: '3',
    PUBLIC_ULR: 'x',
    SMTP_URL: 'x',
    SECRET_FILES: 'x',
    HOME: '/',
    PATH: '/',
    PGDATABASE: 'x',
  }
  expect(findMisspelt(SETTINGS, env)).toEqual([
    'FEE_PERCENTT: the shop has no such setting. Do you mean FEE_PERCENT?',
    'PUBLIC_ULR: the shop has no such setting. Do you mean PUBLIC_URL?',
    'SECRET_FILES: the shop has no such setting. Do you mean SECRET_FILE?',
  ])
})

test('sends Strict-Transport-Security with the configured days, and includes subdomains only if configured', () => {
  expect(readConfig({}).strictTransport).toBe('max-age=63072000')
  expect(readConfig({ HSTS_SUBDOMAINS: '1', HSTS_DAYS: '1' }).strictTransport).toBe('max-age=86400; includeSubDomains')
  expect(readConfig({ HSTS_DAYS: '0' }).strictTransport).toBeUndefined()
})
