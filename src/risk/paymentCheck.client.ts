import { toastProof } from '../ui/toast.client.ts'
import {
  judgePayment,
  judgeSession,
  recentEvents,
  type SecurityEvent,
  type SessionRisk,
  type Sighting,
} from './risk.rules.ts'
import { tellShop } from './tellShop.client.ts'

// The session's events, in this browser only and for half an hour. Loaded when the first product is added.

const PLACE = 'security-events'
const watchers = new Set<() => void>()

/** Hears of every event, for whatever shows the score. */
export function watchRisk(changed: () => void): () => void {
  watchers.add(changed)
  return () => watchers.delete(changed)
}

export function readEvents(now: number): SecurityEvent[] {
  try {
    return recentEvents(JSON.parse(sessionStorage.getItem(PLACE) ?? '[]') as SecurityEvent[], now)
  } catch {
    // somebody else's words stand there
    return []
  }
}

export function recordEvent(sighting: Sighting, now = Date.now()) {
  const event: SecurityEvent = {
    ...sighting,
    id: crypto.randomUUID(),
    timestamp: now,
    blocked: sighting.severity === 'critical',
    userAgent: navigator.userAgent,
  }
  try {
    sessionStorage.setItem(PLACE, JSON.stringify([...readEvents(now), event]))
  } catch {
    // storage is closed: nothing is remembered, and nobody is kept from buying for that
  }
  for (const tell of watchers) tell()
  tellShop(event)
}

/** Who has shown who they are is not held to what this browser has seen before. */
function forgetEvents() {
  sessionStorage.removeItem(PLACE)
  for (const tell of watchers) tell()
}

/** The session's score as it is now. */
export const readSessionRisk = (now = Date.now()): SessionRisk => judgeSession(readEvents(now), now)

const BLOCKED: Sighting = {
  type: 'payment_fraud',
  severity: 'high',
  description: 'A product was not added: the payment check did not pass',
}

/** Whether an amount may be bought now, in cents of US dollars. What was seen on the way is recorded. */
export function isPaymentSafe(cents: number, now = Date.now()): boolean {
  const { risk, seen } = judgePayment(cents, readEvents(now), now)
  for (const sighting of seen) recordEvent(sighting, now)
  if (risk !== 'critical' && !readSessionRisk(now).isBlocked) return true
  // once in half an hour: trying again and again must not keep an honest shopper out for ever
  const isKnown = readEvents(now).some(({ description }) => description === BLOCKED.description)
  if (!isKnown) recordEvent(BLOCKED, now)
  return false
}

/** The same, and a word to the customer when it may not. */
export function checkPayment(cents: number): boolean {
  const isSafe = isPaymentSafe(cents)
  if (!isSafe) toastProof(forgetEvents)
  return isSafe
}
