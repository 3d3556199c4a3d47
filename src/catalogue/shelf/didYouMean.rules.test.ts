import fc from 'fast-check'
import { expect, test } from 'vitest'
import { didYouMean, slipsBetween } from './didYouMean.rules.ts'

const shop = ['Salt and Time', 'Night Trains', 'Corner Café Gift Card $25', 'Python for Gardeners']

test.each([
  ['slat and tiem', 'salt and time'],
  ['Nigth trains', 'night trains'],
  ['pyhton', 'python'],
  ['gardners', 'gardeners'],
  ['gift crad', 'gift card'],
  ['caffé', 'café'],
  // no match: known as it is, too far off, or empty
  ['night', null],
  ['xylophone', null],
  ['', null],
  ['?!', null],
  // each word is known, but no text has them together
  ['trians salt', null],
])('%j was meant as %j', (searched, meant) => {
  expect(didYouMean(searched, shop)).toBe(meant)
})

test('one typing error costs one, in both directions', () => {
  expect(slipsBetween('card', 'crad')).toBe(1)
  expect(slipsBetween('kitten', 'sitting')).toBe(3)
  expect(slipsBetween('', 'ab')).toBe(2)
  const word = fc.string({ maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(slipsBetween(a, b)).toBe(slipsBetween(b, a))
      expect(slipsBetween(a, a)).toBe(0)
    }),
  )
})
