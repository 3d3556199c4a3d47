import { expect, test } from 'vitest'
import { describePeople, isOpenAt, readHours, whenOpen } from './hours.rules.ts'

const WEEK = 'Mon-Fri 09:00-18:00, Sat 10:00-14:00 Europe/Berlin'

test.each([
  ['Monday at 9:00 in Berlin', '2026-11-23T08:00:00Z', true, 'tomorrow from 9:00 AM (Berlin)'],
  ['a minute before', '2026-11-23T07:59:00Z', false, 'from 9:00 AM (Berlin)'],
  ['Friday at 18:00', '2026-11-27T17:00:00Z', false, 'tomorrow from 10:00 AM (Berlin)'],
  ['Saturday afternoon', '2026-11-28T14:00:00Z', false, 'on Monday from 9:00 AM (Berlin)'],
  ['Sunday', '2026-11-29T12:00:00Z', false, 'tomorrow from 9:00 AM (Berlin)'],
  ['summer time', '2026-07-06T07:00:00Z', true, 'tomorrow from 9:00 AM (Berlin)'],
])('decides if staff answer: %s', (_, at, isOpen, next) => {
  const hours = readHours(WEEK)!
  expect(isOpenAt(hours, new Date(at))).toBe(isOpen)
  expect(whenOpen(hours, new Date(at))).toBe(next)
})

test.each([
  ['closed', WEEK, false, '2026-11-29T12:00:00Z', 'People answer tomorrow from 9:00 AM (Berlin)'],
  ['open', WEEK, false, '2026-11-23T08:00:00Z', 'A person answers within 4 hours'],
  ['closed with staff at work', WEEK, true, '2026-11-29T12:00:00Z', 'A person is here now'],
  ['always open', null, false, '2026-11-29T12:00:00Z', 'A person answers within 4 hours'],
])('describes when staff answer in a store that is %s', (_, week, isHere, at, text) => {
  const hours = week === null ? null : readHours(week)
  expect(describePeople({ isHere, hours, answersWithinHours: 4 }, new Date(at))).toBe(text)
})

test('parses a week that spans Sunday', () => {
  expect(readHours('Fri-Mon 08:30-12:00 UTC')).toEqual({
    zone: 'UTC',
    spans: [{ days: [5, 6, 0, 1], from: 510, to: 720 }],
  })
})

test.each([
  '',
  'always',
  'Mon-Fri 9-18 UTC',
  'Mon-Fri 18:00-09:00 UTC',
  'Mon 09:00-18:00 Mars/Base',
  'Mon 09:00-18:00',
])('rejects %j', (text) => expect(readHours(text)).toBeNull())
