import type { SecurityEvent } from './hints.contract.ts'
import { readEvents, recordEvent } from './paymentCheck.client.ts'
import { RISK_WINDOW, type Sighting } from './risk.rules.ts'

// Checks a visible page every 15 s for signs of a person. A quiet phone can look like a bot, so this never blocks
// alone.

/** Counts since the page opened. Touches, scrolls and focus changes count as clicks. */
export type Activity = { moves: number; keys: number; clicks: number }

const still: Activity = { moves: 0, keys: 0, clicks: 0 }

const CHECK_MS = 15_000
/** Minimum age of an evaluated session, in milliseconds of visible time. */
const YOUNG_MS = 10_000
const ALIVE = 5

export const scoreActivity = ({ moves, keys, clicks }: Activity): number => moves * 0.3 + keys * 0.4 + clicks * 0.3

const BOT: Sighting = {
  type: 'bot_detected',
  severity: 'high',
  description: 'Hardly any sign of a person in this session',
}

type Look = {
  activity: Activity
  seenMs: number
  isFresh: boolean
  events: SecurityEvent[]
  now: number
}

/** True if the session must be recorded as a bot's: once, and again only after new activity and an expired record. */
export function looksLikeBot({ activity, seenMs, isFresh, events, now }: Look): boolean {
  if (seenMs < YOUNG_MS || scoreActivity(activity) >= ALIVE) return false
  const counted = events.some(({ type, timestamp }) => type === BOT.type && now - timestamp < RISK_WINDOW)
  return isFresh && !counted
}

const KINDS: Record<string, keyof Activity> = {
  mousemove: 'moves',
  keydown: 'keys',
  click: 'clicks',
  touchstart: 'clicks',
  scroll: 'clicks',
  focusin: 'clicks',
}

export function watchActivity(): () => void {
  const activity = { ...still }
  let seenMs = 0
  let lookedAt = Date.now()
  let isFresh = true

  const count = ({ type }: Event) => {
    activity[KINDS[type]!]++
    isFresh = true
  }
  const turn = () => {
    if (document.hidden) seenMs += Date.now() - lookedAt
    lookedAt = Date.now()
  }
  const look = () => {
    if (document.hidden) return
    const now = Date.now()
    seenMs += now - lookedAt
    lookedAt = now
    if (!looksLikeBot({ activity, seenMs, isFresh, events: readEvents(now), now })) return
    isFresh = false
    recordEvent(BOT, now)
  }

  for (const kind of Object.keys(KINDS)) addEventListener(kind, count, { capture: true, passive: true })
  document.addEventListener('visibilitychange', turn)
  const timer = setInterval(look, CHECK_MS)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', turn)
    for (const kind of Object.keys(KINDS)) removeEventListener(kind, count, { capture: true })
  }
}
