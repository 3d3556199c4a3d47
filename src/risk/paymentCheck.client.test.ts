import { beforeEach, expect, test, vi } from 'vitest'
import { analyzeFraud, type SecurityEvent } from './hints.contract.ts'
import { isPaymentSafe, readSessionRisk, recordEvent, watchRisk } from './paymentCheck.client.ts'

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

test('allows purchases up to 1000 USD and records nothing', () => {
  expect(isPaymentSafe(100_000, NOW)).toBe(true)
  expect(events()).toEqual([])
})

test('allows two large amounts, and blocks the third within five minutes with a reason', () => {
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

test('blocks small amounts too in a blocked session, and lifts the block after half an hour', () => {
  for (const minute of [0, 1, 2]) isPaymentSafe(120_000, NOW + minute * MINUTE)
  expect(isPaymentSafe(450, NOW + 10 * MINUTE)).toBe(false)
  expect(isPaymentSafe(450, NOW + 33 * MINUTE)).toBe(true)
})

test('lets an honest buyer who retries succeed after half an hour', () => {
  for (const minute of [0, 1, 2]) isPaymentSafe(120_000, NOW + minute * MINUTE)
  const tries = Array.from({ length: 12 }, (_, i) => isPaymentSafe(450, NOW + (6 + i * 6) * MINUTE))
  expect(tries.slice(-3)).toEqual([true, true, true])
})

test('never blocks large amounts at a human pace', () => {
  for (let minute = 0; minute < 240; minute += 10) expect(isPaymentSafe(120_000, NOW + minute * MINUTE)).toBe(true)
})

test('blocks a payment in a session that is blocked for another reason', () => {
  for (const severity of ['high', 'high', 'high'] as const)
    recordEvent({ type: 'bot_detected', severity, description: 'No sign of life' }, NOW)
  expect(isPaymentSafe(450, NOW)).toBe(false)
})

test('ignores stored data that is not a list of events', () => {
  kept = 'nonsense'
  expect(isPaymentSafe(450, NOW)).toBe(true)
})

test('sends every event to the shop in the specified shape, and ignores a missing response', async () => {
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

test('checks payments but sends nothing while monitoring is off', () => {
  vi.stubGlobal('localStorage', { getItem: (name: string) => (name === 'security-monitoring' ? 'off' : null) })
  expect([0, 1, 2].map((minute) => isPaymentSafe(120_000, NOW + minute * MINUTE))).toEqual([true, true, false])
  expect(ask).not.toHaveBeenCalled()
})

test('sends at most ten hints a minute', () => {
  for (let i = 0; i < 30; i++)
    recordEvent({ type: 'suspicious_activity', severity: 'low', description: '' }, NOW + 24 * 60 * MINUTE)
  expect(ask).toHaveBeenCalledTimes(10)
})

test('notifies every listener of an event', () => {
  const changed = vi.fn<() => void>()
  const stop = watchRisk(changed)
  isPaymentSafe(120_000, NOW)
  stop()
  isPaymentSafe(120_000, NOW)
  expect(changed).toHaveBeenCalledTimes(1)
})

test('allows purchases in a browser without storage', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new Error('closed')
    },
  })
  expect(isPaymentSafe(120_000, NOW)).toBe(true)
})
