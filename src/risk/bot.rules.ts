// Bot detection from the amount of activity in a session. A quiet phone can look like a bot, so a finding counts once and
// never suffices for a block.

import { RISK_WINDOW, type SecurityEvent, type Sighting } from './risk.rules.ts'

/** Counts since the page was opened. Touches, scrolls and focus changes count as clicks. */
export type Activity = { moves: number; keys: number; clicks: number }

export const still: Activity = { moves: 0, keys: 0, clicks: 0 }

export const CHECK_MS = 15_000
/** Younger sessions are not judged. In milliseconds of visible time. */
const YOUNG_MS = 10_000
const ALIVE = 5

export const scoreActivity = ({ moves, keys, clicks }: Activity): number => moves * 0.3 + keys * 0.4 + clicks * 0.3

export const BOT: Sighting = {
  type: 'bot_detected',
  severity: 'high',
  description: 'Hardly any sign of a person in this session',
}

type Look = {
  activity: Activity
  /** Visible time in milliseconds. */
  seenMs: number
  /** True when there was activity since the last record. */
  isFresh: boolean
  events: SecurityEvent[]
  now: number
}

/** True when the session should be recorded as a bot's: once, and again only after new activity and an expired record. */
export function looksLikeBot({ activity, seenMs, isFresh, events, now }: Look): boolean {
  if (seenMs < YOUNG_MS || scoreActivity(activity) >= ALIVE) return false
  const counted = events.some(({ type, timestamp }) => type === BOT.type && now - timestamp < RISK_WINDOW)
  return isFresh && !counted
}
