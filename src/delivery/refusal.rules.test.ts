import { expect, test } from 'vitest'
import { Failure } from '../kit/failure.ts'
import { describeRefusal, isRefused } from './refusal.rules.ts'

const refused = (status: number, details?: Record<string, unknown>) =>
  new Failure(status, 'x', undefined, { ...(details && { details }) })

test.each<[unknown, string]>([
  [refused(409, { message: 'A refund is on its way.' }), 'A refund is on its way.'],
  [refused(409), 'Please try again.'],
  [refused(404, { message: 'Not found' }), 'It isn’t available anymore. Your order says why.'],
  [refused(500, { message: 'Internal error' }), 'Please try again.'],
  [new TypeError('fetch failed'), 'Please try again.'],
])('explains why a purchase does not open: %s', (error, said) => {
  expect(describeRefusal(error, 'Please try again.')).toBe(said)
})

test('reloads the order after a refusal, but not after a missing response', () => {
  expect([404, 409].map((status) => isRefused(refused(status)))).toEqual([true, true])
  expect([401, 403, 429, 500].some((status) => isRefused(refused(status)))).toBe(false)
  expect(isRefused(new TypeError('fetch failed'))).toBe(false)
})
