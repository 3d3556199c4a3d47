import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quantile, type Rated, suggestFrom } from './nearest.rules.ts'

const rated = (categoryId: string, cents: number, meaning: number, words = 0): Rated => ({
  ...{ id: `${categoryId}-${cents}`, title: `${categoryId} ${cents}`, categoryId, category: categoryId.toUpperCase() },
  ...{ cents, meaning, words },
})

test('suggests the category of the nearest products instead of the most frequent one', () => {
  const found = suggestFrom([rated('a', 500, 0.9, 0.8), ...[1, 2, 3].map((n) => rated('b', n * 100, 0.4))])
  expect(found).toMatchObject({ category: 'A', median: 500, products: 1, nearest: [{ title: 'a 500', cents: 500 }] })
})

test('returns null if no product is similar', () => {
  expect(suggestFrom([rated('a', 100, 0.3), rated('b', 100, 0.1)])).toBeNull()
  expect(suggestFrom([])).toBeNull()
})

test.each([
  [[1], 0.25, 1],
  [[1, 3], 0.5, 2],
  [[100, 200, 300, 400], 0.25, 175],
])('calculates the quantile of %j at %d as %d', (values, part, value) => expect(quantile(values, part)).toBe(value))

test('suggests a price between the category’s quartiles with at most three reasons', () => {
  const product = fc.record({
    cents: fc.integer({ min: 1, max: 100_000 }),
    meaning: fc.double({ min: 0.5, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(product, { minLength: 1, maxLength: 40 }), (some) => {
      const found = suggestFrom(some.map(({ cents, meaning }) => rated('a', cents, meaning)))!
      const shelf = some.map(({ cents }) => cents).toSorted((a, b) => a - b)
      expect(found.median).toBeGreaterThanOrEqual(quantile(shelf, 0.25))
      expect(found.median).toBeLessThanOrEqual(quantile(shelf, 0.75))
      expect(found.lowest).toBeLessThanOrEqual(found.median)
      expect(found.highest).toBeGreaterThanOrEqual(found.median)
      expect(found.nearest.length).toBeLessThanOrEqual(3)
    }),
  )
})
