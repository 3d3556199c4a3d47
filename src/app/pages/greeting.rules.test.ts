import { expect, test } from 'vitest'
import { greetingAt } from './greeting.rules.ts'

test.each([
  [4, 'Good evening, Ada'],
  [5, 'Good morning, Ada'],
  [12, 'Good afternoon, Ada'],
  [18, 'Good evening, Ada'],
])("greets at %i o'clock with %s", (hour, text) => {
  expect(greetingAt(hour, 'Ada')).toBe(text)
})

test('greets a member without a name', () => {
  expect(greetingAt(9, null)).toBe('Good morning')
})
