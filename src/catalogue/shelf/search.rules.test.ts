import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prefixQuery, queryOf, wordsOf } from './search.rules.ts'

test.each([
  ['gift ca', 'gift & ca:*'],
  ['  Night   Trains ', 'night & trains:*'],
  ['$25 café', '25 & cafe:*'],
  ["it's", 'it & s:*'],
  ['"gift card"', ''],
  ['gift -card', ''],
  ['gift or card', ''],
  ['%_', ''],
  ['', ''],
])('converts the order search %j to %j', (typed, query) => {
  expect(prefixQuery(typed)).toBe(query)
})

test.each([
  ['salt tim', 'salt:* & tim:*', 'each word is the start of a word'],
  ['10 bells', '10 & bells:*', 'a number is whole, because 10 is not 100'],
  ['bells 1', 'bells:* & 1:*', 'the last number may be unfinished'],
  ['$4.50', '4.50:*', 'a price keeps its point'],
  ['btc', '(btc:* | bitcoin)', 'a synonym'],
  ['bitc', '(bitc:* | bitcoin | btc)', 'an unfinished word with a synonym'],
  ['bitc 5', 'bitc:* & 5:*', 'not in the middle'],
  ['e-books sale', '((e:* & books:*) | ebooks | ebook | book) & sale:*', 'a phrase in the plural'],
  ['Wi-Fi', '((wi:* & fi:*) | wifi)', 'a compound, also as one word'],
  ['2000-2010', '2000 & 2010:*', 'two numbers'],
  ['2.0.1', '2.0.1:*', 'a version'],
  ['語の本', '(語 <-> の <-> 本:*)', 'a script without spaces'],
  ['Łódź straße', 'lodz:* & strasse:*', 'letters of one language'],
  ['voucher', '(voucher:* | (gift & card) | giftcard | coupon)', 'a phrase as a synonym'],
])('converts %j to %j: %s', (typed, starts) => {
  expect(queryOf(typed)).toMatchObject({ starts, written: '' })
})

test('ranks whole words of the title, then of the category, then synonyms', () => {
  expect(queryOf('Café voucher')).toMatchObject({
    typed: 'café voucher',
    title: 'cafe:A & voucher:A',
    named: 'cafe:AB & voucher:AB',
    kindred: 'cafe:AB & (voucher:AB | (gift:B & card:B) | giftcard:B | coupon:B)',
    alike: 'cafe:AB & (voucher:AB | (gift:AB & card:AB) | giftcard:AB | coupon:AB)',
    titleStarts: 'cafe:*A & voucher:*A',
  })
  expect(queryOf('salt bells', { isAny: true }).starts).toBe('salt:* | bells:*')
  expect(queryOf('"Night Trains"')).toMatchObject({ written: '"night trains"', starts: '', title: '' })
})

test('ignores typed operators', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
      expect(prefixQuery(typed)).toMatch(/^[\p{L}\p{N}\p{M}.()<\-> &:*]*$/u)
      expect(queryOf(typed).starts).toMatch(/^[\p{L}\p{N}\p{M}.()|& :*<\->]*$/u)
      expect(wordsOf(typed).join('')).toMatch(/^[\p{L}\p{N}\p{M}.]*$/u)
    }),
  )
})
