import { expect, test } from 'vitest'
import { formatMoment } from '../../localisation/dates.rules.ts'
import { describeReveals } from './case.texts.rules.ts'

test('describes how often the buyer saw a code', () => {
  const [firstAt, lastAt] = ['2026-11-03T10:12:00.000Z', '2026-11-05T09:00:00.000Z']
  expect(describeReveals({ count: 0, firstAt: null, lastAt: null })).toBe('')
  expect(describeReveals({ count: 1, firstAt, lastAt: firstAt })).toBe(
    `The buyer saw it once, on ${formatMoment(firstAt)}.`,
  )
  expect(describeReveals({ count: 3, firstAt, lastAt })).toBe(
    `The buyer saw it 3 times, first on ${formatMoment(firstAt)}, last on ${formatMoment(lastAt)}.`,
  )
})
