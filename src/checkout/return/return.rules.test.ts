import { expect, test } from 'vitest'
import { isAskedAgain, readReturn } from './return.rules.ts'

test.each([
  ['provider=card&ref=cs_1', { provider: 'card', ref: 'cs_1' }],
  ['provider=card&payment=p1&canceled=1', { provider: 'card', payment: 'p1', canceled: true }],
  ['provider=card&ref=cs_1&payment=p1', { provider: 'card', ref: 'cs_1' }],
  ['provider=card&ref=cs_1&canceled=0', { provider: 'card', ref: 'cs_1' }],
  ['provider=card', null],
  ['ref=cs_1', null],
  ['', null],
])('parses the return URL %s', (search, expected) => {
  expect(readReturn(new URLSearchParams(search))).toEqual(expected)
})

test.each([
  ['WAITING', 1, true],
  ['WAITING', 15, false],
  ['PENDING', 2, true],
  ['PENDING', 3, false],
  ['COMPLETED', 1, false],
  ['DECLINED', 1, false],
  ['ENDED', 1, false],
])('decides for a %s payment after %i polls whether to poll again: %s', (status, asked, isAgain) => {
  expect(isAskedAgain(status, asked)).toBe(isAgain)
})
