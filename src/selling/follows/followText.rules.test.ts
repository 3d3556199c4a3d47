import { expect, test } from 'vitest'
import { linesOf, pathOf, subjectOf } from './followText.rules.ts'

const ONE = { seller: 'Ada P.', count: 1, titles: ['A song'] }
const MANY = { seller: 'Ada P.', count: 1200, titles: ['A song', 'A film'] }

test('a mail about one product names it and leads to it', () => {
  expect(subjectOf([ONE])).toBe('New from Ada P.: “A song”')
  expect(linesOf([ONE]).slice(0, 2)).toEqual(['Ada P. has published a new product.', '“A song”'])
  expect(pathOf({ count: 1, productId: '7', handle: 'ada-p' })).toBe('/product/7')
})

test('a mail about several products counts them and leads to the page of the seller', () => {
  expect(subjectOf([MANY])).toBe('1,200 new products from Ada P.')
  expect(linesOf([MANY])).toEqual([
    'Ada P. has published 1,200 new products.',
    '“A song”',
    '“A film”',
    'And 1,198 more.',
    'We send this mail because you follow Ada P., at most one such mail a day.',
  ])
  expect(pathOf({ count: 2, productId: '7', handle: 'ada-p' })).toBe('/seller/ada-p')
})

test('a mail about several sellers lists the first products of each', () => {
  const bob = { ...ONE, seller: 'Bob P.' }
  expect(subjectOf([ONE, bob])).toBe('2 new products from Ada P. and Bob P.')
  const sellers = [
    { ...MANY, count: 5, titles: ['1', '2', '3', '4', '5'] },
    bob,
    ...Array.from({ length: 10 }, () => ONE),
  ]
  expect(subjectOf(sellers)).toBe('16 new products from Ada P., Bob P. and 10 more sellers')
  const lines = linesOf(sellers)
  expect(lines.slice(0, 3)).toEqual([
    'Sellers you follow have published new products.',
    'Ada P.: “1”, “2”, “3” and 2 more',
    'Bob P.: “A song”',
  ])
  expect(lines.slice(-2)).toEqual([
    'And new products from 2 more sellers.',
    'We send this mail because you follow these sellers, at most one such mail a day. Email Preferences on your profile lists them.',
  ])
})
