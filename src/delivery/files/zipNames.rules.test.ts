import { expect, test } from 'vitest'
import { nameEntries } from './zipNames.rules.ts'

test.each([
  [
    ['a.pdf', 'A.pdf', 'a (2).pdf'],
    ['a.pdf', 'A (2).pdf', 'a (2) (2).pdf'],
  ],
  [
    ['README', 'README'],
    ['README', 'README (2)'],
  ],
  [
    ['.profile', '..', '../b/c'],
    ['.profile', '_', '.._b_c'],
  ],
  [
    ['CON.txt', 'aux', 'com1.tar.gz', 'console.txt', 'nul'],
    ['_CON.txt', '_aux', '_com1.tar.gz', 'console.txt', '_nul'],
  ],
  [
    ['end.', 'a.b ', '...'],
    ['end_', 'a.b_', '_'],
  ],
])('names %j as %j', (given, expected) =>
  expect(nameEntries(given.map((fileName) => ({ fileName })))).toEqual(expected),
)

test('preserves names in different folders', () => {
  const files = [
    { folder: 'x/', fileName: 'a.pdf' },
    { folder: 'y/', fileName: 'a.pdf' },
  ]
  expect(nameEntries(files)).toEqual(['x/a.pdf', 'y/a.pdf'])
})
