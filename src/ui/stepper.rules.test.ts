import { expect, test } from 'vitest'
import { parseQuantity } from './stepper.rules.ts'

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
])('a typed quantity %j reads as %j', (typed, quantity) => {
  expect(parseQuantity(typed, 1, 9999)).toBe(quantity)
})
