import { formatDay } from '../../localisation/dates.rules.ts'
import { type CodePart, type Column, MAX_CODE_LENGTH, MAX_PART_LENGTH } from './codeLines.rules.ts'
import { CODE_STATES, type CodeList, type CodeState, type CodeStock, LINE_PROBLEMS } from './stock.contract.ts'

export const STATE_NAMES: Record<CodeState, string> = {
  free: 'For sale',
  held: 'Reserved',
  sold: 'Sold',
  void: 'Withdrawn',
  expired: 'Expired',
}

const many = (count: number, one: string, more = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

type Share = { state: CodeState; count: number; /** From 0 to 1. */ share: number }

/** The states that have codes. */
export function sharesOf(counts: CodeStock['counts']): Share[] {
  const all = CODE_STATES.reduce((sum, state) => sum + counts[state], 0)
  return CODE_STATES.filter((state) => counts[state] > 0).map((state) => ({
    state,
    count: counts[state],
    share: counts[state] / all,
  }))
}

/** Formats '100 codes: 60 for sale, 40 sold.' */
export function describeShares(counts: CodeStock['counts']): string {
  const shares = sharesOf(counts)
  const all = shares.reduce((sum, { count }) => sum + count, 0)
  const parts = shares.map(({ state, count }) => `${count.toLocaleString('en')} ${STATE_NAMES[state].toLowerCase()}`)
  return `${many(all, 'code')}: ${parts.join(', ')}.`
}

/** Formats a share. Shows '<1%' and '>99%' instead of a rounded 0 % or 100 %. */
export function describePercent(share: number): string {
  const percent = Math.round(share * 100)
  if (percent === 0 && share > 0) return '<1%'
  return percent === 100 && share < 1 ? '>99%' : `${percent}%`
}

/** Formats 'Two codes are new. 1 line repeats another, 3 codes are in the shop already.' */
export function describeList({ fresh, counts }: CodeList): string {
  const said = [
    counts.repeated > 0 && many(counts.repeated, 'line repeats another', 'lines repeat others'),
    counts.known > 0 && many(counts.known, 'code is in the shop already', 'codes are in the shop already'),
    counts.long > 0 && many(counts.long, 'line is too long', 'lines are too long'),
    counts.signs > 0 &&
      many(counts.signs, 'line has characters that can’t be shown', 'lines have characters that can’t be shown'),
    counts.day > 0 && many(counts.day, 'line has no day that is to come', 'lines have no day that is to come'),
    counts.pin > 0 && many(counts.pin, 'line has no PIN', 'lines have no PIN'),
    counts.empty > 0 && many(counts.empty, 'line is empty', 'lines are empty'),
  ].filter((part) => part !== false)
  const head = fresh === 0 ? 'No code is new.' : many(fresh, 'code is new.', 'codes are new.')
  return said.length > 0 ? `${head} ${said.join(', ')}.` : head
}

const WHY: Record<CodeList['problems'][number]['why'], string> = {
  repeated: 'repeats another',
  known: 'is in the shop already',
  empty: 'is empty',
  long: `is longer than ${MAX_CODE_LENGTH} characters, or its PIN or serial number than ${MAX_PART_LENGTH}`,
  pin: 'has no PIN',
  signs: 'has characters that can’t be shown',
  day: 'has a day in the past, or one that is not written as 2027-12-31',
}

const PART_NAMES: Record<CodePart, string> = {
  code: 'number',
  pin: 'PIN',
  serial: 'serial number',
  day: 'last day',
}

const nameOf = ({ name }: Column) => (/^\d+$/.test(name) ? `column ${name}` : `“${name}”`)
const listOf = (names: string[]) => new Intl.ListFormat('en').format(names)

/** Formats 'Buyers get “code” as the number and “pin” as the PIN. Not imported: “batch”.' Empty without columns. */
export function describeColumns(columns: Column[]): string {
  if (columns.length === 0) return ''
  const taken = columns.flatMap(({ as, ...column }) =>
    as === null || as === 'day' ? [] : [`${nameOf({ as, ...column })} as the ${PART_NAMES[as]}`],
  )
  const day = columns.find(({ as }) => as === 'day')
  const left = columns.filter(({ as, name }) => as === null && name !== '')
  return [
    `Buyers get ${listOf(taken)}.`,
    day && `${nameOf(day)[0]!.toUpperCase()}${nameOf(day).slice(1)} is the last day of sale.`,
    left.length > 0 && `Not imported: ${listOf(left.map(nameOf))}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

export const describeProblem = ({ line, why, before }: CodeList['problems'][number]): string =>
  `Line ${line.toLocaleString('en')} ${before === undefined ? WHY[why] : `repeats line ${before.toLocaleString('en')}`}.`

const MAX_SENTENCES = 3
const MAX_RANGES = 5

/** Formats 'Lines 2 to 101 are in the shop already.' Up to three lines with the same problem get a sentence each. */
export function describeProblems({ problems, counts }: Pick<CodeList, 'problems' | 'counts'>): string[] {
  return LINE_PROBLEMS.flatMap((why) => {
    const same = problems.filter((problem) => problem.why === why)
    const hidden = counts[why] - same.length
    if (same.length <= MAX_SENTENCES) return same.map(describeProblem)
    const ranges = rangesOf(same.map(({ line }) => line))
    const rest = ranges.slice(MAX_RANGES).reduce((sum, [from, to]) => sum + to - from + 1, hidden)
    const named = ranges
      .slice(0, MAX_RANGES)
      .map(([from, to]) => (from === to ? count(from) : `${count(from)} to ${count(to)}`))
    return [`Lines ${listOf(rest > 0 ? [...named, `${count(rest)} more`] : named)} ${WHY_MANY[why]}.`]
  })
}

const count = (line: number) => line.toLocaleString('en')

const WHY_MANY: typeof WHY = {
  repeated: 'repeat others',
  known: 'are in the shop already',
  empty: 'are empty',
  long: WHY.long.replace('is longer', 'are longer').replace('its PIN', 'their PIN'),
  signs: 'have characters that can’t be shown',
  day: 'have a day in the past, or one that is not written as 2027-12-31',
  pin: 'have no PIN',
}

function rangesOf(lines: number[]): [from: number, to: number][] {
  const ranges: [number, number][] = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last && line === last[1] + 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}

/** Returns the last day in UTC before a code expires. Noon is on the same day in nearly every time zone. */
export const lastDayOf = (expiresAt: string): string =>
  formatDay(`${new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10)}T12:00:00Z`)
