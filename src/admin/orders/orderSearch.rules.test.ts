import { expect, test } from 'vitest'
import { prefixPattern, readSearch } from './orderSearch.rules.ts'

const WHOLE = '0198b2de-0000-7000-8000-00007f3a92c1'

test.each([
  ['  ', {}],
  [WHOLE, { number: { text: WHOLE, isWhole: true }, capture: { text: WHOLE, isWhole: true } }],
  ['#7F3A92C1', { number: { text: '7f3a92c1', isWhole: false }, capture: { text: '7f3a92c1', isWhole: false } }],
  ['1PR9SBUH', { email: '1pr9sbuh', words: '1PR9SBUH', capture: { text: '1PR9SBUH', isWhole: false } }],
  ['pi_3Nx-a1B2', { email: 'pi_3nx-a1b2', words: 'pi_3Nx-a1B2', capture: { text: 'pi_3Nx-a1B2', isWhole: true } }],
  ['Ada@Shop.example', { email: 'ada@shop.example' }],
  ['ada.l', { email: 'ada.l', words: 'ada.l' }],
  ['Trains', { email: 'trains', words: 'Trains' }],
  ['night trains', { words: 'night trains' }],
  ['___', { email: '___' }],
  ['ada @shop', null],
  ['- !', null],
])('parses the search %j as %j', (typed, search) => {
  expect(readSearch(typed)).toEqual(search)
})

test('escapes the wildcards of a search', () => {
  expect(prefixPattern('a_b%c\\d')).toBe('a\\_b\\%c\\\\d%')
})
