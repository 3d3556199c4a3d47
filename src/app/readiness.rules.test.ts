import { expect, test } from 'vitest'
import { readinessOf } from './readiness.rules.ts'

test('every part that answers ok is ready, any other is named with what is wrong', () => {
  expect(readinessOf({ status: 'ready', database: 'ok' })).toEqual({ ready: 2, all: 2, failing: [] })
  expect(readinessOf({ status: 'not ready', database: 'does not answer' })).toEqual({
    ready: 1,
    all: 2,
    failing: [{ name: 'Database', state: 'does not answer' }],
  })
})

test('a probe that fails means that the server does not answer', () => {
  expect(readinessOf(null)).toEqual({ ready: 0, all: 1, failing: [{ name: 'Server', state: 'does not answer' }] })
})
