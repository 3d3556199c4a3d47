import { send } from '../kit/call.ts'
import { isWatchOn } from '../monitoring/errors/switches.client.ts'
import { analyzeFraud } from './hints.contract.ts'
import type { SecurityEvent } from './risk.rules.ts'

const MINUTE = 60_000
const MOST_A_MINUTE = 10
let told: number[] = []

/** Sends a detected event to the shop unless monitoring is off. A lost hint does no harm. */
export function tellShop(event: SecurityEvent) {
  if (!isWatchOn('security')) return
  told = told.filter((at) => event.timestamp - at < MINUTE)
  if (told.length >= MOST_A_MINUTE) return
  told.push(event.timestamp)
  const sessionContext = {
    userAgent: navigator.userAgent.slice(0, 1000),
    timestamp: event.timestamp,
    url: location.href.slice(0, 2000),
    screenResolution: `${screen.width}x${screen.height}`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  // Uses plain fetch: an expired session must not redirect the page because of a hint.
  const given = { event: { ...event, userAgent: event.userAgent.slice(0, 1000) }, sessionContext }
  send(analyzeFraud, given).catch(() => undefined)
}
