import { plural } from '../../localisation/plural.rules.ts'
import type { OpenItem } from './waiting.contract.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** '6 min', '3 h', '2 days' */
export function spanText(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.floor(ms / MINUTE_MS))} min`
  if (ms < 2 * DAY_MS) return `${Math.floor(ms / HOUR_MS)} h`
  return plural(Math.floor(ms / DAY_MS), 'day')
}

/** Staff answer within a day, so an item is late after it. A due item is late on its last day. */
export function ageOf({ since, dueAt }: Pick<OpenItem, 'since' | 'dueAt'>, now: number) {
  if (dueAt === null) {
    const waited = now - Date.parse(since)
    return { text: `Waiting for ${spanText(waited)}`, isLate: waited >= DAY_MS }
  }
  const left = Date.parse(dueAt) - now
  return left > 0
    ? { text: `${spanText(left)} left`, isLate: left <= DAY_MS }
    : { text: `Overdue by ${spanText(-left)}`, isLate: true }
}
