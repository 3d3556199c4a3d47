import { expect, test } from 'vitest'
import { formatClock, formatDay, formatMoment } from './dates.rules.ts'
import { formatBytes } from './sizes.rules.ts'

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

test('formats dates as in a letter and times on a 12-hour clock', () => {
  const afternoon = new Date(2026, 10, 18, 14, 1)
  expect(formatDay(afternoon.toISOString())).toBe('Nov 18, 2026')
  expect(formatMoment(afternoon.toISOString())).toMatch(/^Nov 18, 2:01\sPM$/)
  expect(formatClock(afternoon.getTime())).toMatch(/^2:01\sPM$/)
})
