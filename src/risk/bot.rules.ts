// Whether somebody is there, from how much a session moves. A quiet phone looks like a bot to the formula, so what is seen
// weighs once and never adds up to a block.

import { RISK_WINDOW, type SecurityEvent, type Sighting } from './risk.rules.ts'

/** What was counted since the page was opened. Touches, scrolls and moves of the focus count as clicks. */
export type Activity = { moves: number; keys: number; clicks: number }

export const still: Activity = { moves: 0, keys: 0, clicks: 0 }

export const CHECK_MS = 15_000
/** Sessions younger than this say nothing yet, in milliseconds in which the page was seen. */
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
  /** How long the page was seen, in milliseconds. */
  seenMs: number
  /** Whether there was a sign of life since the last record. */
  isFresh: boolean
  events: SecurityEvent[]
  now: number
}

/** Whether to record the session as a bot's now: once, then not before there was activity and the first has ceased to count. */
export function looksLikeBot({ activity, seenMs, isFresh, events, now }: Look): boolean {
  if (seenMs < YOUNG_MS || scoreActivity(activity) >= ALIVE) return false
  const counted = events.some(({ type, timestamp }) => type === BOT.type && now - timestamp < RISK_WINDOW)
  return isFresh && !counted
}
