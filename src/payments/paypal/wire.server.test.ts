import { expect, test } from 'vitest'
import { weightiest } from './wire.server.ts'

test.each([
  [[], undefined],
  [['DECLINED 1'], 'DECLINED 1'],
  [['DECLINED 1', 'DECLINED 2'], 'DECLINED 2'],
  [['DECLINED 1', 'COMPLETED 2'], 'COMPLETED 2'],
  [['COMPLETED 1', 'DECLINED 2'], 'COMPLETED 1'],
  [['PENDING 1', 'FAILED 2'], 'PENDING 1'],
])('picks from the captures %j: %s', (captures, picked) => {
  const named = captures.map((name) => ({ name, status: name.split(' ')[0]! }))
  expect(weightiest(named)?.name).toBe(picked)
})
