type Formats = Record<'day' | 'moment' | 'clock' | 'hour', Intl.DateTimeFormat>

const formatsOf = (timeZone?: string): Formats => {
  const make = (parts: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-US', { timeZone, ...parts })
  return {
    day: make({ month: 'short', day: 'numeric', year: 'numeric' }),
    moment: make({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
    clock: make({ hour: 'numeric', minute: '2-digit' }),
    hour: make({ hour: 'numeric', hourCycle: 'h23' }),
  }
}

const MOST_ZONES = 50
const known = new Map<string, Formats>()
let formats = formatsOf()

/** Makes all dates those of a time zone; false for an unknown one. */
export function setZone(zone: string): boolean {
  try {
    formats = known.get(zone) ?? formatsOf(zone)
  } catch {
    return false
  }
  // the zone of the last page stays longest
  known.delete(zone)
  known.set(zone, formats)
  if (known.size > MOST_ZONES) known.delete(known.keys().next().value!)
  return true
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** 0 to 23. */
export const hourAt = (time: number): number => Number(formats.hour.format(time))

/** 'Nov 18, 2026' */
export const formatDay = (iso: string): string => formats.day.format(new Date(iso))

/** 'Nov 18, 2:01 PM' */
export const formatMoment = (iso: string): string => formats.moment.format(new Date(iso))

/** '2:01 PM', from milliseconds since 1970. */
export const formatClock = (time: number): string => formats.clock.format(time)
