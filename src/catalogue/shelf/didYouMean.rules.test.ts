import fc from 'fast-check'
import { expect, test } from 'vitest'
import { didYouMean, slipsBetween } from './didYouMean.rules.ts'

const shop = new Set('salt and time night trains corner cafe gift card 25 python for gardeners'.split(' '))

test.each([
  ['slat and tiem', 'salt and time'],
  ['nigth trains', 'night trains'],
  ['pyhton', 'python'],
  ['ypthon', 'python'],
  ['gardners', 'gardeners'],
  ['gift crad 26', 'gift card 26'],
  ['caffe', 'cafe'],
  // only the first three words are corrected
  ['nighttrains', 'night trains'],
  ['slat tiem nigth pyhton', 'salt time night pyhton'],
  // known, too different, too short, too long or empty
  ['trains night', null],
  ['xylophone', null],
  ['tr', null],
  ['x'.repeat(200), null],
  ['', null],
])('corrects %j to %j', (searched, meant) => {
  expect(didYouMean(searched.split(' '), shop)).toBe(meant)
})

test('counts one typing error as one, in both directions', () => {
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
