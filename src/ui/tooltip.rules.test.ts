import { expect, test } from 'vitest'
import { tooltipDelay } from './tooltip.rules.ts'

test('the first tooltip waits 700 ms, the next one within 300 ms opens at once', () => {
  expect(tooltipDelay(-Infinity, 0)).toBe(700)
  expect(tooltipDelay(1000, 1299)).toBe(0)
  expect(tooltipDelay(1000, 1300)).toBe(700)
})
