import { expect, test } from 'vitest'
import { stepsOf } from './delivered.rules.ts'

const AT = '2026-11-20T10:00:00Z'
const SALE = { soldAt: AT, deliveredAt: AT, closedAt: null, given: 0, uses: [], state: 'paid' as const }

test('a sale that nobody opened says so', () => {
  expect(stepsOf(SALE).map(({ what }) => what)).toEqual(['Paid', 'Delivered', 'Not opened yet'])
  expect(stepsOf({ ...SALE, deliveredAt: null, state: 'free' }).map(({ what }) => what)).toEqual([
    'Taken for free',
    'Not opened yet',
  ])
})

test('shows who used a copy and how often, the number of gifts, and the end last', () => {
  const uses = [
    { kind: 'reveal' as const, isGift: true, count: 4, days: 2, firstAt: AT, lastAt: '2026-11-21T10:00:00Z' },
    { kind: 'download' as const, isGift: false, count: 3, days: 3, firstAt: AT, lastAt: '2026-11-22T10:00:00Z' },
    { kind: 'read' as const, isGift: false, count: 2, days: 1, firstAt: AT, lastAt: AT },
  ]
  const steps = stepsOf({ ...SALE, uses, given: 2, closedAt: AT })
  expect(steps.map(({ what }) => what)).toEqual([
    ...['Paid', 'Delivered', 'Codes or key revealed by the recipient of a gift', 'Downloaded'],
    'Opened to read or watch',
    ...['Given away', 'Closed for the buyer'],
  ])
  expect(steps[2]!.when).toMatch(/, 4 times, last Nov 21/)
  expect(steps[3]!.when).toMatch(/, on 3 days, last Nov 22/)
  expect(steps[4]!.when).not.toContain('last')
  expect(steps[5]!.when).toBe('2 copies')
})
