import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PriceRange } from '../catalogue.contract.ts'
import { readPrice } from './pricePhrase.rules.ts'

test.each([
  ['under $5', '', '0-5'],
  ['under 5', '', '0-5'],
  ['ebook under 5', 'ebook', '0-5'],
  ['audio under 3 dollars', 'audio', '0-3'],
  ['gift cards over 100', 'gift cards', '100.01-'],
  ['more than $4.50 software', 'software', '4.51-'],
  ['less than ten bucks', '', '0-10'],
  ['books for less than 4,50', 'books', '0-4.50'],
  ['up to $5', '', '0-5.01'],
  ['at most 20 usd', '', '0-20.01'],
  ['no more than 20', '', '0-20.01'],
  ['between 5 and 10', '', '5-10.01'],
  ['between $10 and $5 courses', 'courses', '5-10.01'],
  ['courses from 8 to 12 dollars', 'courses', '8-12.01'],
  ['courses from $8 to 12', 'courses', '8-12.01'],
  ['postcards from $1985', 'postcards', '1985-'],
  ['postcards under 1985 dollars', 'postcards', '0-1985'],
  ['3ds max 2024 max $20', '3ds max 2024', '0-20.01'],
  ['fonts within 5 bucks', 'fonts', '0-5.01'],
  ['minimum 30 usd', '', '30-'],
  ['laptops below 2100', 'laptops', '0-2100'],
  ['$5-$10 audio', 'audio', '5-10.01'],
  ['$5 to 10', '', '5-10.01'],
  ['at least 30', '', '30-'],
  ['gift card 50 or more', 'gift card', '50-'],
  ['<5', '', '0-5'],
  ['>= $30', '', '30-'],
  ['Under Fifty Dollars', '', '0-50'],
])('parses %j as a search for %j at %s', (typed, words, price) => {
  expect(readPrice(typed)).toMatchObject({ words, price, exactCents: null })
  expect(PriceRange.safeParse(price).success).toBe(true)
})

test.each([
  ['$5', '5', 500],
  ['5$', '5', 500],
  ['$25 café', '25 café', 2500],
  ['$4.50', '4.50', 450],
  ['fifty dollar voucher', '50 voucher', 5000],
  ['500 gift card', '500 gift card', null],
  ['Speak for Five Minutes', 'Speak for Five Minutes', null],
  ['course under 10 minutes', 'course under 10 minutes', null],
  ['over 100 pages', 'over 100 pages', null],
  ['"under 30"', '"under 30"', null],
  ['under the sea', 'under the sea', null],
  ['24-bit', '24-bit', null],
  ['pre-2000 fonts', 'pre-2000 fonts', null],
  ['more than 3d', 'more than 3d', null],
])('parses %j as the words %j and ranks %s cents first', (typed, words, exactCents) => {
  expect(readPrice(typed)).toMatchObject({ words, price: null, exactCents })
})

test.each([
  ...['postcards from 1985', '3ds max 2024', '3ds max 9', 'cinema within 2', 'ableton min 11', 'maximum 5'],
  ...['letters from 8 to 12', 'scores from 1990 to 2000', 'maps between 1900 and 2099', 'under 1999', 'over 2000'],
  ...['less than 1984', 'up to 2024', 'at least 1901', '<= 2001', '>2010', '1999 or less', 'less is more 2'],
  ...['photoshop from 24.1.2', 'below 1985-era fonts'],
])('finds no price in the title %j', (title) => {
  expect(readPrice(title)).toEqual({ words: title, phrase: '', price: null, exactCents: null })
})

test('returns a valid search for any text', () => {
  const word = fc.constantFrom(
    'under',
    '$',
    '5',
    '4,50',
    'and',
    '10',
    'between',
    '-',
    'to',
    'ten',
    'book',
    '.',
    '999999',
    '<',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.constantFrom('', ' '), (words, gap) => {
      const { price, words: left } = readPrice(words.join(gap))
      expect(price === null || PriceRange.safeParse(price).success).toBe(true)
      expect(left).not.toMatch(/^ | $| {2}/)
    }),
  )
})
