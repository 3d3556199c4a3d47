import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.rules.ts'

const BOOK = 'A short book about salt. Three chapters: the brine, the jar, and what to do when it goes wrong.'

test.each([
  ['its first sentence', BOOK, 'Salt and Time', 'A short book about salt.'],
  [
    'the first words of a long sentence',
    BOOK.slice(25),
    'A Title of Six Words, Long',
    'Three chapters: the brine, the jar, and…',
  ],
  ['no comma before the dots', 'One two three four, five six.', 'a b c d e f g h i j', 'One two three…'],
  ['nothing next to a very long title', BOOK, 'word '.repeat(20), ''],
  ['nothing of an empty description', ' \n ', 'Salt', ''],
  ['a price with a point', 'Costs 4.50 in all shops. Buy it.', 'Salt', 'Costs 4.50 in all shops.'],
])('shows %s', (_what, description, title, excerpt) => {
  expect(excerptOf(description, title)).toBe(excerpt)
})

test('title and excerpt never have more than 13 words together', () => {
  const count = (text: string) => text.split(/\s+/).filter(Boolean).length
  fc.assert(
    fc.property(fc.string(), fc.lorem({ maxCount: 40 }), (title, description) => {
      const excerpt = excerptOf(description, title)
      expect(count(excerpt)).toBeLessThanOrEqual(Math.max(0, 13 - count(title)))
    }),
  )
})
