import { expect, test } from 'vitest'
import { screenTypeOf } from './screen.rules.ts'

test.each([
  [320, 'mobile'],
  [767, 'mobile'],
  [768, 'tablet'],
  [1023, 'tablet'],
  [1024, 'desktop'],
  [1920, 'desktop'],
])('classifies %i px as %s', (width, type) => {
  expect(screenTypeOf(width)).toBe(type)
})
