import { beforeEach, expect, test, vi } from 'vitest'
import { analyzeFraud } from './hints.contract.ts'
import { isPaymentSafe, readSessionRisk, recordEvent, watchRisk } from './paymentCheck.client.ts'
import type { SecurityEvent } from './risk.rules.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000
let kept: string | null
const ask = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  kept = null
  vi.unstubAllGlobals()
  vi.stubGlobal('sessionStorage', { getItem: () => kept, setItem: (_: string, text: string) => (kept = text) })
  vi.stubGlobal('location', { href: 'https://shop.example/categories' })
  vi.stubGlobal('screen', { width: 390, height: 844 })
  vi.stubGlobal('fetch', ask)
  ask.mockReset().mockImplementation(() => Promise.reject(new Error('nobody answers')))
})
const events = () => JSON.parse(kept ?? '[]') as SecurityEvent[]
const told = () => events().map(({ type, severity, blocked }) => [type, severity, blocked])

test('what costs up to 1000 USD is safe and leaves no trace', () => {
  expect(isPaymentSafe(100_000, NOW)).toBe(true)
  expect(events()).toEqual([])
})

test('two large amounts pass, the third within five minutes is blocked and says why', () => {
  expect(isPaymentSafe(120_000, NOW)).toBe(true)
  expect(isPaymentSafe(120_000, NOW + MINUTE)).toBe(true)
  expect(readSessionRisk(NOW + MINUTE).riskScore).toBe(30)
  expect(isPaymentSafe(120_000, NOW + 2 * MINUTE)).toBe(false)
  expect(told()).toEqual([
    ['payment_fraud', 'medium', false],
    ['payment_fraud', 'medium', false],
    ['payment_fraud', 'medium', false],
    ['multiple_attempts', 'critical', true],
    ['payment_fraud', 'high', false],
  ])
  expect(readSessionRisk(NOW + 2 * MINUTE)).toMatchObject({ riskScore: 100, isBlocked: true })
})

test('a blocked session may not add small things either, and is free after half an hour', () => {
  for (const minute of [0, 1, 2]) isPaymentSafe(120_000, NOW + minute * MINUTE)
  expect(isPaymentSafe(450, NOW + 10 * MINUTE)).toBe(false)
  expect(isPaymentSafe(450, NOW + 33 * MINUTE)).toBe(true)
})

test('an honest shopper who keeps trying gets through in the end', () => {
  for (const minute of [0, 1, 2]) isPaymentSafe(120_000, NOW + minute * MINUTE)
  const tries = Array.from({ length: 12 }, (_, i) => isPaymentSafe(450, NOW + (6 + i * 6) * MINUTE))
  expect(tries.slice(-3)).toEqual([true, true, true])
})

test('large amounts at a human pace are never blocked', () => {
  for (let minute = 0; minute < 240; minute += 10) expect(isPaymentSafe(120_000, NOW + minute * MINUTE)).toBe(true)
})

test('a session that is blocked for another reason is blocked here', () => {
  for (const severity of ['high', 'high', 'high'] as const)
    recordEvent({ type: 'bot_detected', severity, description: 'No sign of life' }, NOW)
  expect(isPaymentSafe(450, NOW)).toBe(false)
})

test('what does not read as events is no reason to fail', () => {
  kept = 'nonsense'
  expect(isPaymentSafe(450, NOW)).toBe(true)
})

test('every event goes to the shop as a hint, in the specified shape, and silence is no harm', async () => {
  isPaymentSafe(120_000, NOW)
  const [[path, { method, body }]] = ask.mock.calls as [[string, RequestInit]]
  expect([method, path]).toEqual(['POST', '/api/ai/fraud-analysis'])
  const sent = JSON.parse(body as string) as { event: SecurityEvent; sessionContext: object }
  expect(sent.event).toEqual(events()[0])
  expect(sent.sessionContext).toEqual({
    userAgent: navigator.userAgent,
    timestamp: NOW,
    url: 'https://shop.example/categories',
    screenResolution: '390x844',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  expect(analyzeFraud.input.safeParse(sent).success).toBe(true)
})

test('with monitoring turned off the payment check goes on, and tells the shop nothing', () => {
  vi.stubGlobal('localStorage', { getItem: (name: string) => (name === 'security-monitoring' ? 'off' : null) })
  expect([0, 1, 2].map((minute) => isPaymentSafe(120_000, NOW + minute * MINUTE))).toEqual([true, true, false])
  expect(ask).not.toHaveBeenCalled()
})

test('at most ten hints a minute leave the browser', () => {
  for (let i = 0; i < 30; i++)
    recordEvent({ type: 'suspicious_activity', severity: 'low', description: '' }, NOW + 24 * 60 * MINUTE)
  expect(ask).toHaveBeenCalledTimes(10)
})

test('whoever shows the score hears of every event', () => {
  const changed = vi.fn<() => void>()
  const stop = watchRisk(changed)
  isPaymentSafe(120_000, NOW)
  stop()
  isPaymentSafe(120_000, NOW)
  expect(changed).toHaveBeenCalledTimes(1)
})

test('a browser that keeps nothing may buy all the same', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('closed')
    },
  })
  expect(isPaymentSafe(120_000, NOW)).toBe(true)
})
