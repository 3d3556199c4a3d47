import { afterEach, expect, test } from 'vitest'
import { setZone } from './dates.rules.ts'
import { dayOf } from './day.rules.ts'

afterEach(() => setZone(null))

test.each([
  // five past midnight in Auckland is shortly after 11:00 of the day before in London
  ['Pacific/Auckland', '2026-11-18T11:05:00Z', '2026-11-18T11:10:00Z', 'Today'],
  ['Pacific/Auckland', '2026-11-18T10:59:00Z', '2026-11-18T11:10:00Z', 'Yesterday'],
  ['Europe/London', '2026-11-18T10:59:00Z', '2026-11-18T11:10:00Z', 'Today'],
  ['Europe/London', '2026-11-17T00:00:00Z', '2026-11-18T11:10:00Z', 'Yesterday'],
  ['Europe/London', '2026-11-16T23:59:00Z', '2026-11-18T11:10:00Z', 'Nov 16, 2026'],
  ['America/New_York', '2026-11-18T04:59:00Z', '2026-11-18T05:00:00Z', 'Yesterday'],
  // the clock of a device may be ahead
  ['America/New_York', '2026-11-18T05:12:00Z', '2026-11-18T05:10:00Z', 'Today'],
  ['America/New_York', '2025-11-18T05:05:00Z', '2026-11-18T05:10:00Z', 'Nov 18, 2025'],
  // the day before has 23 hours, then 25
  ['America/New_York', '2026-03-08T05:30:00Z', '2026-03-09T04:30:00Z', 'Yesterday'],
  ['America/New_York', '2026-03-08T04:30:00Z', '2026-03-09T04:30:00Z', 'Mar 7, 2026'],
  ['America/New_York', '2026-11-01T04:30:00Z', '2026-11-02T05:30:00Z', 'Yesterday'],
])('shows in %s the time %s at %s as %s', (zone, time, now, text) => {
  setZone(zone)
  expect(dayOf(time, Date.parse(now))).toBe(text)
})
