import { dropOldest } from '../kit/values/dropOldest.ts'
/** A local date and time. `month` counts from 0. */
type Parts = Record<'year' | 'month' | 'day' | 'hour' | 'minute', number>

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// Does not use Intl.DateTimeFormat, because its first use takes the browser 20 ms or more.
const partsHere = (time: number): Parts => {
  const date = new Date(time)
  return {
    year: date.getFullYear(),
    month: date.getMonth(),
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
  }
}

function partsIn(timeZone: string): (time: number) => Parts {
  const numeric = 'numeric' as const
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric }
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields })
  return (time) => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(time)) parts[type] = Number(value)
    const { year = NaN, month = NaN, day = NaN, hour = NaN, minute = NaN } = parts
    return { year, month: month - 1, day, hour, minute }
  }
}

const MAX_ZONES = 50
const known = new Map<string, (time: number) => Parts>()
let partsOf = partsHere

/** Sets the time zone of all dates; null is the device's. Throws a RangeError for an unknown zone. */
export function setZone(zone: string | null) {
  if (zone === null) return void (partsOf = partsHere)
  partsOf = known.get(zone) ?? partsIn(zone)
  // re-inserts the zone, so that the most recently used zone is evicted last
  known.delete(zone)
  known.set(zone, partsOf)
  if (known.size > MAX_ZONES) dropOldest(known)
}

const day = ({ month, day }: Parts) => `${MONTHS[month]} ${day}`

const clock = ({ hour, minute }: Parts) =>
  `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`

const partsAt = (iso: string) => partsOf(Date.parse(iso))

export const hourAt = (time: number): number => partsOf(time).hour

/** 'Nov 18, 2026' */
export const formatDay = (iso: string): string => {
  const parts = partsAt(iso)
  return `${day(parts)}, ${parts.year}`
}

/** 'Nov 18, 2:01 PM' */
export const formatMoment = (iso: string): string => {
  const parts = partsAt(iso)
  return `${day(parts)}, ${clock(parts)}`
}

/** '2:01 PM', from milliseconds since 1970. */
export const formatClock = (time: number): string => clock(partsOf(time))
