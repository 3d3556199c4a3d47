import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SecurityEvent } from './hints.contract.ts'
import { evaluatePayment, evaluateSession, scoreOf } from './risk.rules.ts'

type SecurityEventType = SecurityEvent['type']
type Severity = SecurityEvent['severity']

const NOW = 1_800_000_000_000
const MINUTE = 60_000

const seen = (type: SecurityEventType, severity: Severity, minutesAgo = 0): SecurityEvent => ({
  id: crypto.randomUUID(),
  type,
  severity,
  description: '',
  timestamp: NOW - minutesAgo * MINUTE,
  blocked: severity === 'critical',
  userAgent: 'test',
})
const many = (count: number, ...event: Parameters<typeof seen>) => Array.from({ length: count }, () => seen(...event))

test.each<[string, SecurityEvent[], number]>([
  ['nothing', [], 0],
  ['a low event', [seen('unusual_location', 'low')], 5],
  ['a medium event', [seen('unusual_location', 'medium')], 15],
  ['a high event', [seen('bot_detected', 'high')], 25],
  ['a critical event', [seen('multiple_attempts', 'critical')], 40],
  ['an event of 29 minutes ago', [seen('bot_detected', 'high', 29)], 25],
  ['an event of 30 minutes ago', [seen('bot_detected', 'high', 30)], 0],
  ['two low multiple attempts', many(2, 'multiple_attempts', 'low'), 10],
  ['three low multiple attempts: 30 more', many(3, 'multiple_attempts', 'low'), 45],
  ['one suspicious activity', [seen('suspicious_activity', 'low')], 5],
  ['two suspicious activities: 20 more', many(2, 'suspicious_activity', 'low'), 30],
  ['everything at once, capped', many(9, 'multiple_attempts', 'critical'), 100],
])('scores %s', (_, events, score) => {
  expect(scoreOf(events, NOW)).toBe(score)
})

test.each<[number, SecurityEvent[], string[], string | null]>([
  [45, many(3, 'unusual_location', 'medium'), [], null],
  [50, many(2, 'bot_detected', 'high'), ['Enable two-factor authentication'], null],
  [60, many(4, 'unusual_location', 'medium'), ['Enable two-factor authentication', 'Verify payment method'], null],
  [
    70,
    [...many(2, 'bot_detected', 'high'), ...many(4, 'bot_detected', 'low')],
    ['Enable two-factor authentication', 'Verify payment method'],
    'High risk activity detected',
  ],
])('recommends the right steps at a score of %i', (riskScore, events, recommendations, reason) => {
  expect(evaluateSession(events, NOW)).toEqual({ riskScore, recommendations, reason, isBlocked: riskScore >= 70 })
})

test('shows the account as restricted only if the server restricts it', () => {
  const risky = many(9, 'bot_detected', 'high')
  expect(evaluateSession(risky, NOW).recommendations).not.toContain('Account temporarily restricted')
  expect(evaluateSession([], NOW, true).recommendations).toEqual(['Account temporarily restricted'])
})

test.each<[string, number, SecurityEvent[], string, SecurityEventType[]]>([
  ['a small amount', 450, [], 'low', []],
  ['exactly 1000 USD', 100_000, [], 'low', []],
  ['a cent more', 100_001, [], 'medium', ['payment_fraud']],
  ['a second large amount', 120_000, many(1, 'payment_fraud', 'medium', 1), 'medium', ['payment_fraud']],
  [
    'a third within five minutes',
    120_000,
    many(2, 'payment_fraud', 'medium', 4),
    'critical',
    ['payment_fraud', 'multiple_attempts'],
  ],
  ['a third after five minutes', 120_000, many(2, 'payment_fraud', 'medium', 5), 'medium', ['payment_fraud']],
  ['a small amount after three', 450, many(3, 'payment_fraud', 'medium', 4), 'critical', ['multiple_attempts']],
  ['a small amount after other events', 450, many(5, 'bot_detected', 'high', 1), 'low', []],
])('evaluates a payment: %s', (_, cents, events, risk, recorded) => {
  const judged = evaluatePayment(cents, events, NOW)
  expect(judged.risk).toBe(risk)
  expect(judged.seen.map(({ type }) => type)).toEqual(recorded)
  const added = judged.seen.map(({ type, severity }) => seen(type, severity))
  const { recommendations } = evaluateSession(added, NOW)
  expect(recommendations.includes('Verify via email')).toBe(cents > 100_000)
  expect(recommendations.includes('Temporary account lock recommended')).toBe(risk === 'critical')
})

test('keeps every score within 0 to 100 and returns 0 after half an hour without events', () => {
  const event = fc.record({
    type: fc.constantFrom<SecurityEventType>(
      'payment_fraud',
      'multiple_attempts',
      'suspicious_activity',
      'bot_detected',
    ),
    severity: fc.constantFrom<Severity>('low', 'medium', 'high', 'critical'),
    minutesAgo: fc.double({ min: 0, max: 90, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(event), (given) => {
      const events = given.map(({ type, severity, minutesAgo }) => seen(type, severity, minutesAgo))
      const score = scoreOf(events, NOW)
      expect(score).toBeGreaterThanOrEqual(0)
      expect(score).toBeLessThanOrEqual(100)
      expect(scoreOf(events, NOW + 30 * MINUTE)).toBe(0)
    }),
  )
})
