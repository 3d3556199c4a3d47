import { expect, test } from 'vitest'
import { readOrderNumber } from './number.rules.ts'

const WHOLE = '0198b2de-0000-7000-8000-00007f3a92c1'

test.each([
  [WHOLE, WHOLE, true],
  [` #${WHOLE.toUpperCase()} `, WHOLE, true],
  ['7f3a92c1', '7f3a92c1', false],
  ['# 7F3A92C1', '7f3a92c1', false],
])('parses %s as an order number', (typed, text, isWhole) => {
  expect(readOrderNumber(typed)).toEqual({ text, isWhole })
})

test.each(['', '#', '17', '7f3a92c', '7f3a92c11', 'ada@shop.example', 'night trains', `${WHOLE}0`, 'zzzzzzzz'])(
  'rejects %j as an order number',
  (typed) => {
    expect(readOrderNumber(typed)).toBeNull()
  },
)
