import { expect, test } from 'vitest'
import { averageOf, countOf, describeProduct, describeStore, formatCount, moveStars } from './rating.rules.ts'

test.each([
  [3, 0, '3 reviews of this product'],
  [1, 1, '1 review of this product, from sample reviews'],
  [126, 124, '126 reviews of this product, 124 are samples'],
])('marks the samples among %i reviews of a product: %s', (count, samples, text) => {
  expect(describeProduct(count, samples)).toBe(text)
})

test.each([
  [[0, 0, 4, 17, 103], '4.8', '124 reviews'],
  [[0, 0, 0, 0, 1], '5.0', '1 review'],
  [[1, 0, 0, 0, 1], '3.0', '2 reviews'],
  [[0, 0, 0, 0, 0], null, '0 reviews'],
  [[0, 0, 0, 0, 12_000], '5.0', '12,000 reviews'],
])('the counts %j average %s from %s', (counts, average, count) => {
  expect(averageOf(counts)).toBe(average)
  expect(formatCount(countOf(counts))).toBe(count)
})

test.each([
  [10, 0, 'the store’s rating'],
  [124, 124, 'the store’s rating, from sample reviews'],
  [126, 124, 'the store’s rating, 124 are samples'],
])('of %i reviews %i are samples: %s', (count, samples, text) => {
  expect(describeStore(count, samples)).toBe(text)
})

test('a written, edited or deleted review updates the counts of product and store', () => {
  const rating = { product: [0, 0, 0, 0, 1], store: [0, 0, 0, 1, 9], samples: 3, productSamples: 0 }
  const written = moveStars(rating, null, 2)
  expect(written).toEqual({ product: [0, 1, 0, 0, 1], store: [0, 1, 0, 1, 9], samples: 3, productSamples: 0 })
  const changed = moveStars(written, 2, 5)
  expect(changed).toEqual({ product: [0, 0, 0, 0, 2], store: [0, 0, 0, 1, 10], samples: 3, productSamples: 0 })
  expect(moveStars(changed, 5, null)).toEqual(rating)
})
