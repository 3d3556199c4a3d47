import { expect, test } from 'vitest'
import { isTooMany, parseQuantity } from './stepper.rules.ts'

test.each([
  ['1', 1],
  [' 12 ', 12],
  ['0', null],
  ['', null],
  ['-3', null],
  ['1.5', null],
  ['2e3', null],
  ['abc', null],
  ['99999', 9999],
])('parses the typed quantity %j as %j', (typed, quantity) => {
  expect(parseQuantity(typed, 1, 9999)).toBe(quantity)
})

test.each([
  ['9999', false],
  ['10000', true],
  [' 99999 ', true],
  ['1e9', false],
  ['', false],
])('reports whether the typed quantity %j is too high: %j', (typed, is) => expect(isTooMany(typed, 9999)).toBe(is))
