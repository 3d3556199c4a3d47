import { expect, test } from 'vitest'
import { describeOpening, openingLater } from './lessonDates.rules.ts'

const on = (opensOn: string) => ({ title: opensOn, opensOn, opensAfterDays: null })
const after = (opensAfterDays: number) => ({ title: `${opensAfterDays}`, opensOn: null, opensAfterDays })

test('lists lessons that open days after the purchase or on a later date', () => {
  const later = [on('2026-11-26'), on('2026-11-27'), on('2026-11-28'), after(7)]
  const shown = openingLater({ count: 9, free: null, later }, '2026-11-27')
  expect(shown.map(({ title }) => title)).toEqual(['2026-11-28', '7'])
})

test.each([
  [on('2027-01-05'), 'Opens Jan 5, 2027'],
  [after(1), 'Opens 1 day after you buy'],
  [after(30), 'Opens 30 days after you buy'],
])('describes when %o opens', (lesson, text) => {
  expect(describeOpening(lesson)).toBe(text)
})
