import { formatDay } from './dates.rules.ts'

const DAY_MS = 24 * 3600_000

/** 'Today', 'Yesterday' or the day, in the viewer's time zone. `now` is in milliseconds. */
export function dayOf(iso: string, now: number): string {
  const start = (time: number) => Date.parse(formatDay(new Date(time).toISOString()))
  // rounds, because a day can have 23 or 25 hours
  const days = Math.round((start(now) - start(Date.parse(iso))) / DAY_MS)
  if (days <= 0) return 'Today'
  return days === 1 ? 'Yesterday' : formatDay(iso)
}
