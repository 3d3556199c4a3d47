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

test('uses name how often, gifts how many, and the end comes last', () => {
  const uses = [
    { kind: 'reveal' as const, count: 1, firstAt: AT, lastAt: AT },
    { kind: 'download' as const, count: 3, firstAt: AT, lastAt: '2026-11-21T10:00:00Z' },
  ]
  const steps = stepsOf({ ...SALE, uses, given: 2, closedAt: AT })
  expect(steps.map(({ what }) => what)).toEqual([
    ...['Paid', 'Delivered', 'Codes or key shown', 'Downloaded', 'Given away', 'Closed for the buyer'],
  ])
  expect(steps[3]!.when).toMatch(/, 3 times, last Nov 21/)
  expect(steps[4]!.when).toBe('2 copies')
})
