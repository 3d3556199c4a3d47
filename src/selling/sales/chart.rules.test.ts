import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changeOf,
  countryName,
  describeDays,
  describeShare,
  everyDay,
  formatUtcDay,
  pointsOf,
  scaleOf,
  shareOf,
} from './chart.rules.ts'

test.each([
  [118, 100, 'up', 'Up 18%'],
  [50, 100, 'down', 'Down 50%'],
  [0, 100, 'down', 'Down 100%'],
  [5, 0, 'up', 'Up from none'],
  [0, 0, 'same', 'No change'],
  [1001, 1000, 'up', 'Up under 1%'],
  [10_000, 1, 'up', 'Up 999,900%'],
  [-500, 0, 'down', 'Down from none'],
  [-500, 1000, 'down', 'Down'],
  [1000, -500, 'up', 'Up'],
  [-200, -500, 'up', 'Up'],
])('describes the change to %i from %i as %s: %s', (now, before, way, text) => {
  expect(changeOf(now, before)).toEqual({ way, text })
})

test.each([
  [3.1, 2.7, { way: 'up', text: 'Up 0.4 points' }],
  [0, 2, { way: 'down', text: 'Down 2 points' }],
  [2, 1, { way: 'up', text: 'Up 1 point' }],
  [3, 3, { way: 'same', text: 'No change' }],
  [null, 3, null],
  [3, null, null],
])('describes the change to %j percent from %j percent', (now, before, change) => {
  expect(pointsOf(now, before)).toEqual(change)
})

test.each([
  [3, 100, '3.0%'],
  [1, 3, '33.3%'],
  [0, 9, '0.0%'],
  [9, 3, '–'],
  [1, 0, '–'],
])('describes the share of %i in %i as %s', (part, whole, text) => {
  expect(describeShare(shareOf(part, whole))).toBe(text)
})

test('fills days without a sale, also across the end of a month and a clock change', () => {
  const sold = { day: '2026-10-31', revenue: '4.00', orders: 1 }
  expect(everyDay('2026-10-30', '2026-11-02', [sold])).toEqual([
    { day: '2026-10-30', revenue: '0.00', orders: 0 },
    sold,
    { day: '2026-11-01', revenue: '0.00', orders: 0 },
    { day: '2026-11-02', revenue: '0.00', orders: 0 },
  ])
  expect(everyDay('2025-11-23', '2026-11-22', [])).toHaveLength(365)
})

test('the scale covers each amount and ends at most at twice the amount', () => {
  expect([0, 5800, 100, 101, 999_99].map(scaleOf)).toEqual([120, 6000, 120, 120, 120_000])
  fc.assert(
    fc.property(fc.integer({ min: 101, max: 10 ** 13 }), (most) => {
      const top = scaleOf(most)
      expect(top).toBeGreaterThanOrEqual(most)
      expect(top).toBeLessThanOrEqual(2 * most)
    }),
  )
})

test('formats days and names of countries', () => {
  expect(formatUtcDay('2026-11-01')).toBe('Nov 1')
  expect(describeDays('2026-10-24', '2026-11-22')).toBe('Oct 24 to Nov 22, 2026')
  expect(describeDays('2025-11-23', '2026-11-22')).toBe('Nov 23, 2025 to Nov 22, 2026')
  expect([countryName('DE'), countryName(''), countryName('QQ')]).toEqual(['Germany', 'Unknown', 'QQ'])
})
