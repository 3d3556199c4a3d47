import { within } from './chat/chat.rules.ts'

// Parses working hours: 'Mon-Fri 09:00-18:00 Europe/Berlin'. Commas separate several parts before the time zone.

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const PART = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)(?:-(Sun|Mon|Tue|Wed|Thu|Fri|Sat))? (\d\d):(\d\d)-(\d\d):(\d\d)$/

/** `from` and `to` are minutes of the day. */
export type Hours = { zone: string; spans: { days: number[]; from: number; to: number }[] }

export function readHours(text: string): Hours | null {
  const [, parts = '', zone = ''] = /^(.+) ([A-Z][\w+-]*(?:\/[\w+-]+)*)$/.exec(text.trim()) ?? []
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
  } catch {
    return null
  }
  const spans = parts.split(/,\s*/).map((part) => {
    const [, first, last, ...times] = PART.exec(part) ?? []
    if (!first) return null
    const [fromHour, fromMinute, toHour, toMinute] = times.map(Number) as [number, number, number, number]
    const start = DAYS.indexOf(first as 'Sun')
    const end = DAYS.indexOf((last ?? first) as 'Sun')
    const days = Array.from({ length: ((end - start + 7) % 7) + 1 }, (_, i) => (start + i) % 7)
    const [from, to] = [fromHour * 60 + fromMinute, toHour * 60 + toMinute]
    return from < to && to <= 24 * 60 ? { days, from, to } : null
  })
  return zone && spans.every((span) => span !== null) && spans.length > 0 ? { zone, spans } : null
}

function clockAt(zone: string, at: Date): { day: number; minutes: number } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const of = (type: string) => parts.find((part) => part.type === type)!.value
  return { day: DAYS.indexOf(of('weekday') as 'Sun'), minutes: Number(of('hour')) * 60 + Number(of('minute')) }
}

export function isOpenAt({ zone, spans }: Hours, at: Date): boolean {
  const { day, minutes } = clockAt(zone, at)
  return spans.some(({ days, from, to }) => days.includes(day) && minutes >= from && minutes < to)
}

/** 'A person is here now', 'A person answers within 4 hours', 'People answer tomorrow from 9:00 AM (Berlin)' */
export function describePeople(
  { isHere, hours, answersWithinHours }: { isHere: boolean; hours: Hours | null; answersWithinHours: number },
  at: Date,
): string {
  if (isHere) return 'A person is here now'
  return hours && !isOpenAt(hours, at)
    ? `People answer ${whenOpen(hours, at)}`
    : `A person answers ${within(answersWithinHours)}`
}

/** 'from 9:00 AM', 'tomorrow from 9:00 AM', 'on Monday from 9:00 AM', in the shop's time zone. */
export function whenOpen({ zone, spans }: Hours, at: Date): string {
  const { day, minutes } = clockAt(zone, at)
  for (let ahead = 0; ahead <= 7; ahead++) {
    const then = (day + ahead) % 7
    const [next] = spans
      .filter(({ days, from }) => days.includes(then) && (ahead > 0 || from > minutes))
      .toSorted((a, b) => a.from - b.from)
    if (!next) continue
    const hour = Math.floor(next.from / 60)
    const time = `${hour % 12 || 12}:${String(next.from % 60).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
    const zoneName = zone === 'UTC' ? 'UTC' : zone.split('/').at(-1)!.replaceAll('_', ' ')
    const which = ahead === 0 ? '' : ahead === 1 ? 'tomorrow ' : `on ${NAMES[then]} `
    return `${which}from ${time} (${zoneName})`
  }
  return 'soon'
}
