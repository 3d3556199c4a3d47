import { plural } from '../../../localisation/plural.rules.ts'
import type { OutlinePart } from '../outline.contract.ts'

type Timed = Pick<OutlinePart, 'minutes' | 'seconds'>

/** Formats '1 min', '45 min' or '2 h 10 min'. */
function formatLength(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ')
}

/** Returns the length of lessons: '45 min', or 'more than 45 min' if the length of a recording is unknown. */
export function describeLength(parts: Timed[]): string {
  const known = parts.reduce((sum, { minutes, seconds }) => sum + minutes * 60 + (seconds ?? 0), 0)
  const isWhole = parts.every(({ seconds }) => seconds !== null)
  if (known === 0) return isWhole ? '' : 'length not known'
  return isWhole ? formatLength(known) : `more than ${formatLength(known)}`
}

/** Formats '12 lessons, 2 h 10 min'. */
export const describeLessons = (lessons: Timed[]): string =>
  [plural(lessons.length, 'lesson'), describeLength(lessons)].filter(Boolean).join(', ')
