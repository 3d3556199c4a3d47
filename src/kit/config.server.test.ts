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

const AI = { AI_URL: 'https://model.example/v1/', AI_KEY: 'key', AI_MODEL: 'small-1' }

test.each([
  ['AI_URL', { AI_URL: '' }],
  ['AI_KEY', { AI_KEY: '' }],
  ['AI_MODEL', { AI_MODEL: '' }],
  ['AI_URL', { AI_URL: '', AI_KEY: '' }],
])('half a model is refused: %s is missing', (name, without) => {
  expect(() => readConfig({ ...AI, ...without })).toThrow(new RegExp(`^${name}: not set; give it beside AI_`))
})

test('a whole model is taken, in the open only from this machine or its neighbours by name', () => {
  expect(readConfig({}).ai).toBeUndefined()
  const ai = { url: 'https://model.example/v1', key: 'key', model: 'small-1', patienceMs: 20_000 }
  expect(readConfig(AI).ai).toEqual(ai)
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

test.each([
  ['BONUS_PERCENT', ['-1', '101', '1.5', 'all']],
  ['BONUS_CAP', ['-1', '15.005', '$15', '1e3']],
  ['BONUS_EXCLUDED', ['Gift Cards', 'a,,b', ',', 'a;b']],
])('%s refuses what is no rule for a bonus', (name, wrong) => {
  for (const value of wrong) expect(() => readConfig({ [name]: value })).toThrow(`${name}: "${value}" is not allowed`)
})

test('a bonus is 15 % up to $15.00 without gift cards, crypto and prepaid cards, or as it is set', () => {
  expect(readConfig({}).bonus).toEqual({ percent: 15, capCents: 1500, excluded: ['gift-cards', 'crypto', 'prepaid'] })
  const set = readConfig({ BONUS_PERCENT: '20', BONUS_CAP: '7.5', BONUS_EXCLUDED: 'audio, software' })
  expect(set.bonus).toEqual({ percent: 20, capCents: 750, excluded: ['audio', 'software'] })
  expect(readConfig({ BONUS_EXCLUDED: 'none' }).bonus.excluded).toEqual([])
})
