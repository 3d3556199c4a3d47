import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chaptersOf, cutOf, pagesOf, secondsOf } from './cut.rules.ts'

test.each([
  [1, null],
  [2, 1],
  [9, 1],
  [30, 6],
  [248, 12],
])('shows of %i pages the first %s', (whole, shown) => {
  expect(pagesOf(whole)).toBe(shown)
})

test.each([
  [1.9, null],
  [2, 1],
  [5, 2],
  [119, 59],
  [11_400, 60],
])('plays of %d seconds the first %s', (whole, shown) => {
  expect(secondsOf(whole)).toBe(shown)
})

test.each([
  ['three equal chapters', [700, 700, 700], 1],
  ['a cover, a title page and long chapters', [5, 20, 300, 300, 300], 3],
  ['many short chapters', Array.from({ length: 40 }, () => 100), 4],
  ['two chapters, of which the first is most of the text', [58, 42], null],
  ['one chapter', [900], null],
  ['a cover and one chapter', [5, 900], null],
  ['no text', [0, 0], null],
  ['nothing', [], null],
])('cuts a book of %s', (_, lengths, shown) => {
  expect(chaptersOf(lengths)).toBe(shown)
})

test('a sample is never the whole file and never empty', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { maxLength: 60 }), fc.integer({ min: 1, max: 20_000 }), (lengths, whole) => {
      const sum = (list: number[]) => list.reduce((total, length) => total + length, 0)
      const chapters = chaptersOf(lengths)
      if (chapters !== null) {
        expect(sum(lengths.slice(0, chapters))).toBeGreaterThan(0)
        expect(sum(lengths.slice(0, chapters))).toBeLessThanOrEqual(sum(lengths) * 0.4)
      }
      for (const shown of [pagesOf(whole), secondsOf(whole)])
        if (shown !== null) expect(shown).toSatisfy((count: number) => count >= 1 && count < whole)
    }),
  )
})

test('offers a cut by the type of the file', () => {
  expect(['A.PDF', 'b.epub', 'c.wav', 'd.mp3', 'e.zip', 'f'].map(cutOf)).toEqual([
    ...['the first pages', 'the first chapters', 'the first minute', 'the first minute'],
    ...[null, null],
  ])
})
