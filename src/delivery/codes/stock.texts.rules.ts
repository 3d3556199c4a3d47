import { formatDay } from '../../localisation/dates.rules.ts'
import { LONGEST_CODE } from './codeLines.rules.ts'
import type { CodeList, CodeState } from './stock.contract.ts'

export const STATE_NAMES: Record<CodeState, string> = {
  free: 'For sale',
  held: 'Reserved',
  sold: 'Sold',
  void: 'Withdrawn',
  expired: 'Expired',
}

const many = (count: number, one: string, more = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

/** 'Two codes are new. 1 line repeats another, 3 codes are in the shop already.' */
export function describeList({ fresh, counts }: CodeList): string {
  const said = [
    counts.repeated > 0 && many(counts.repeated, 'line repeats another', 'lines repeat others'),
    counts.known > 0 && many(counts.known, 'code is in the shop already', 'codes are in the shop already'),
    counts.long > 0 && many(counts.long, 'line is too long', 'lines are too long'),
    counts.signs > 0 &&
      many(counts.signs, 'line has signs that can’t be shown', 'lines have signs that can’t be shown'),
    counts.day > 0 && many(counts.day, 'line has no day that is to come', 'lines have no day that is to come'),
    counts.empty > 0 && many(counts.empty, 'line is empty', 'lines are empty'),
  ].filter((part) => part !== false)
  const head = fresh === 0 ? 'No code is new.' : many(fresh, 'code is new.', 'codes are new.')
  return said.length > 0 ? `${head} ${said.join(', ')}.` : head
}

const WHY: Record<CodeList['problems'][number]['why'], string> = {
  repeated: 'repeats another',
  known: 'is in the shop already',
  empty: 'is empty',
  long: `is longer than ${LONGEST_CODE} characters`,
  signs: 'has signs that can’t be shown',
  day: 'has a day that is over, or not written as 2027-12-31',
}

/** 'Line 3 repeats line 1.' */
export const describeProblem = ({ line, why, before }: CodeList['problems'][number]): string =>
  `Line ${line.toLocaleString('en')} ${before === undefined ? WHY[why] : `repeats line ${before.toLocaleString('en')}`}.`

/** The last day in UTC of a code that is not sold from a moment on. Noon is the same day in nearly every time zone. */
export const lastDayOf = (expiresAt: string): string =>
  formatDay(`${new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10)}T12:00:00Z`)
