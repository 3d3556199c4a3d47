import { type Activity, BOT, CHECK_MS, looksLikeBot, still } from './bot.rules.ts'
import { readEvents, recordEvent } from './paymentCheck.client.ts'

// Checks every 15 s for signs of a person. Pauses while the page is hidden.

const KINDS: Record<string, keyof Activity> = {
  mousemove: 'moves',
  keydown: 'keys',
  click: 'clicks',
  touchstart: 'clicks',
  scroll: 'clicks',
  focusin: 'clicks',
}

/** Starts watching and returns the function that stops it. */
export function watchActivity(): () => void {
  const activity = { ...still }
  let seenMs = 0
  let lookedAt = Date.now()
  // A session without any activity may be recorded once.
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
