import type { SalesDay } from './sales.contract.ts'

export type Change = { way: 'up' | 'down' | 'same'; text: string }

const same: Change = { way: 'same', text: 'No change' }

/** Describes the change of an amount or a count, in percent of the former value where both are above zero. */
export function changeOf(now: number, before: number): Change {
  if (now === before) return same
  const way = now > before ? 'up' : 'down'
  const word = way === 'up' ? 'Up' : 'Down'
  if (before === 0) return { way, text: `${word} from none` }
  if (before < 0 || now < 0) return { way, text: word }
  const percent = Math.abs(now - before) / before
  return { way, text: `${word} ${percent < 0.01 ? 'under 1' : Math.round(percent * 100).toLocaleString('en')}%` }
}

/** Describes the change of a percentage in points. Null if one of the values is unknown. */
export function pointsOf(now: number | null, before: number | null): Change | null {
  if (now === null || before === null) return null
  const points = Math.round((now - before) * 10) / 10
  if (points === 0) return same
  const way = points > 0 ? 'up' : 'down'
  const size = Math.abs(points)
  return { way, text: `${way === 'up' ? 'Up' : 'Down'} ${size} point${size === 1 ? '' : 's'}` }
}

/**
 * Returns a share in percent with one decimal. Null if `whole` is 0 or less than `part`. A product can have more sales
 * than views, because buyers can buy from a product card.
 */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 || part > whole ? null : Math.round((part / whole) * 1000) / 10

export const describeShare = (percent: number | null): string => (percent === null ? '–' : `${percent.toFixed(1)}%`)

const DAY_MS = 86_400_000
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export function everyDay(from: string, to: string, sold: SalesDay[]): SalesDay[] {
  const known = new Map(sold.map((day) => [day.day, day]))
  const days: SalesDay[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(known.get(dayAt(at)) ?? { day: dayAt(at), revenue: '0.00', orders: 0 })
  return days
}

/** Returns the top of the scale in cents, at least one dollar. The top and a third of the top are round amounts. */
export function scaleOf(most: number): number {
  const least = Math.max(100, most)
  const power = 10 ** Math.floor(Math.log10(least))
  return [1.2, 1.5, 1.8, 2.4, 3, 4.5, 6, 7.5, 9, 12]
    .map((step) => Math.round(step * power))
    .find((top) => top >= least)!
}

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** '2026-11-22' -> 'Nov 22' */
export const formatUtcDay = (text: string): string => day.format(new Date(text))

/** '2026-10-24', '2026-11-22' -> 'Oct 24 to Nov 22, 2026' */
export function describeDays(from: string, to: string): string {
  const [start, end] = [from.slice(0, 4), to.slice(0, 4)]
  return `${formatUtcDay(from)}${start === end ? '' : `, ${start}`} to ${formatUtcDay(to)}, ${end}`
}

const names = new Intl.DisplayNames(['en'], { type: 'region' })

export const countryName = (code: string): string => (code === '' ? 'Unknown' : (names.of(code) ?? code))
