import { send } from '../kit/call.ts'
import { isWatchOn } from '../monitoring/errors/switches.client.ts'
import { analyzeFraud } from './hints.contract.ts'
import type { SecurityEvent } from './risk.rules.ts'

const MINUTE = 60_000
const MOST_A_MINUTE = 10
let told: number[] = []

/** Tells the shop what was seen, unless monitoring is off. It is a hint: when it does not arrive, nothing is said. */
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
  // past the usual call: a session that has ended is no reason to leave the page for this
  const given = { event: { ...event, userAgent: event.userAgent.slice(0, 1000) }, sessionContext }
  send(analyzeFraud, given).catch(() => undefined)
}
