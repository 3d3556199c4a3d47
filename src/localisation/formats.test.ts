import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { formatClock, formatDay, formatMoment, hourAt, setZone } from './dates.rules.ts'
import { formatBytes } from './sizes.rules.ts'

afterEach(() => setZone(null))

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KB'],
  [3_250_585, '3.1 MB'],
  [104_857_600, '100 MB'],
  [2.6 * 1024 ** 3, '2.6 GB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('formats dates as Nov 18, 2026 and times on a 12-hour clock', () => {
  const afternoon = new Date(2026, 10, 18, 14, 1)
  expect(formatDay(afternoon.toISOString())).toBe('Nov 18, 2026')
  expect(formatMoment(afternoon.toISOString())).toMatch(/^Nov 18, 2:01\sPM$/)
  expect(formatClock(afternoon.getTime())).toMatch(/^2:01\sPM$/)
})

test('formats dates and times of a zone as Intl does', () => {
  const zones = fc.constantFrom('UTC', 'Asia/Tokyo', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Apia')
  fc.assert(
    fc.property(zones, fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (timeZone, date) => {
      setZone(timeZone)
      const intl = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(date)
      const [month, day, hour] = [
        { month: 'short' },
        { day: 'numeric' },
        { hour: 'numeric', minute: '2-digit' },
      ] as const
      expect(formatDay(date.toISOString())).toBe(intl({ ...month, ...day, year: 'numeric' }))
      expect(formatMoment(date.toISOString())).toBe(intl({ ...month, ...day, ...hour }))
      expect(formatClock(date.getTime())).toBe(intl(hour))
      expect(hourAt(date.getTime())).toBe(Number(intl({ hour: 'numeric', hourCycle: 'h23' })))
    }),
    { numRuns: 50 },
  )
  expect(() => setZone('Nowhere/Else')).toThrow(RangeError)
})
