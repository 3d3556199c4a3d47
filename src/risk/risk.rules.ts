// The browser's fraud-risk formulas (specification). The server relies on its own facts only.

export type Severity = 'low' | 'medium' | 'high' | 'critical'
export type SecurityEventType =
  'payment_fraud' | 'multiple_attempts' | 'suspicious_activity' | 'bot_detected' | 'unusual_location'

export type SecurityEvent = {
  id: string
  type: SecurityEventType
  severity: Severity
  description: string
  /** Milliseconds since 1970. */
  timestamp: number
  blocked: boolean
  userAgent: string
  ipAddress?: string
}

/** A detected event before it gets an id and a time. */
export type Sighting = Pick<SecurityEvent, 'type' | 'severity' | 'description'>

const MINUTE = 60_000
/** How long an event counts, in milliseconds. A block ends with it. */
export const RISK_WINDOW = 30 * MINUTE
const FRAUD_WINDOW = 5 * MINUTE
const MANY_FRAUDS = 3
const LARGE_CENTS = 100_000
export const BLOCKED_FROM = 70

const POINTS: Record<Severity, number> = { critical: 40, high: 25, medium: 15, low: 5 }

const within = (events: SecurityEvent[], span: number, now: number) =>
  events.filter(({ timestamp }) => now - timestamp < span && timestamp <= now)

export const recentEvents = (events: SecurityEvent[], now: number) => within(events, RISK_WINDOW, now)

/** 0 to 100, from the events of the last 30 minutes. */
export function scoreOf(events: SecurityEvent[], now: number): number {
  const recent = recentEvents(events, now)
  const count = (type: SecurityEventType) => recent.filter((event) => event.type === type).length
  const points = recent.reduce((sum, { severity }) => sum + POINTS[severity], 0)
  const attempts = count('multiple_attempts') > 2 ? 30 : 0
  const suspicions = count('suspicious_activity') > 1 ? 20 : 0
  return Math.min(100, points + attempts + suspicions)
}

export type SessionRisk = { riskScore: number; isBlocked: boolean; reason: string | null; recommendations: string[] }

export function judgeSession(events: SecurityEvent[], now: number): SessionRisk {
  const riskScore = scoreOf(events, now)
  const isBlocked = riskScore >= BLOCKED_FROM
  const recommendations = [
    ...(riskScore >= 50 ? ['Enable two-factor authentication'] : []),
    ...(riskScore >= 60 ? ['Verify payment method'] : []),
    ...(isBlocked ? ['Account temporarily restricted'] : []),
  ]
  return { riskScore, isBlocked, reason: isBlocked ? 'High risk activity detected' : null, recommendations }
}

export type PaymentRisk = {
  risk: 'low' | 'medium' | 'critical'
  recommendations: string[]
  /** Events that this check detected itself. The caller records them before it judges the session. */
  seen: Sighting[]
}

/** The risk of paying this many cents now. */
export function judgePayment(cents: number, events: SecurityEvent[], now: number): PaymentRisk {
  const isLarge = cents > LARGE_CENTS
  const frauds = within(events, FRAUD_WINDOW, now).filter(({ type }) => type === 'payment_fraud').length
  const isCritical = frauds + Number(isLarge) >= MANY_FRAUDS
  return {
    risk: isCritical ? 'critical' : isLarge ? 'medium' : 'low',
    recommendations: [
      ...(isLarge ? ['Verify via email'] : []),
      ...(isCritical ? ['Temporary account lock recommended'] : []),
    ],
    seen: [
      ...(isLarge ? [sighting('payment_fraud', 'medium', 'A payment of more than 1000 USD')] : []),
      ...(isCritical
        ? [sighting('multiple_attempts', 'critical', 'Several suspicious payments within five minutes')]
        : []),
    ],
  }
}

const sighting = (type: SecurityEventType, severity: Severity, description: string): Sighting => ({
  type,
  severity,
  description,
})
