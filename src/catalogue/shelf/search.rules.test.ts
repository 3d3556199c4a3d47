import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasWords, prefixQuery, respeltQuery } from './search.rules.ts'

test.each([
  ['gift ca', 'gift & ca:*'],
  ['  Night   Trains ', 'Night & Trains:*'],
  ['$25 café', '25 & café:*'],
  ["it's", 'it & s:*'],
  ['"gift card"', ''],
  ['gift -card', ''],
  ['gift or card', ''],
  ['%_', ''],
  ['', ''],
])('searches %j as %j', (typed, query) => {
  expect(prefixQuery(typed)).toBe(query)
})

test('corrects swapped and doubled letters', () => {
  expect(respeltQuery('crad')).toBe('(crad | rcad | card | crda)')
  expect(respeltQuery('gift cofffee')).toContain(' | coffee | ')
  expect(respeltQuery('the')).toBe('(the)')
  expect(respeltQuery('')).toBe('')
})

test('typed operators have no meaning to the search', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (typed) => {
      expect(prefixQuery(typed)).toMatch(/^([\p{L}\p{N}]+( & [\p{L}\p{N}]+)*:\*)?$/u)
      expect(respeltQuery(typed)).toMatch(/^[\p{L}\p{N}()|& ]*$/u)
      expect(hasWords(typed)).toBe(respeltQuery(typed) !== '')
    }),
  )
})
