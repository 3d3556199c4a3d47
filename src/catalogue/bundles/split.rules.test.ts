import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_PARTS, splitPrice } from './split.rules.ts'

test.each([
  ['even shares', 4500, [1000, 2000, 6000], [500, 1000, 3000]],
  ['the cent that is left goes to the largest remainder', 100, [1, 1, 1], [34, 33, 33]],
  ['a free part costs nothing', 500, [0, 1000], [0, 500]],
  ['a small part keeps a cent of the largest', 100, [1, 9999, 9999], [1, 49, 50]],
  ['parts that have all become free share alike', 10, [0, 0], [5, 5]],
  ['more than the parts cost alone', 3000, [500, 1000], [1000, 2000]],
])('splits a bundle’s price: %s', (_, price, lists, shares) => {
  const parts = lists.map((listCents, i) => ({ id: `part ${i}`, listCents }))
  expect(splitPrice(price, parts)).toEqual(shares)
})

const parts = fc.uniqueArray(
  fc.record({ id: fc.uuid(), listCents: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 99_999_999 })) }),
  { minLength: 2, maxLength: MAX_PARTS, selector: ({ id }) => id },
)

test('splits the price exactly, without negative shares, with a cent for paid parts, in any order', () => {
  fc.assert(
    fc.property(
      parts,
      fc.integer({ min: MAX_PARTS, max: 99_999_999 }),
      fc.infiniteStream(fc.nat()),
      (given, price, dice) => {
        const shares = splitPrice(price, given)
        expect(shares.reduce((sum, cents) => sum + cents, 0)).toBe(price)
        const isPriced = given.some(({ listCents }) => listCents > 0)
        given.forEach(({ listCents }, i) =>
          expect(shares[i]).toBeGreaterThanOrEqual(listCents > 0 || !isPriced ? 1 : 0),
        )
        if (isPriced) given.forEach(({ listCents }, i) => listCents === 0 && expect(shares[i]).toBe(0))
        const other = given.map((part) => ({ part, at: dice.next().value as number })).sort((a, b) => a.at - b.at)
        const shareOf = new Map(given.map(({ id }, i) => [id, shares[i]]))
        expect(
          splitPrice(
            price,
            other.map(({ part }) => part),
          ),
        ).toEqual(other.map(({ part }) => shareOf.get(part.id)))
      },
    ),
  )
})
