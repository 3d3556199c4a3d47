import { expect, test } from 'vitest'
import { greetingAt } from './greeting.rules.ts'

test.each([
  [4, 'Good evening, Ada'],
  [5, 'Good morning, Ada'],
  [12, 'Good afternoon, Ada'],
  [18, 'Good evening, Ada'],
])('at %i the shop says %s', (hour, text) => {
  expect(greetingAt(hour, 'Ada')).toBe(text)
})

test('a customer whose name is not known is greeted without one', () => {
  expect(greetingAt(9, null)).toBe('Good morning')
})
