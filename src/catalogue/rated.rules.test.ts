import { expect, test } from 'vitest'
import { describeRated } from './rated.rules.ts'

test.each([
  [12, 0, '4.6 (12)'],
  [9, 7, '4.6 (9 reviews, 7 of them samples)'],
  [2, 1, '4.6 (2 reviews, 1 of them a sample)'],
  [3, 3, '4.6 (3 samples)'],
  [1, 1, '4.6 (1 sample)'],
])('describes %i reviews, of which %i are samples', (reviews, samples, text) => {
  expect(describeRated({ stars: 4.6, reviews, samples })).toBe(text)
})
