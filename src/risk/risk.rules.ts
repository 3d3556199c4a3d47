import type { SecurityEvent } from './hints.contract.ts'

// The browser's fraud-risk formulas (specification). The server decides by its own facts.

export type Sighting = Pick<SecurityEvent, 'type' | 'severity' | 'description'>

const MINUTE = 60_000
/** Lifetime of an event in milliseconds. A block ends with its event. */
export const RISK_WINDOW = 30 * MINUTE
const FRAUD_WINDOW = 5 * MINUTE
const MANY_FRAUDS = 3
const LARGE_CENTS = 100_000
const BLOCKED_FROM = 70

const POINTS: Record<SecurityEvent['severity'], number> = { critical: 40, high: 25, medium: 15, low: 5 }

const within = (events: SecurityEvent[], span: number, now: number) =>
  events.filter(({ timestamp }) => now - timestamp < span && timestamp <= now)

export const recentEvents = (events: SecurityEvent[], now: number) => within(events, RISK_WINDOW, now)

/** Returns 0 to 100, from the events of the last 30 minutes. */
export function scoreOf(events: SecurityEvent[], now: number): number {
  const recent = recentEvents(events, now)
  const count = (type: SecurityEvent['type']) => recent.filter((event) => event.type === type).length
  const points = recent.reduce((sum, { severity }) => sum + POINTS[severity], 0)
  const attempts = count('multiple_attempts') > 2 ? 30 : 0
  const suspicions = count('suspicious_activity') > 1 ? 20 : 0
  return Math.min(100, points + attempts + suspicions)
}

/** `isRestricted`: the server blocked the account. The score restricts nothing on the server. */
export function evaluateSession(events: SecurityEvent[], now: number, isRestricted = false) {
  const riskScore = scoreOf(events, now)
  const isBlocked = riskScore >= BLOCKED_FROM
  const recent = recentEvents(events, now)
  const has = ({ type, severity }: Sighting) => recent.some((one) => one.type === type && one.severity === severity)
  const recommendations: string[] = [
    ...(riskScore >= 50 ? ['Enable two-factor authentication'] : []),
    ...(riskScore >= 60 ? ['Verify payment method'] : []),
    ...(has(LARGE) ? ['Verify via email'] : []),
    ...(has(REPEATED) ? ['Temporary account lock recommended'] : []),
    ...(isRestricted ? ['Account temporarily restricted'] : []),
  ]
  return { riskScore, isBlocked, reason: isBlocked ? 'High risk activity detected' : null, recommendations }
}

const LARGE: Sighting = {
  type: 'payment_fraud',
  severity: 'medium',
  description: 'A payment of more than 1000 USD',
}
const REPEATED: Sighting = {
  type: 'multiple_attempts',
  severity: 'critical',
  description: 'Several suspicious payments within five minutes',
}

/** Evaluates the risk of a payment of this many cents. The caller records `seen` before it evaluates the session. */
export function evaluatePayment(cents: number, events: SecurityEvent[], now: number) {
  const isLarge = cents > LARGE_CENTS
  const frauds = within(events, FRAUD_WINDOW, now).filter(({ type }) => type === 'payment_fraud').length
  const isCritical = frauds + Number(isLarge) >= MANY_FRAUDS
  return {
    risk: isCritical ? 'critical' : isLarge ? 'medium' : 'low',
    seen: [...(isLarge ? [LARGE] : []), ...(isCritical ? [REPEATED] : [])],
  }
}
