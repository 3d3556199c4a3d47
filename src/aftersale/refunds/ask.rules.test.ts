import { expect, test } from 'vitest'
import type { OrderLine } from '../../purchases/orders.contract.ts'
import { canReturn } from './ask.rules.ts'

const request = (state: 'open' | 'granted' | 'declined') =>
  ({ state, answer: null }) as unknown as NonNullable<OrderLine['refundRequest']>
const lineOf = (given: Partial<OrderLine>) =>
  ({ refundRequest: null, refunded: 0, quantity: 2, isFree: false, ...given }) as OrderLine

test.each<[string, boolean, Partial<OrderLine>]>([
  ['a paid line', true, {}],
  ['a free line', false, { isFree: true }],
  ['a line whose copies are all refunded', false, { refunded: 2 }],
  ['a line with an open request', false, { refundRequest: request('open') }],
  ['a line with a declined request', false, { refundRequest: request('declined') }],
  ['a granted line with a copy left', true, { refundRequest: request('granted'), refunded: 1 }],
  ['a granted line without a refunded copy', false, { refundRequest: request('granted') }],
])('decides whether %s can be returned: %s', (_, expected, given) => {
  expect(canReturn(lineOf(given))).toBe(expected)
})
