import { expect, test } from 'vitest'
import { connected, describeRefusal, fail, starting, waitOf } from './realtime.rules.ts'

test('retries after one, two and four seconds and then returns to the usual pace with the reason', () => {
  let state = starting
  const told = describeRefusal(503, 'Service Unavailable')
  const seen: [string | null, number][] = []
  for (let i = 0; i < 5; i++) {
    state = fail(state, told)
    seen.push([state.message, waitOf(state)])
  }
  expect(seen).toEqual([
    ['Connection failed, retrying... (1/3)', 1000],
    ['Connection failed, retrying... (2/3)', 2000],
    ['Connection failed, retrying... (3/3)', 4000],
    ['HTTP 503: Service Unavailable', 10_000],
    ['HTTP 503: Service Unavailable', 10_000],
  ])
})

test('shows a general reason after a lost connection, and resets the count after a response', () => {
  const lost = [1, 2, 3, 4].reduce((state) => fail(state, null), starting)
  expect(lost).toEqual({ state: 'error', message: 'Failed to fetch real-time data', failures: 4 })
  expect(waitOf(connected)).toBe(10_000)
  expect(fail(connected, null).message).toBe('Connection failed, retrying... (1/3)')
})
