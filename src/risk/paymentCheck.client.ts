import { tabStorage } from '../kit/storage.client.ts'
import { createWatchers } from '../kit/store.client.ts'
import { toastProof } from '../identity/toastFailure.client.ts'
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
const { notify, watch } = createWatchers()

/** Runs at every event. */
export const watchRisk = watch

export function readEvents(now: number): SecurityEvent[] {
  try {
    return recentEvents((tabStorage.readJson(PLACE) ?? []) as SecurityEvent[], now)
  } catch {
    // another script has written there
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
  tabStorage.writeJson(PLACE, [...readEvents(now), event])
  notify()
  tellShop(event)
}

/** Who has shown who they are is not held to what this browser has seen before. */
function forgetEvents() {
  tabStorage.write(PLACE, null)
  notify()
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
