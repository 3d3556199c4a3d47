import { expect, test } from 'vitest'
import { tooltipDelay } from './tooltip.rules.ts'

test('the first tooltip waits 700 ms, one that follows within 300 ms does not', () => {
  expect(tooltipDelay(-Infinity, 0)).toBe(700)
  expect(tooltipDelay(1000, 1299)).toBe(0)
  expect(tooltipDelay(1000, 1300)).toBe(700)
})
